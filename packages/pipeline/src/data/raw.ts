// Files that contain nothing but numbers.
import type { TypedArray, TypedArrayClass } from "@mm-ptx/types/device";
import { arrayOf, bytesOfFile, checkElements, wrongFile } from "./file.js";
import type { FilePath } from "./file-path.js";

/**
 * The numbers of a file that has nothing else: little-endian, without a header.
 *
 * @param elements the class of the array, such as Float32Array
 * @throws PipelineError NOT_FOUND, FILE_FORMAT if the size of the file is not a multiple of that of a number, INVALID_ARGUMENT
 */
export function raw<T extends TypedArray>(path: FilePath, elements: TypedArrayClass<T>): T {
  checkElements(elements, "raw");
  const bytes = bytesOfFile(path);
  const size = elements.BYTES_PER_ELEMENT;
  if (bytes.length % size !== 0)
    throw wrongFile(path, `a multiple of ${size} bytes for ${elements.name}`, `${bytes.length} bytes`);
  return arrayOf(elements, bytes);
}
