// The kernel of a configuration.
import { AnnotatedPtx, parsePtx, ptxFromKernelFile } from "@mm-ptx/inject";
import { isFilledKernel, quoted } from "@mm-ptx/types/internal";
import { type KernelFile, readKernelFile } from "@mm-ptx/types/kernel-file";
import { bytesOfFile } from "../data/file.js";
import type { FilePath } from "../data/file-path.js";
import { FileError, ofFile, shown } from "./framework.js";

/** A kernel, and the kernel file that it is from. */
export interface KernelSource {
  readonly annotated: AnnotatedPtx;
  readonly file?: KernelFile;
}

const KERNEL_FILE = "\x89MMKRN\r\n";
export const PROGRAM_FILE = "\x89MMPTX\r\n";
const ANNOTATED = "\x89MMAPX\r\n";

/** Whether a file begins with a magic. */
export const begins = (bytes: Buffer, magic: string): boolean =>
  bytes.toString("latin1", 0, magic.length) === magic;
export const isKernelFile = (bytes: Buffer): boolean => begins(bytes, KERNEL_FILE);

/** @throws FileProblem, FileError */
export async function kernelOf(given: FilePath | AnnotatedPtx): Promise<KernelSource> {
  if (typeof given === "object" && !(given instanceof URL)) return { annotated: given };
  return ofFile(given, () => {
    const bytes = bytesOfFile(given);
    if (isKernelFile(bytes)) {
      const file = readKernelFile(bytes);
      return { annotated: ptxFromKernelFile(file), file };
    }
    if (begins(bytes, PROGRAM_FILE))
      throw new FileError(`expected a kernel, found ${quoted(shown(given))}, which is a program file`);
    if (begins(bytes, ANNOTATED)) return { annotated: AnnotatedPtx.fromBytes(bytes) };
    const text = bytes.toString("utf8");
    if (isFilled(text))
      throw new FileError(
        `expected a kernel with sites, found ${quoted(shown(given))}, which is the JSON of a filled kernel`,
      );
    return { annotated: parsePtx(text) };
  });
}

function isFilled(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    return isFilledKernel(JSON.parse(text));
  } catch {
    return false;
  }
}
