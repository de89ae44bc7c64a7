// Memory as arrays of NumPy: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
import { NPY_MAGIC, npyNumbers, readNpyHeader } from "@mm-ptx/types/internal";
import { FileError, namedFile } from "./framework.js";
import type { NumberType } from "./numbers.js";

/** The numbers of a file begin at a multiple of this. */
const ALIGNMENT = 64;

const DESCRIPTIONS: Readonly<Record<NumberType, string>> = {
  ...{ u8: "|u1", s8: "|i1", u16: "<u2", s16: "<i2", u32: "<u4", s32: "<i4", u64: "<u8", s64: "<i8" },
  ...{ f32: "<f4", f64: "<f8" },
};

/** A file of NumPy in two parts: what precedes the numbers, and their bytes. */
export interface NpyParts {
  readonly head: Uint8Array;
  readonly content: Uint8Array;
}

/** @throws FileError for other files, arrays that are cut off, Python objects and big-endian numbers */
export function readNpy(bytes: Uint8Array, file: string): NpyParts {
  const refuse = (expected: string, found: string) =>
    new FileError(`expected ${expected} in ${namedFile(file)}, found ${found}`);
  const header = readNpyHeader(bytes, refuse);
  const { descr, start } = header;
  const size = /^[<|=]?[biuf]([1248])$/.exec(descr)?.[1];
  if (size === undefined) throw refuse("little-endian integers or floating-point numbers", `\`${descr}\``);
  return { head: bytes.subarray(0, start), content: npyNumbers(bytes, header, Number(size), refuse) };
}

/** The header of a file with a one-dimensional array. */
export function npyHead(type: NumberType, count: number): Uint8Array {
  const header = `{'descr': '${DESCRIPTIONS[type]}', 'fortran_order': False, 'shape': (${count},), }`;
  const length = Math.ceil((10 + header.length + 1) / ALIGNMENT) * ALIGNMENT - 10;
  const head = `${NPY_MAGIC}\x01\0${String.fromCharCode(length & 255, length >> 8)}`;
  return Buffer.from(`${head}${header.padEnd(length - 1)}\n`, "latin1");
}
