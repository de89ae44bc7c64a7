// The entry `@mm-ptx/types/kernel-file`: a kernel with everything that compiles of programs for its sites need, as bytes.
export { KernelFileError, type KernelFileErrorCode } from "./error.js";
export { readKernelFile } from "./read.js";
export type {
  AstPart,
  AstSiteJob,
  KernelFile,
  KernelFileLimits,
  StackPart,
  StackSiteJob,
} from "./value.js";
export { writeKernelFile } from "./write.js";
