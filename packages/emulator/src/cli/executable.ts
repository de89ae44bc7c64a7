// Files that are run as programs: executables, and CUDA C++ with `main`, which nvcc builds in a temporary folder.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { nvccPath } from "./compile-cuda.js";
import { contentKind, hasMain } from "./content.js";
import { FileError, namedFile, readBytes, STANDARD } from "./framework.js";

/** A program to run; disposing it deletes what was built. */
export interface Executable extends Disposable {
  readonly path: string;
}

/** NVIDIA's machine code is in ELF files as well (`EM_CUDA` of elf.h). */
const MACHINE_OF_GPUS = 190;
/** Much more than the output of a compiler that succeeds. */
const MOST_OUTPUT = 2 ** 26;

/**
 * The program that a file is or that it is built into; undefined if one of its kernels is to be launched.
 * @throws FileError if it cannot be read or built
 */
export async function executableOf(file: string): Promise<Executable | undefined> {
  if (file === STANDARD) return undefined;
  const bytes = await readBytes(file);
  const kind = contentKind(bytes);
  const isProgram = kind === "elf" && (bytes[18]! | (bytes[19]! << 8)) !== MACHINE_OF_GPUS;
  if (isProgram) return { path: resolve(file), [Symbol.dispose]() {} };
  if (kind !== "cuda" || !hasMain(new TextDecoder().decode(bytes))) return undefined;
  const nvcc = await nvccPath(file);
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-emulate-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, "program");
  try {
    const source = resolve(file);
    const flags = ["-x", "cu", "-cudart", "shared", "-lineinfo", "-g", "-arch=sm_90", "-I", dirname(source)];
    await promisify(execFile)(nvcc, [...flags, "-o", path, source], { maxBuffer: MOST_OUTPUT });
    return { path, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new FileError(
      `expected CUDA C++ that nvcc compiles, found ${namedFile(file)}: ${stderr || message}`,
    );
  }
}
