// What buffers contain before a launch.
import { Random } from "@mm-ptx/stack/random";
import { DataError } from "./data-error.js";
import { type BufferArgument, type ElementType, MOST_ELEMENTS } from "./state.js";

/** The elements of a buffer. */
export type Elements =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>;

/** The arrays that hold elements of each type. */
export const ARRAYS = {
  f32: Float32Array,
  f64: Float64Array,
  s8: Int8Array,
  u8: Uint8Array,
  s16: Int16Array,
  u16: Uint16Array,
  s32: Int32Array,
  u32: Uint32Array,
  s64: BigInt64Array,
  u64: BigUint64Array,
} as const satisfies Readonly<Record<ElementType, unknown>>;

/** The content of a buffer. */
export interface Content {
  readonly elements: Elements;
  /** Sentences about data that the buffer does not hold as it was written. */
  readonly notes: readonly string[];
}

/**
 * The content of a buffer. CSV that is shorter than the buffer is followed by zeros.
 *
 * @throws DataError
 */
export async function contentOf({ type, length, fill, name }: BufferArgument): Promise<Content> {
  const count = Math.min(length, MOST_ELEMENTS);
  const values = new Float64Array(count);
  const notes: string[] = [];
  if (fill.from === "range") {
    const step = (fill.last - fill.first) / Math.max(1, count - 1);
    for (let i = 0; i < count; i++) values[i] = fill.first + i * step;
  } else if (fill.from === "noise") {
    const random = new Random(fill.seed);
    for (let i = 0; i < count; i++) values[i] = fill.low + random.fraction() * (fill.high - fill.low);
  } else if (fill.from === "csv") {
    const { csvNumbers } = await import("./csv.js");
    try {
      const numbers = await csvNumbers(fill.text);
      values.set(numbers.subarray(0, count));
      if (numbers.length > count) {
        notes.push(`\`${name}\` holds the first ${count} of the ${numbers.length} numbers of its CSV.`);
      }
    } catch (error) {
      throw error instanceof DataError ? new DataError(`data of \`${name}\`: ${error.message}`) : error;
    }
  }
  const elements = elementsOf(type, values);
  // Ranges and random numbers of integers are rounded as a matter of course, but numbers of CSV are the reader's own.
  const isExact = type.startsWith("f") || fill.from === "zeros";
  if (!isExact) notes.push(...changed(name, type, values, elements, fill.from === "csv"));
  return { elements, notes };
}

function elementsOf(type: ElementType, values: Float64Array): Elements {
  if (type !== "s64" && type !== "u64") return ARRAYS[type].from(values);
  const elements = new ARRAYS[type](values.length);
  for (const [i, value] of values.entries()) {
    if (Number.isFinite(value)) elements[i] = BigInt(Math.trunc(value));
  }
  return elements;
}

/** A sentence about values that became others because of their type; fractions only count if they are the reader's own. */
function changed(
  name: string,
  type: ElementType,
  values: Float64Array,
  elements: Elements,
  fractions: boolean,
) {
  let count = 0;
  let first = -1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (Number(elements[i]) === (fractions ? value : Math.trunc(value))) continue;
    count++;
    if (first < 0) first = i;
  }
  if (count === 0) return [];
  const what = count === 1 ? "One value" : `${count} values`;
  return [
    `${what} of \`${name}\` ${count === 1 ? "does" : "do"} not fit ${type}: ${values[first]} became ${elements[first]}.`,
  ];
}
