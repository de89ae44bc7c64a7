// A multilayer perceptron as bytes.
import type { Check } from "@mm-ptx/types/internal";
import { type Arena, Parts } from "../model/arena.js";
import { between, damaged, entryOf, packModel, SavedReader, savedOptions, whole } from "../model/format.js";
import { checkStatistics } from "../model/scaling.js";
import { type Activation, placeMlp, savedBlocks } from "./layout.js";
import type { MlpOptions, MlpState } from "./mlp.js";
import type { Network } from "./network.js";

const ACTIVATIONS: readonly Activation[] = ["tanh", "relu"];
const NUMBERS = 11;

export function packMlp(
  { columns, hidden, activation, rate, batch, seed, steps, drawn }: MlpState,
  { places, firstPower, secondPower }: Network,
  scaling: Float64Array,
  { u32 }: Arena,
): Uint8Array<ArrayBuffer> {
  return packModel("mlp", {
    numbers: [
      ...[columns, hidden[0]!, hidden[1] ?? 0, ACTIVATIONS.indexOf(activation), rate, batch, seed],
      ...[steps, drawn, firstPower, secondPower, ...scaling],
    ],
    blocks: savedBlocks(u32, places),
  });
}

/** @throws LearnError INVALID_ARGUMENT, BAD_MODEL */
export function unpackMlp(bytes: unknown, checks: Readonly<Record<keyof MlpOptions, Check>>) {
  const reader = new SavedReader("mlp", bytes, (columns) => NUMBERS + 2 * (columns + 1));
  const [columns, first, second, kind, rate, batch, seed, steps, drawn, firstPower, secondPower] =
    reader.numbers as number[];
  const activation = entryOf("a kind of activation", ACTIVATIONS, kind!);
  const hidden = second === 0 ? [first!] : [first!, second!];
  const options = { columns: columns!, hidden, activation, rate: rate!, batch: batch!, seed: seed! };
  savedOptions<MlpOptions>(options, checks);
  whole("steps", steps!, 1, Number.MAX_SAFE_INTEGER);
  whole("drawn rows", drawn!, 0, Number.MAX_SAFE_INTEGER);
  between("a power of a decay", firstPower!, 0, 1);
  between("a power of a decay", secondPower!, 0, 1);
  const scaling = reader.numbers.slice(NUMBERS);
  checkStatistics(scaling);
  const { count } = placeMlp(new Parts(), options);
  const blocks = [0, 1, 2].map(() => finiteBlock(reader, count));
  reader.end();
  return { options, state: { steps: steps!, drawn: drawn! }, firstPower, secondPower, scaling, blocks };
}

function finiteBlock(reader: SavedReader, count: number): Uint32Array {
  const block = reader.block(count);
  if (new Float32Array(block.slice().buffer).every(Number.isFinite)) return block;
  throw damaged("finite parameters", "a NaN or an infinity");
}
