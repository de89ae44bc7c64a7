// Arrays of NumPy: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
import type { TypedArray, TypedArrayClass } from "@mm-ptx/types/device";
import { npyNumbers, readNpyHeader } from "@mm-ptx/types/internal";
import { ELEMENTS } from "../launch/elements.js";
import { arrayOf, bytesOfFile, checkElements, wrongFile } from "./file.js";
import type { FilePath } from "./file-path.js";

/** NumPy's types, without the byte order, with their names and the classes of their arrays. */
const TYPES: Readonly<Record<string, readonly [name: string, elements: string]>> = {
  b1: ["bool", "Uint8Array"],
  u1: ["uint8", "Uint8Array"],
  i1: ["int8", "Int8Array"],
  u2: ["uint16", "Uint16Array"],
  i2: ["int16", "Int16Array"],
  f2: ["float16", "Uint16Array"],
  u4: ["uint32", "Uint32Array"],
  i4: ["int32", "Int32Array"],
  f4: ["float32", "Float32Array"],
  u8: ["uint64", "BigUint64Array"],
  i8: ["int64", "BigInt64Array"],
  f8: ["float64", "Float64Array"],
};

/**
 * The numbers of a `.npy` file, which `numpy.save` writes, in C order and without the shape. Numbers of type `float16` are a Uint16Array
 * of their bits, and `bool` is a Uint8Array of 0 and 1.
 *
 * @throws PipelineError NOT_FOUND; FILE_FORMAT for a file that is not of NumPy or is truncated, for big-endian numbers, objects, records
 * and Fortran order; INVALID_ARGUMENT
 */
export function npy(path: FilePath): TypedArray;
/**
 * The same for a file whose type is known.
 *
 * @param elements the class that the array has to have
 * @throws PipelineError as without it, and FILE_FORMAT if the file has numbers of another type
 */
export function npy<T extends TypedArray>(path: FilePath, elements: TypedArrayClass<T>): T;
export function npy(path: FilePath, elements?: TypedArrayClass<TypedArray>): TypedArray {
  if (elements !== undefined) checkElements(elements, "npy");
  const bytes = bytesOfFile(path);
  const refuse = (expected: string, found: string) => wrongFile(path, expected, found);
  const header = readNpyHeader(bytes, refuse);
  const { type, order, descr, isFortran, shape } = header;
  const [name, className] = TYPES[type] ?? [];
  if (name === undefined || className === undefined)
    throw wrongFile(
      path,
      `numbers of a type from ${Object.values(TYPES)
        .map(([each]) => each)
        .join(", ")}`,
      `\`${descr}\``,
    );
  if (elements !== undefined && elements.name !== className) {
    const wanted = Object.values(TYPES).find(([, each]) => each === elements.name)![0];
    throw wrongFile(
      path,
      `numbers of type ${wanted}`,
      `${name}: convert them with \`array.astype("${wanted}")\``,
    );
  }
  if (order === ">")
    throw wrongFile(
      path,
      "little-endian numbers",
      `big-endian ones: convert them with \`array.astype("<${type}")\``,
    );
  if (isFortran && shape.filter((length) => length !== 1).length > 1)
    throw wrongFile(
      path,
      "an array in C order",
      "one in Fortran order: save `numpy.ascontiguousarray(array)`",
    );
  const own = ELEMENTS[className]!;
  return arrayOf(own, npyNumbers(bytes, header, own.BYTES_PER_ELEMENT, refuse));
}
