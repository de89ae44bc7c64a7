// Reads the files of data.
import { readFileSync } from "node:fs";
import type { TypedArray, TypedArrayClass } from "@mm-ptx/types/device";
import { describeError, describeValue, quoted } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import { ELEMENTS } from "../launch/elements.js";
import type { FilePath } from "./file-path.js";

/** The bytes of a file, at an address that any array can begin at. @throws PipelineError NOT_FOUND, INVALID_ARGUMENT */
export function bytesOfFile(path: FilePath): Buffer {
  if (!(path instanceof URL) && (typeof path !== "string" || path === ""))
    throw new PipelineError("INVALID_ARGUMENT", `expected the path of a file, found ${describeValue(path)}`);
  try {
    return readFileSync(path);
  } catch (cause) {
    const message = `expected a file to read, found ${nameOf(path)}: ${reasonOf(cause)}`;
    throw new PipelineError("NOT_FOUND", message, { cause });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "no permission",
  EISDIR: "a folder",
  ENOENT: "no such file",
};

const reasonOf = (error: unknown): string =>
  REASONS[(error as NodeJS.ErrnoException).code ?? ""] ?? describeError(error);

/** A file in messages. */
export const nameOf = (path: FilePath): string =>
  quoted(path instanceof URL ? decodeURI(path.pathname) : path);

/** The error for a file with other content than expected. */
export const wrongFile = (path: FilePath, expected: string, found: string): PipelineError =>
  new PipelineError("FILE_FORMAT", `${nameOf(path)}: expected ${expected}, found ${found}`);

/** @throws PipelineError INVALID_ARGUMENT */
export function checkElements(elements: unknown, of: string): void {
  if (typeof elements === "function" && Object.hasOwn(ELEMENTS, elements.name)) return;
  const message = `expected the class of a typed array, such as Float32Array, as the elements of \`${of}\`, found ${describeValue(elements)}`;
  throw new PipelineError("INVALID_ARGUMENT", message);
}

/** An array with the bytes of another one, at an address that is right for its elements. */
export function arrayOf<T extends TypedArray>(elements: TypedArrayClass<T>, bytes: Uint8Array): T {
  const array = new elements(bytes.length / elements.BYTES_PER_ELEMENT);
  new Uint8Array(array.buffer, array.byteOffset, bytes.length).set(bytes);
  return array;
}
