// The passes of a multilayer perceptron over a batch: forward, backward, and the step of its parameters.
import type { Arena } from "../model/arena.js";
import { normalAt } from "../random.js";
import {
  type Activation,
  FIRST_DECAY,
  type Layer,
  type MlpKernels,
  type MlpPlaces,
  SECOND_DECAY,
} from "./layout.js";

export class Network {
  readonly #arena: Arena;
  readonly #kernels: MlpKernels;
  readonly #activation: Activation;
  readonly places: MlpPlaces;
  /** The powers of the decays of the steps so far. */
  firstPower = 1;
  secondPower = 1;

  constructor(arena: Arena, kernels: MlpKernels, places: MlpPlaces, activation: Activation) {
    this.#arena = arena;
    this.#kernels = kernels;
    this.places = places;
    this.#activation = activation;
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

  /** The index of the output of row 0; those of the other rows follow at the distance `outputStride`. */
  get output(): number {
    return this.#last.activations >> 2;
  }

  get outputStride(): number {
    return this.#last.stride;
  }

  /** Where the errors of the outputs are written, at the same distances. */
  get outputErrors(): number {
    return this.#last.errors >> 2;
  }

  get #last(): Layer {
    return this.places.layers[this.places.layers.length - 1]!;
  }

  /** Scales the rows of the input, given where the mean and the deviation of each column are. */
  scale(rows: number, columns: number, statistics: number): void {
    this.#kernels.scale(this.places.input, rows, columns, statistics);
  }

  forward(rows: number): void {
    const { layers } = this.places;
    let from = this.places.input;
    for (let index = 0; index < layers.length; index++) {
      const { inputs, inputStride, weights, biases, activations, stride } = layers[index]!;
      this.#kernels.affine(from, inputStride, inputs, weights, biases, activations, stride, rows);
      if (index < layers.length - 1) this.#activate(activations, rows * stride);
      from = activations;
    }
  }

  /** The gradients of all parameters, given the errors of the outputs. */
  backward(rows: number): void {
    const { layers } = this.places;
    for (let index = layers.length - 1; index >= 0; index--) {
      const layer = layers[index]!;
      const { inputs, inputStride, outputs, stride, errors } = layer;
      const before = layers[index - 1];
      const from = before === undefined ? this.places.input : before.activations;
      const { gradients, biasGradients } = layer;
      this.#kernels.products(from, inputStride, inputs, errors, stride, rows, -1, gradients, false);
      this.#kernels.sumRows(errors, stride, rows, biasGradients);
      if (before === undefined) return;
      this.#kernels.transpose(layer.weights, inputs, stride, layer.transposed, inputStride);
      this.#kernels.affine(errors, stride, outputs, layer.transposed, -1, before.errors, inputStride, rows);
      if (this.#activation === "tanh") {
        this.#kernels.tanhSlope(before.errors, before.activations, rows * inputStride);
      } else this.#kernels.reluSlope(before.errors, before.activations, rows * inputStride);
    }
  }

  /** A step of Adam. */
  descend(rate: number): void {
    const { parameters, gradients, firstMoments, secondMoments, count } = this.places;
    this.firstPower *= FIRST_DECAY;
    this.secondPower *= SECOND_DECAY;
    const corrected = (rate * Math.sqrt(1 - this.secondPower)) / (1 - this.firstPower);
    this.#kernels.adam(parameters, gradients, firstMoments, secondMoments, count, corrected);
  }

  #activate(values: number, count: number): void {
    if (this.#activation === "tanh") this.#kernels.tanh(values, count);
    else this.#kernels.relu(values, count);
  }
}
