// A linear model as bytes.
import type { Check } from "@mm-ptx/types/internal";
import { Parts } from "../model/arena.js";
import { damaged, packModel, SavedReader, savedOptions, whole } from "../model/format.js";
import { placeLinear } from "./layout.js";
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
  return { options, learned, scaling, factor };
}
