// A linear model as bytes.
import { Parts } from "../model/arena.js";
import { between, damaged, packModel, SavedReader, whole } from "../model/format.js";
import { placeLinear } from "./layout.js";
import type { LinearState } from "./linear.js";

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
export function unpackLinear(bytes: unknown) {
  const reader = new SavedReader("linear", bytes, (columns) => NUMBERS + 2 * (columns! + 1));
  const [columns, features, seed, ridge, warmup, learned] = reader.numbers as Six;
  whole("columns", columns, 1, 4096);
  whole("features", features, 2, 1024);
  whole("a seed", seed, 0, 2 ** 32 - 1);
  between("a ridge", ridge, 2 ** -20, 2 ** 20);
  whole("rows of a warm-up", warmup, 1, 4096);
  whole("rows", learned, 1, Number.MAX_SAFE_INTEGER);
  const scaling = reader.numbers.slice(NUMBERS);
  if (!scaling.every(Number.isFinite)) throw damaged("finite statistics", "a NaN or an infinity");
  const { height } = placeLinear(new Parts(), { columns, features });
  const factor = reader.block((features + 1) * height);
  reader.end();
  const entries = new Float32Array(factor.slice().buffer);
  if (!entries.every(Number.isFinite)) throw damaged("a finite factor", "a NaN or an infinity");
  for (let feature = 0; feature < features; feature++) {
    const diagonal = entries[feature * (height + 1)]!;
    if (!(diagonal > 0)) throw damaged(`a positive diagonal in column ${feature} of the factor`, diagonal);
  }
  const state: LinearState = { columns, features, seed, ridge, warmup, learned };
  return { state, scaling, factor };
}
