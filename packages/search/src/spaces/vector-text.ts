// Vectors as text: numbers with commas between them.
import { invalid } from "../options.js";

/** The shortest decimal numbers that are these f32. */
export const vectorText = (values: Float32Array): string => Array.from(values, shortest).join(", ");

/** The numbers of a text. @throws SearchError INVALID_ARGUMENT */
export function parseVector(text: string): Float32Array<ArrayBuffer> {
  const parts = text.split(",").map((part) => part.trim());
  return Float32Array.from(parts, (part) => {
    const value = Math.fround(Number(part));
    if (part === "" || !Number.isFinite(value)) throw invalid("numbers with commas between them", part);
    return value;
  });
}

const MOST_DIGITS = 9;

function shortest(value: number): string {
  if (Object.is(value, -0)) return "-0";
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(MOST_DIGITS)));
}
