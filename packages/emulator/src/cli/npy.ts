// Memory as arrays of NumPy: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
import { FileError, namedFile } from "./framework.js";
import type { NumberType } from "./numbers.js";

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
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

/** @throws FileError for other files, Python objects and big-endian numbers */
export function readNpy(bytes: Uint8Array, file: string): NpyParts {
  const wrong = (expected: string, found: string) =>
    new FileError(`expected ${expected} in ${namedFile(file)}, found ${found}`);
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) throw wrong("an array of NumPy", "another kind of file");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isShort = bytes[6] === 1;
  const begin = isShort ? 10 : 12;
  if (bytes.length < begin) throw wrong("the header of an array", "the end of the file");
  const end = begin + (isShort ? view.getUint16(8, true) : view.getUint32(8, true));
  if (bytes.length < end) throw wrong(`a header of ${end} bytes`, `${bytes.length} bytes`);
  const header = new TextDecoder().decode(bytes.subarray(begin, end));
  const type = /'descr':\s*'([^']*)'/.exec(header)?.[1];
  if (type === undefined || !/^[<|=]?[biuf][1248]$/.test(type))
    throw wrong(
      "little-endian integers or floating-point numbers",
      type === undefined ? "records" : `\`${type}\``,
    );
  return { head: bytes.subarray(0, end), content: bytes.subarray(end) };
}

/** What precedes the numbers of an array with one dimension. */
export function npyHead(type: NumberType, count: number): Uint8Array {
  const header = `{'descr': '${DESCRIPTIONS[type]}', 'fortran_order': False, 'shape': (${count},), }`;
  const length = Math.ceil((10 + header.length + 1) / ALIGNMENT) * ALIGNMENT;
  const text = `${header.padEnd(length - 11)}\n`;
  return Uint8Array.of(
    ...MAGIC,
    1,
    0,
    text.length & 255,
    text.length >> 8,
    ...new TextEncoder().encode(text),
  );
}
