// The memory of a multilayer perceptron: what each part holds, and where it is.
import type { Parts } from "../model/arena.js";

/** What the neurons of the hidden layers compute from their sums. */
export type Activation = "relu" | "tanh";

/** The sizes of a model. */
export interface MlpShape {
  readonly columns: number;
  readonly hidden: readonly number[];
  /** The most rows of a step. */
  readonly batch: number;
}

/** Values of a vector; rows of weights and activations are rounded up to these. */
const LANES = 4;
/** All layers take as many rows at once, so that what one leaves is in the nearest cache for the next, and memory for it is small. */
export const PASS_ROWS = 64;
const rounded = (count: number): number => Math.ceil(count / LANES) * LANES;

/** A layer: its sizes, and the offsets of its parts in bytes. All values are f32. */
export interface Layer {
  readonly inputs: number;
  /** The distance of rows of inputs and outputs, in values. */
  readonly inputStride: number;
  readonly outputs: number;
  readonly stride: number;
  /** `inputs` rows of `stride` weights, then `stride` biases; gradients at the same places of theirs. */
  readonly weights: number;
  readonly biases: number;
  readonly gradients: number;
  readonly biasGradients: number;
  /** The weights, row for column, if the layer passes errors to another one. */
  readonly transposed: number;
  /** A row of outputs for each row of a pass, and the errors of these. */
  readonly activations: number;
  readonly errors: number;
}

/** The offsets of all parts, in bytes. */
export interface MlpPlaces {
  /** The rows of a pass. */
  readonly input: number;
  /** 1, and the constants of `TANH`. */
  readonly constants: number;
  readonly layers: readonly Layer[];
  /** All parameters, their gradients and the two moments of these: `count` values each. */
  readonly parameters: number;
  readonly gradients: number;
  readonly firstMoments: number;
  readonly secondMoments: number;
  readonly count: number;
}

export function placeMlp(parts: Parts, { columns, hidden, batch }: MlpShape): MlpPlaces {
  const widths = [columns, ...hidden, 1];
  const strides = widths.map((width, index) => (index === 0 ? width : rounded(width)));
  const sizes = hidden.concat(1).map((_, index) => (widths[index]! + 1) * strides[index + 1]!);
  const count = sizes.reduce((sum, size) => sum + size, 0);
  const parameters = parts.add(count, 4);
  const gradients = parts.add(count, 4);
  const rows = Math.min(batch, PASS_ROWS);
  const input = parts.add(rows * columns, 4);
  const constants = parts.add(1 + TANH.length, 4);
  let offset = 0;
  const layers = sizes.map((size, index): Layer => {
    const inputs = widths[index]!;
    const stride = strides[index + 1]!;
    const biases = offset + inputs * stride * 4;
    const layer = {
      ...{ inputs, inputStride: strides[index]!, outputs: widths[index + 1]!, stride },
      weights: parameters + offset,
      biases: parameters + biases,
      gradients: gradients + offset,
      biasGradients: gradients + biases,
      transposed: parts.add(index === 0 ? 0 : stride * strides[index]!, 4),
      activations: parts.add(rows * stride, 4),
      errors: parts.add(rows * stride, 4),
    };
    offset += size * 4;
    return layer;
  });
  return {
    ...{ input, constants, layers, parameters, gradients, count },
    firstMoments: parts.add(count, 4),
    secondMoments: parts.add(count, 4),
  };
}

/** What is saved, as words. */
export const savedBlocks = (
  words: Uint32Array,
  { parameters, firstMoments, secondMoments, count }: MlpPlaces,
): Uint32Array[] =>
  [parameters, firstMoments, secondMoments].map((place) => words.subarray(place >> 2, (place >> 2) + count));

/** What computes, with offsets in bytes and sizes in values. Both backends leave the same bits in the memory. */
export interface MlpKernels {
  /** Scales consecutive rows in place, given where the mean and the deviation of each column are. */
  scale(rows: number, count: number, columns: number, statistics: number): void;
  /** The product of `model/dense.ts`. */
  multiply(
    from: number,
    apart: number,
    step: number,
    rows: number,
    terms: number,
    others: number,
    stride: number,
    biases: number,
    to: number,
    isHalf: boolean,
  ): void;
  /** Writes `rows` rows of `stride` values as columns that are `toStride` values apart. */
  transpose(from: number, rows: number, stride: number, to: number, toStride: number): void;
  tanh(values: number, count: number, constants: number): void;
  relu(values: number, count: number, constants: number): void;
  /** Multiplies errors by the slope of the activation, given its values. */
  tanhSlope(errors: number, values: number, count: number, constants: number): void;
  reluSlope(errors: number, values: number, count: number, constants: number): void;
  /** A step of Adam for `count` parameters. */
  adam(
    parameters: number,
    gradients: number,
    first: number,
    second: number,
    count: number,
    rate: number,
  ): void;
}

/** The decay of the moments, and what is added to the root of the second (Kingma and Ba, "Adam", 2015). */
export const FIRST_DECAY = 0.9;
export const SECOND_DECAY = 0.999;
export const EPSILON = 1e-8;

/**
 * tanh as a rational function of degree 13 / 6 with f32 coefficients: the limit of its values, then the coefficients of the numerator and of
 * the denominator, which are those of Eigen (MathFunctionsImpl.h), from the highest power to the lowest.
 */
export const TANH = [
  ...[7.905311107635498],
  ...[-2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-8],
  ...[1.48572235717979e-5, 6.37261928875436e-4, 4.89352455891786e-3],
  ...[1.19825839466702e-6, 1.18534705686654e-4, 2.268434632439e-3, 4.89352518554385e-3],
];
