// What buffers contain before a launch.
import { Random } from "@mm-ptx/stack/random";
import { DataError } from "./data-error.js";
import { type BufferArgument, type ElementType, MOST_ELEMENTS } from "./state.js";

export type Elements =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>;

/** Makes an array of zeros. */
export const ARRAYS: Readonly<Record<ElementType, (length: number) => Elements>> = {
  f32: (length) => new Float32Array(length),
  f64: (length) => new Float64Array(length),
  s32: (length) => new Int32Array(length),
  u32: (length) => new Uint32Array(length),
};

/**
 * The content of a buffer. CSV that is shorter than the buffer is followed by zeros.
 *
 * @throws DataError
 */
export async function contentOf({ type, length, fill, name }: BufferArgument): Promise<Elements> {
  const elements = ARRAYS[type](Math.min(length, MOST_ELEMENTS));
  if (fill.from === "range") {
    const step = (fill.last - fill.first) / Math.max(1, length - 1);
    for (let i = 0; i < length; i++) elements[i] = fill.first + i * step;
  } else if (fill.from === "noise") {
    const random = new Random(fill.seed);
    for (let i = 0; i < length; i++) elements[i] = fill.low + random.fraction() * (fill.high - fill.low);
  } else if (fill.from === "csv") {
    const { csvNumbers } = await import("./csv.js");
    try {
      elements.set(csvNumbers(fill.text).subarray(0, length));
    } catch (error) {
      throw error instanceof DataError ? new DataError(`data of \`${name}\`: ${error.message}`) : error;
    }
  }
  return elements;
}
