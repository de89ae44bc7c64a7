// The columns that a caller passes, as machines take them.
import { codeType } from "@mm-ptx/types/code";
import { describeValue } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import type { InputColumn } from "../machine/machine.js";

/**
 * One value for each row. The kind of array determines which register types it can supply: `Float32Array` f32,
 * `Float64Array` f64, `Int32Array` s32, `Uint32Array` u32 and packed types of 32 bits, `BigInt64Array` s64,
 * `BigUint64Array` u64 and f32x2, `Int16Array` s16, `Uint16Array` u16, f16, bf16 and packed types of 16 bits,
 * `Uint8Array` predicates, 0 or 1. All but predicates can also be untyped: b16, b32, b64.
 */
export type Column =
  | Float32Array
  | Float64Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Int16Array
  | Uint16Array
  | Uint8Array;

const maskOf = (...names: readonly string[]): number =>
  names.reduce((mask, name) => mask | (1 << codeType(name)), 0);

/** The types that each kind of array has. */
const TYPES: readonly (readonly [kind: new (length: number) => Column, types: number])[] = [
  [Float32Array, maskOf("f32", "b32")],
  [Float64Array, maskOf("f64", "b64")],
  [Int32Array, maskOf("s32", "b32")],
  [Uint32Array, maskOf("u32", "b32", "tf32", "f16x2", "bf16x2", "u16x2", "s16x2")],
  [BigInt64Array, maskOf("s64", "b64")],
  [BigUint64Array, maskOf("u64", "b64", "f32x2")],
  [Int16Array, maskOf("s16", "b16")],
  [Uint16Array, maskOf("u16", "b16", "f16", "bf16", "e4m3x2", "e5m2x2")],
  [Uint8Array, maskOf("pred")],
];

/** The columns of a call, and their number of rows. */
export interface Columns {
  readonly rows: number;
  readonly columns: readonly InputColumn[];
}

/** The columns of a call, in an array that the caller cannot change. @throws ColumnsError INVALID_ARGUMENT */
export function takeColumns(columns: readonly Column[]): readonly Column[] {
  if (!Array.isArray(columns)) throw invalid("`columns` as an array of typed arrays", columns);
  return Array.from(columns);
}

/**
 * Reads the columns of a call.
 * @param rows the number of rows, if it is known
 * @throws ColumnsError INVALID_ARGUMENT
 */
export function readColumns(columns: readonly Column[], rows: number | undefined): Columns {
  if (rows === undefined) {
    throw new ColumnsError(
      "INVALID_ARGUMENT",
      "expected columns or `rows`, which say how many rows there are",
    );
  }
  if (!Number.isSafeInteger(rows) || rows < 1) throw invalid("at least one row", rows);
  return { rows, columns: columns.map((column, index) => readColumn(column, index, rows)) };
}

/**
 * One bit for each type of `CODE_TYPES` that the elements of an array may have; 0 for anything that is not a column.
 */
export const typesOf = (column: unknown): number => TYPES.find(([kind]) => column instanceof kind)?.[1] ?? 0;

/** Whether other threads may change an array. */
export const isShared = ({ buffer }: ArrayBufferView): boolean =>
  typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer;

function readColumn(column: Column, index: number, rows: number): InputColumn {
  const types = typesOf(column);
  if (types === 0) throw invalid(`column ${index} as a typed array`, column);
  if (column.length !== rows) {
    throw new ColumnsError(
      "INVALID_ARGUMENT",
      `expected ${rows} rows in column ${index}, found ${column.length}`,
    );
  }
  return { bytes: bytesOf(column, index), isDouble: column.BYTES_PER_ELEMENT === 8, types };
}

/** The rows of a column in 4 or 8 bytes each. */
function bytesOf(column: Column, index: number): Uint8Array {
  if (column instanceof Uint8Array) {
    const wrong = column.findIndex((value) => value > 1);
    if (wrong >= 0) throw invalid(`predicates as 0 or 1 in column ${index}`, column[wrong]);
  }
  const wide = column.BYTES_PER_ELEMENT >= 4 ? column : Int32Array.from(column as Int16Array);
  return new Uint8Array(wide.buffer, wide.byteOffset, wide.byteLength);
}

/** The error for an unexpected value. */
export function invalid(expected: string, found: unknown): ColumnsError {
  return new ColumnsError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);
}
