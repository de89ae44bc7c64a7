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
/** No parameter is larger: a step is less than 1, and lost in the rounding of such a parameter. */
const MOST_PARAMETER = 2 ** 24;
/**
 * The mean of gradients is at most this many times the root of their mean square, which is 7.3 without rounding, apart from gradients
 * whose squares are too small for f32.
 */
const MOST_MEAN = 8;
const LEAST_MEAN = 1e-20;

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
  const blocks = [0, 1, 2].map(() => reader.block(count));
  reader.end();
  checkParameters(blocks);
  return { options, state: { steps: steps!, drawn: drawn! }, firstPower, secondPower, scaling, blocks };
}

/** Only numbers that steps of Adam lead to are taken: backends do not compute the same with the NaNs that others end in. */
function checkParameters(blocks: readonly Uint32Array[]): void {
  const [parameters, means, squares] = blocks.map((block) => new Float32Array(block.slice().buffer));
  const areLearned = parameters!.every((parameter, index) => {
    const root = Math.sqrt(squares![index]!);
    const most = MOST_MEAN * root + LEAST_MEAN;
    return Math.abs(parameter) <= MOST_PARAMETER && Math.abs(means![index]!) <= most && root < Infinity;
  });
  if (!areLearned) throw damaged("learned parameters", "others");
}
