// A multilayer perceptron as bytes.
import { type Checks, isNumber, isWhole } from "@mm-ptx/types/internal";
import { type Arena, Parts } from "../model/arena.js";
import { damaged, isCount, packModel, type SavedForm, SavedReader } from "../model/format.js";
import { type Activation, type MlpPlaces, placeMlp, savedBlocks } from "./layout.js";
import { ACTIVATIONS, CHECKS, MOST_WIDTH } from "./options.js";

/** What a multilayer perceptron is besides its parameters. */
export interface MlpState {
  readonly columns: number;
  /** The widths of the hidden layers; the second is 0 if there is one. */
  readonly first: number;
  readonly second: number;
  readonly activation: Activation;
  readonly rate: number;
  readonly batch: number;
  readonly seed: number;
  /** The steps so far, and the rows that `fit` has drawn. */
  steps: number;
  drawn: number;
  /** The powers of the decays of the steps so far. */
  firstPower: number;
  secondPower: number;
}

const isPower = isNumber(0, 1);
const FORM: SavedForm = {
  kind: "mlp",
  checks: {
    columns: CHECKS.columns,
    first: isWhole(1, MOST_WIDTH),
    second: isWhole(0, MOST_WIDTH),
    ...(CHECKS as Checks),
    steps: isCount(1),
    drawn: isCount(0),
    firstPower: isPower,
    secondPower: isPower,
  },
  words: { activation: ACTIVATIONS },
  isScaled: true,
};

/** No parameter is larger: a step is less than 1, and lost in the rounding of such a parameter. */
const MOST_PARAMETER = 2 ** 24;
/**
 * The mean of gradients is at most this many times the root of their mean square, which is 7.3 without rounding, apart from gradients
 * whose squares are too small for f32.
 */
const MOST_MEAN = 8;
const LEAST_MEAN = 1e-20;

export const packMlp = (
  state: MlpState,
  places: MlpPlaces,
  scaling: Float64Array,
  arena: Arena,
): Uint8Array<ArrayBuffer> => packModel(FORM, state, savedBlocks(arena, places), scaling);

/** The widths of the hidden layers. */
export const widthsOf = ({ first, second }: MlpState): number[] => (second === 0 ? [first] : [first, second]);

/** @throws LearnError INVALID_ARGUMENT, BAD_MODEL */
export function unpackMlp(bytes: unknown) {
  const reader = new SavedReader<MlpState>(FORM, bytes);
  const { state, scaling } = reader;
  const { columns, batch } = state;
  const { count } = placeMlp(new Parts(), { columns, hidden: widthsOf(state), batch });
  const blocks = [0, 1, 2].map(() => reader.block(count));
  reader.end();
  checkParameters(blocks);
  return { state, scaling, blocks };
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
