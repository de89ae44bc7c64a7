// A linear model as bytes.
import { Parts } from "../model/arena.js";
import { between, damaged, isCount, packModel, type SavedForm, SavedReader } from "../model/format.js";
import { LEAST_DIAGONAL, MOST_ENTRY, placeLinear } from "./layout.js";
import { CHECKS } from "./options.js";

/** What a linear model is besides its factor. */
export interface LinearState {
  readonly columns: number;
  readonly features: number;
  readonly seed: number;
  readonly ridge: number;
  readonly warmup: number;
  /** The number of rows that were learned. */
  learned: number;
}

const FORM: SavedForm = {
  kind: "linear",
  checks: { ...CHECKS, learned: isCount(1) },
  isScaled: true,
};

export const packLinear = (
  state: LinearState,
  scaling: Float64Array,
  factor: Uint32Array,
): Uint8Array<ArrayBuffer> => packModel(FORM, state, [factor], scaling);

/** @throws LearnError INVALID_ARGUMENT, BAD_MODEL */
export function unpackLinear(bytes: unknown) {
  const reader = new SavedReader<LinearState>(FORM, bytes);
  const { state, scaling } = reader;
  const { features } = state;
  const { height } = placeLinear(new Parts(), state);
  const factor = reader.block((features + 1) * height);
  reader.end();
  checkFactor(factor, features, height);
  return { state, scaling, factor };
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
