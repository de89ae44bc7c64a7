// Filled kernels as JSON, which the commands accept in place of PTX.

import { type FilledKernel, FilledKernelError } from "@mm-ptx/types/core";
import { parseFilledKernel } from "@mm-ptx/types/internal";
import { FileError, namedFile } from "./framework.js";

/** The filled kernel of a file; `undefined` for other content, such as PTX. @throws FileError */
export function filledKernelOf(path: string, bytes: Uint8Array): FilledKernel | undefined {
  try {
    return parseFilledKernel(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof FilledKernelError)) throw error;
    throw new FileError(`expected PTX or a filled kernel, found ${namedFile(path)}: ${error.message}`);
  }
}
