// The passes of a multilayer perceptron over a batch: forward, backward, and the step of its parameters.
import type { Arena } from "../model/arena.js";
import { normalAt } from "../random.js";
import {
  type Activation,
  FIRST_DECAY,
  type MlpKernels,
  type MlpPlaces,
  SECOND_DECAY,
  TANH,
} from "./layout.js";
import type { MlpState } from "./saved.js";

export class Network {
  readonly #arena: Arena;
  readonly #kernels: MlpKernels;
  readonly #activation: Activation;
  readonly places: MlpPlaces;
  /** The index of the input. */
  readonly input: number;
  /** The index of the output of the first row of a pass; those of the other rows follow at the distance `outputStride`. */
  readonly output: number;
  readonly outputStride: number;
  /** Where the errors of the outputs are written, at the same distances. */
  readonly outputErrors: number;

  constructor(arena: Arena, kernels: MlpKernels, places: MlpPlaces, activation: Activation) {
    this.#arena = arena;
    this.#kernels = kernels;
    this.places = places;
    this.#activation = activation;
    this.input = places.input >> 2;
    const last = places.layers[places.layers.length - 1]!;
    this.output = last.activations >> 2;
    this.outputStride = last.stride;
    this.outputErrors = last.errors >> 2;
    arena.f32.set([1, ...TANH], places.constants >> 2);
  }

  /** Draws the weights: with variances that keep those of values about equal from layer to layer. */
  draw(seed: number): void {
    const { f32 } = this.#arena;
    const gain = this.#activation === "relu" ? 2 : 1;
    let drawn = 0;
    for (const { inputs, outputs, stride, weights } of this.places.layers) {
      const scale = Math.sqrt(gain / inputs);
      for (let input = 0; input < inputs; input++) {
        for (let output = 0; output < outputs; output++) {
          f32[(weights >> 2) + input * stride + output] = normalAt(seed, drawn++) * scale;
        }
      }
    }
  }

  /** Scales the rows of the input, given where the mean and the deviation of each column are. */
  scale(rows: number, columns: number, statistics: number): void {
    this.#kernels.scale(this.places.input, rows, columns, statistics);
  }

  /** The outputs of the rows of the input, at most `PASS_ROWS` of them. */
  forward(rows: number): void {
    const { layers, constants, input } = this.places;
    let from = input;
    for (let index = 0; index < layers.length; index++) {
      const { inputs, inputStride, weights, activations, stride } = layers[index]!;
      const biases = weights + inputs * stride * 4;
      this.#kernels.multiply(from, inputStride, 1, rows, inputs, weights, stride, biases, activations, false);
      if (index < layers.length - 1) this.#kernels[this.#activation](activations, rows * stride, constants);
      from = activations;
    }
  }

  /** The gradients of the same rows, given the errors of their outputs. @param isMore whether they are added to those of the rows before */
  backward(rows: number, isMore: boolean): void {
    const { layers, constants, parameters } = this.places;
    for (let index = layers.length - 1; index >= 0; index--) {
      const layer = layers[index]!;
      const { inputs, inputStride, outputs, stride, errors, weights, transposed } = layer;
      const gradients = weights - parameters + this.places.gradients;
      const biases = gradients + inputs * stride * 4;
      const before = layers[index - 1];
      const from = before === undefined ? this.places.input : before.activations;
      this.#kernels.multiply(
        from,
        1,
        inputStride,
        inputs,
        rows,
        errors,
        stride,
        isMore ? gradients : -1,
        gradients,
        false,
      );
      this.#kernels.multiply(constants, 0, 0, 1, rows, errors, stride, isMore ? biases : -1, biases, false);
      if (before === undefined) return;
      if (!isMore) this.#kernels.transpose(weights, inputs, stride, transposed, inputStride);
      this.#kernels.multiply(
        errors,
        stride,
        1,
        rows,
        outputs,
        transposed,
        inputStride,
        -1,
        before.errors,
        false,
      );
      const count = rows * inputStride;
      this.#kernels[`${this.#activation}Slope`](before.errors, before.activations, count, constants);
    }
  }

  /** A step of Adam. */
  descend(state: Pick<MlpState, "firstPower" | "rate" | "secondPower">): void {
    const { parameters, gradients, firstMoments, secondMoments, count } = this.places;
    state.firstPower *= FIRST_DECAY;
    state.secondPower *= SECOND_DECAY;
    const corrected = (state.rate * Math.sqrt(1 - state.secondPower)) / (1 - state.firstPower);
    this.#kernels.adam(parameters, gradients, firstMoments, secondMoments, count, corrected);
  }
}
