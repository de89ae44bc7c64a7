// A linear model as bytes.
import type { Check } from "@mm-ptx/types/internal";
import { Parts } from "../model/arena.js";
import { between, damaged, packModel, SavedReader, savedOptions, whole } from "../model/format.js";
import { checkStatistics } from "../model/scaling.js";
import { LEAST_DIAGONAL, MOST_ENTRY, placeLinear } from "./layout.js";
import type { LinearOptions, LinearState } from "./linear.js";

const NUMBERS = 6;
type Six = [number, number, number, number, number, number];

export function packLinear(
  state: LinearState,
  scaling: Float64Array,
  factor: Uint32Array,
): Uint8Array<ArrayBuffer> {
  const { columns, features, seed, ridge, warmup, learned } = state;
  return packModel("linear", {
    numbers: [columns, features, seed, ridge, warmup, learned, ...scaling],
    blocks: [factor],
  });
}

/** @throws LearnError INVALID_ARGUMENT, BAD_MODEL */
export function unpackLinear(bytes: unknown, checks: Readonly<Record<keyof LinearOptions, Check>>) {
  const reader = new SavedReader("linear", bytes, (columns) => NUMBERS + 2 * (columns! + 1));
  const [columns, features, seed, ridge, warmup, learned] = reader.numbers as Six;
  const options = { columns, features, seed, ridge, warmup };
  savedOptions<LinearOptions>(options, checks);
  whole("rows", learned, 1, Number.MAX_SAFE_INTEGER);
  const scaling = reader.numbers.slice(NUMBERS);
  checkStatistics(scaling);
  const { height } = placeLinear(new Parts(), { columns, features });
  const factor = reader.block((features + 1) * height);
  reader.end();
  checkFactor(factor, features, height);
  return { options, learned, scaling, factor };
}

/**
 * Only a lower triangle within the limits of factors is taken, without a -0 on its diagonal: backends do not compute the same with what is
 * outside, and signs of the diagonal reach it.
 */
function checkFactor(words: Uint32Array, features: number, height: number): void {
  const entries = new Float32Array(words.slice().buffer);
  for (let column = 0; column <= features; column++) {
    for (let row = 0; row < height; row++) {
      const index = column * height + row;
      const entry = entries[index]!;
      const where = `in column ${column} of the factor`;
      if (row < column || row > features) {
        if (words[index] !== 0) throw damaged(`0 outside the triangle ${where}`, entry);
      } else if (row > column) between(`an entry ${where}`, entry, -MOST_ENTRY, MOST_ENTRY);
      else if (Object.is(entry, -0)) throw damaged(`a positive diagonal ${where}`, "-0");
      else between(`the diagonal ${where}`, entry, column < features ? LEAST_DIAGONAL : 0, MOST_ENTRY);
    }
  }
}
