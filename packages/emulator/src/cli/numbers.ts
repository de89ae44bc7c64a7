// Memory as numbers, for `--print`.

import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { valueText } from "../view/value.js";
import { UsageError } from "./framework.js";

const ELEMENTS = {
  u8: Uint8Array,
  s8: Int8Array,
  u16: Uint16Array,
  s16: Int16Array,
  u32: Uint32Array,
  s32: Int32Array,
  u64: BigUint64Array,
  s64: BigInt64Array,
  f32: Float32Array,
  f64: Float64Array,
};

/** The type of the numbers that are printed. */
export type NumberType = keyof typeof ELEMENTS;

const TYPES = Object.keys(ELEMENTS);

/** The size of a number. */
export const bytesOf = (type: NumberType): number => ELEMENTS[type].BYTES_PER_ELEMENT;

/** A type, and how many of the first numbers are printed. */
export interface NumberFormat {
  readonly type: NumberType;
  readonly most: number;
}

/** `f32`, or `f32:8` for the first eight numbers. @throws UsageError */
export function numberFormat(word: string): NumberFormat {
  const [, type = word, count] = /^([^:]*):(\d{1,9})$/.exec(word) ?? [];
  return { type: numberType(type), most: count === undefined ? Infinity : Number(count) };
}

function numberType(word: string): NumberType {
  if (TYPES.includes(word)) return word as NumberType;
  throw new UsageError(
    `expected a type of numbers (${TYPES.join(", ")}), found ${quoted(word)}${didYouMean(word, TYPES)}`,
  );
}

/** The type of each of the memory arguments: one for all, or one for each. @throws UsageError */
export function numberFormats(
  types: readonly NumberFormat[],
  sizes: readonly number[],
): readonly NumberFormat[] {
  const all = types.length === 1 ? sizes.map(() => types[0]!) : types;
  if (all.length !== sizes.length || sizes.length === 0)
    throw new UsageError(
      `expected \`--print\` once, or once for each argument with memory (${sizes.length}), found it ${types.length} times`,
    );
  for (const [i, { type }] of all.entries()) {
    if (sizes[i]! % bytesOf(type) !== 0)
      throw new UsageError(
        `expected memory of whole ${type} values for \`--print\`, found ${sizes[i]} bytes`,
      );
  }
  return all;
}

/** Numbers as text that parses to the same value. */
export function numbersOf(bytes: Uint8Array, { type, most }: NumberFormat): string[] {
  const end = Math.min(bytes.length, most * bytesOf(type));
  const values = new ELEMENTS[type](bytes.slice(0, end).buffer);
  if (type !== "f32" && type !== "f64") return Array.from(values, (value: number | bigint) => `${value}`);
  const bits = type === "f32" ? new Uint32Array(values.buffer) : new BigUint64Array(values.buffer);
  return Array.from(bits, (value: number | bigint) => valueText(BigInt(value), type));
}
