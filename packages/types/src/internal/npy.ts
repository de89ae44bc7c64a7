// The header of NumPy's files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

export const NPY_MAGIC = "\x93NUMPY";

/** What precedes the numbers of an array in a file. */
export interface NpyHeader {
  /** The type, such as `f4`, its byte order, and the text that says so. */
  readonly type: string;
  readonly order: string;
  readonly descr: string;
  readonly isFortran: boolean;
  readonly shape: readonly number[];
  /** The offset of the numbers in the file. */
  readonly start: number;
}

/** @param refuse makes the error for a file that is not a NumPy file, is truncated or contains records */
export function readNpyHeader(
  bytes: Uint8Array,
  refuse: (expected: string, found: string) => Error,
): NpyHeader {
  const latin1 = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (latin1(0, NPY_MAGIC.length) !== NPY_MAGIC) throw refuse("a NumPy array", "another kind of file");
  const major = bytes[6];
  if (major === undefined || major < 1 || major > 3)
    throw refuse("version 1, 2 or 3 of the NumPy format", `${major ?? "the end of the file"}`);
  const begin = major === 1 ? 10 : 12;
  if (bytes.length < begin) throw refuse("the header of an array", "the end of the file");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const start = begin + length;
  if (bytes.length < start) throw refuse(`a header of ${length} bytes`, `${bytes.length - begin} bytes`);
  // Only the names of fields may contain characters beyond ASCII, and there are no fields here.
  const text = new TextDecoder(major === 3 ? "utf-8" : "latin1").decode(bytes.subarray(begin, start));
  const descr = /'descr':\s*'([^']*)'/.exec(text)?.[1];
  const fortran = /'fortran_order':\s*(True|False)/.exec(text)?.[1];
  const shape = /'shape':\s*\(([\d,\sL]*)\)/.exec(text)?.[1];
  if (descr === undefined && /'descr':\s*\[/.test(text))
    throw refuse("an array of numbers", "one of records: save each of its fields");
  if (descr === undefined || fortran === undefined || shape === undefined)
    throw refuse("a header with `descr`, `fortran_order` and `shape`", `\`${text.trim()}\``);
  const [, order = "", type = descr] = /^([<>|=])(.*)$/s.exec(descr) ?? [];
  return {
    ...{ type, order, descr, start },
    isFortran: fortran === "True",
    shape: [...shape.matchAll(/\d+/g)].map(Number),
  };
}

/** The bytes of an array's numbers, which follow its header. @throws what `refuse` returns unless they are all there */
export function npyNumbers(
  bytes: Uint8Array,
  { shape, start }: NpyHeader,
  size: number,
  refuse: (expected: string, found: string) => Error,
): Uint8Array {
  const all = shape.reduce((product, length) => product * length, size);
  if (bytes.length - start !== all)
    throw refuse(`${all} bytes of numbers for the shape (${shape.join(", ")})`, `${bytes.length - start}`);
  return bytes.subarray(start);
}
