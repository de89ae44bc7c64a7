// The entry `@mm-ptx/types/kernel-file`: a kernel with everything needed to compile programs for its sites, as bytes.
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
