// The memory of a multilayer perceptron: what each part holds, and where it is.
import { type Arena, type Parts, wordsAt } from "../model/arena.js";

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

/** A layer: its sizes, and the offsets of its parts in bytes. All values are f32. */
export interface Layer {
  readonly inputs: number;
  /** The distance of rows of inputs and outputs, in values. */
  readonly inputStride: number;
  readonly outputs: number;
  readonly stride: number;
  /** `inputs` rows of `stride` weights, then `stride` biases; gradients are at the same places of theirs. */
  readonly weights: number;
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
  let [inputs, inputStride, count] = [columns, columns, 0];
  const shapes = [...hidden, 1].map((outputs) => {
    const stride = Math.ceil(outputs / LANES) * LANES;
    const shape = { inputs, inputStride, outputs, stride, weights: count * 4 };
    count += (inputs + 1) * stride;
    [inputs, inputStride] = [outputs, stride];
    return shape;
  });
  const bytes = 4 * count;
  const rows = 4 * Math.min(batch, PASS_ROWS);
  const before = parts.place({
    ...{ parameters: bytes, gradients: bytes },
    input: rows * columns,
    constants: 4 * (1 + TANH.length),
  });
  const layers = shapes.map((shape, index) => ({
    ...shape,
    weights: before.parameters + shape.weights,
    ...parts.place({
      transposed: index === 0 ? 0 : 4 * shape.stride * shape.inputStride,
      activations: rows * shape.stride,
      errors: rows * shape.stride,
    }),
  }));
  return { count, layers, ...before, ...parts.place({ firstMoments: bytes, secondMoments: bytes }) };
}

/** What is saved, as words. */
export const savedBlocks = (
  arena: Arena,
  { parameters, firstMoments, secondMoments, count }: MlpPlaces,
): Uint32Array[] => [parameters, firstMoments, secondMoments].map((place) => wordsAt(arena, place, count));

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
 * the denominator, which are those of Eigen (MathFunctionsImpl.h), from the highest power to the lowest; with as many digits as f32 has.
 */
export const TANH = [
  ...[7.905311, -2.76076848e-16, 2.000188e-13, -8.604672e-11, 5.1222971e-8, 1.48572236e-5, 6.3726193e-4],
  ...[4.8935246e-3, 1.1982584e-6, 1.1853471e-4, 2.26843463e-3, 4.893525e-3],
];
