// The operations of a multilayer perceptron in JavaScript. Each is rounded to f32, in the order of assembly/mlp.ts.
import type { Arena } from "../model/arena.js";
import { multiply, relu } from "../model/dense.js";
import { useMemory } from "../model/lanes.js";
import { scaleRows } from "../model/scaling.js";
import { EPSILON, FIRST_DECAY, type MlpKernels, SECOND_DECAY } from "./layout.js";

const f = Math.fround;
const FIRST = f(FIRST_DECAY);
const FIRST_REST = f(0.1);
const SECOND = f(SECOND_DECAY);
const SECOND_REST = f(0.001);
const SMALL = f(EPSILON);

export class JavaScriptMlp implements MlpKernels {
  readonly #arena: Arena;
  readonly #f32: Float32Array;

  constructor(arena: Arena) {
    this.#arena = arena;
    this.#f32 = arena.f32;
  }

  scale(rows: number, count: number, columns: number, statistics: number): void {
    scaleRows(this.#arena, rows, count, columns, statistics);
  }

  multiply(...places: Parameters<typeof multiply>): void {
    useMemory(this.#f32);
    multiply(...places);
  }

  transpose(from: number, rows: number, stride: number, to: number, toStride: number): void {
    const f32 = this.#f32;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < stride; column++) {
        f32[(to >> 2) + column * toStride + row] = f32[(from >> 2) + row * stride + column]!;
      }
    }
  }

  tanh(values: number, count: number, constants: number): void {
    const f32 = this.#f32;
    const start = values >> 2;
    const limit = f32[(constants >> 2) + 1]!;
    const numerators = (constants >> 2) + 2;
    const denominators = numerators + 7;
    for (let index = start; index < start + count; index++) {
      const x = Math.max(-limit, Math.min(limit, f32[index]!));
      const square = f(x * x);
      let numerator = f32[numerators]!;
      for (let term = 1; term < 7; term++) numerator = f(f(numerator * square) + f32[numerators + term]!);
      let denominator = f32[denominators]!;
      for (let term = 1; term < 4; term++)
        denominator = f(f(denominator * square) + f32[denominators + term]!);
      f32[index] = f(x * numerator) / denominator;
    }
  }

  relu(values: number, count: number): void {
    useMemory(this.#f32);
    relu(values, count);
  }

  tanhSlope(errors: number, values: number, count: number): void {
    const f32 = this.#f32;
    const [to, from] = [errors >> 2, values >> 2];
    for (let index = 0; index < count; index++) {
      const value = f32[from + index]!;
      f32[to + index] = f32[to + index]! * f(1 - f(value * value));
    }
  }

  reluSlope(errors: number, values: number, count: number): void {
    const f32 = this.#f32;
    const [to, from] = [errors >> 2, values >> 2];
    for (let index = 0; index < count; index++) {
      if (!(f32[from + index]! > 0)) f32[to + index] = 0;
    }
  }

  adam(...[parameters, gradients, first, second, count, rateOfStep]: Parameters<MlpKernels["adam"]>): void {
    const f32 = this.#f32;
    const rate = f(rateOfStep);
    for (let index = 0; index < count; index++) {
      const gradient = f32[(gradients >> 2) + index]!;
      const mean = f(f(FIRST * f32[(first >> 2) + index]!) + f(FIRST_REST * gradient));
      const square = f(f(SECOND * f32[(second >> 2) + index]!) + f(f(SECOND_REST * gradient) * gradient));
      f32[(first >> 2) + index] = mean;
      f32[(second >> 2) + index] = square;
      const step = f(f(rate * mean) / f(f(Math.sqrt(square)) + SMALL));
      f32[(parameters >> 2) + index] = f32[(parameters >> 2) + index]! - step;
    }
  }
}
