// The distribution of CMA-ES and how it learns (Hansen, "The CMA evolution strategy: a tutorial", arXiv 1604.00772).
import { exp2, log2 } from "@mm-ptx/types/internal/floats";
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import type { Draws } from "../draws.js";
import { normal } from "../normal.js";
import { numberOf, numbersOf } from "../parts.js";
import type { PartState } from "../plain.js";

const WORST_CONDITION = 1e14;
const LEAST_WIDTH = 1e-11;
/** Near the greatest f32. */
const MOST_WIDTH = 1e37;

/** How much each parent counts, and the learning rates that follow from that. */
interface Rates {
  readonly weights: Float64Array;
  readonly effective: number;
  readonly path: number;
  readonly step: number;
  readonly one: number;
  readonly many: number;
}

/** A multivariate normal distribution that moves towards the best of its samples. */
export class CmaDistribution {
  readonly dimensions: number;
  readonly mean: Float64Array;
  /** The covariance matrix, row by row, and its eigenvectors, each in a column, and the roots of its eigenvalues. */
  readonly #covariance: Float64Array;
  readonly #basis: Float64Array;
  readonly #roots: Float64Array;
  /** The paths of the mean, for the covariance and for the step size. */
  readonly #path: Float64Array;
  readonly #stepPath: Float64Array;
  #sigma = 1;
  #evaluations = 0;
  /** How many samples had been evaluated when the eigenvectors were computed. */
  #decomposed = 0;
  readonly #scratch: Float64Array;
  readonly #rotated: Float64Array;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.mean = new Float64Array(dimensions);
    this.#covariance = new Float64Array(dimensions * dimensions);
    this.#basis = new Float64Array(dimensions * dimensions);
    this.#roots = new Float64Array(dimensions);
    this.#path = new Float64Array(dimensions);
    this.#stepPath = new Float64Array(dimensions);
    this.#scratch = new Float64Array(dimensions);
    this.#rotated = new Float64Array(dimensions);
  }

  /** Begins at a vector, with the same variance in all directions. */
  begin(mean: ArrayLike<number>, sigma: number): void {
    const { dimensions } = this;
    this.mean.set(mean);
    this.#sigma = sigma;
    this.#evaluations = 0;
    this.#decomposed = 0;
    this.#path.fill(0);
    this.#stepPath.fill(0);
    this.#roots.fill(1);
    this.#covariance.fill(0);
    for (let axis = 0; axis < dimensions; axis++) this.#covariance[axis * dimensions + axis] = 1;
    this.#basis.set(this.#covariance);
  }

  /** Computes the eigenvectors again if the covariance has changed enough for batches of this size. */
  prepare(batch: number): void {
    const { dimensions } = this;
    const { one, many } = ratesFor(Math.max(1, Math.floor(batch / 2)), dimensions);
    const patience = (0.5 * batch) / ((one + many) * dimensions);
    if (this.#evaluations <= this.#decomposed + patience) return;
    const matrix = Matrix.zeros(dimensions, dimensions);
    for (let row = 0; row < dimensions; row++) {
      for (let column = 0; column < dimensions; column++) {
        matrix.set(row, column, this.#covariance[row * dimensions + column]!);
      }
    }
    // ml-matrix decomposes symmetric matrices with + - * / and square roots alone, so all machines find the same.
    const { eigenvectorMatrix, realEigenvalues } = new EigenvalueDecomposition(matrix, {
      assumeSymmetric: true,
    });
    for (let row = 0; row < dimensions; row++) {
      this.#roots[row] = Math.sqrt(Math.abs(realEigenvalues[row]!));
      for (let column = 0; column < dimensions; column++) {
        this.#basis[row * dimensions + column] = eigenvectorMatrix.get(row, column);
      }
    }
    this.#decomposed = this.#evaluations;
  }

  /** Writes a sample. */
  sample(draws: Draws, values: Float32Array, start: number): void {
    const { dimensions, mean } = this;
    const basis = this.#basis;
    const scaled = this.#scratch;
    for (let axis = 0; axis < dimensions; axis++)
      scaled[axis] = this.#sigma * this.#roots[axis]! * normal(draws);
    for (let row = 0, at = 0; row < dimensions; row++) {
      let sum = mean[row]!;
      for (let column = 0; column < dimensions; column++) sum += basis[at++]! * scaled[column]!;
      values[start + row] = sum;
    }
  }

  /**
   * Learns from samples.
   * @param vectors all samples, one after the other
   * @param order the indices of the samples, the best first, of which the first `parents` count
   */
  learn(vectors: Float64Array, order: ArrayLike<number>, parents: number): void {
    const { dimensions, mean } = this;
    const count = order.length;
    this.#evaluations += count;
    if (parents === 0) return;
    const rates = ratesFor(parents, dimensions);
    const { weights } = rates;
    const sigma = this.#sigma;
    const steps = new Float64Array(parents * dimensions);
    const step = new Float64Array(dimensions);
    for (let parent = 0; parent < parents; parent++) {
      const from = order[parent]! * dimensions;
      for (let axis = 0; axis < dimensions; axis++) {
        const each = (vectors[from + axis]! - mean[axis]!) / sigma;
        steps[parent * dimensions + axis] = each;
        step[axis] = step[axis]! + weights[parent]! * each;
      }
    }
    for (let axis = 0; axis < dimensions; axis++) mean[axis] = mean[axis]! + sigma * step[axis]!;
    const length = this.#followStep(step, rates);
    const hasRoom = this.#hasRoom(length, rates, count);
    this.#followCovariance(step, steps, rates, hasRoom);
    const damping = 1 + 2 * Math.max(0, Math.sqrt((rates.effective - 1) / (dimensions + 1)) - 1) + rates.step;
    const growth = Math.min(1, ((rates.step / damping) * (length / dimensions - 1)) / 2);
    this.#sigma = sigma * exp2(growth / Math.LN2);
  }

  /** Whether there is nothing more to learn: the distribution is too flat, too small, or too large. */
  isExhausted(): boolean {
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (const root of this.#roots) {
      least = Math.min(least, root);
      most = Math.max(most, root);
    }
    const width = this.#sigma * most;
    return !(width >= LEAST_WIDTH && width <= MOST_WIDTH && most * most <= WORST_CONDITION * least * least);
  }

  state(): PartState {
    return {
      values: { sigma: this.#sigma, evaluations: this.#evaluations, decomposed: this.#decomposed },
      arrays: {
        mean: this.mean.slice(),
        covariance: this.#covariance.slice(),
        basis: this.#basis.slice(),
        roots: this.#roots.slice(),
        path: this.#path.slice(),
        stepPath: this.#stepPath.slice(),
      },
    };
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const { dimensions } = this;
    this.#sigma = numberOf(state, "sigma");
    this.#evaluations = numberOf(state, "evaluations");
    this.#decomposed = numberOf(state, "decomposed");
    this.mean.set(numbersOf(state, "mean", dimensions));
    this.#covariance.set(numbersOf(state, "covariance", dimensions * dimensions));
    this.#basis.set(numbersOf(state, "basis", dimensions * dimensions));
    this.#roots.set(numbersOf(state, "roots", dimensions));
    this.#path.set(numbersOf(state, "path", dimensions));
    this.#stepPath.set(numbersOf(state, "stepPath", dimensions));
  }

  /** Moves the path of the step size, and returns the square of its length. */
  #followStep(step: Float64Array, { step: rate, effective }: Rates): number {
    const { dimensions } = this;
    const [basis, rotated] = [this.#basis, this.#rotated];
    // The inverse of the root of the covariance times the step.
    for (let column = 0; column < dimensions; column++) {
      let sum = 0;
      for (let row = 0; row < dimensions; row++) sum += basis[row * dimensions + column]! * step[row]!;
      rotated[column] = sum / this.#roots[column]!;
    }
    const factor = Math.sqrt(rate * (2 - rate) * effective);
    let length = 0;
    for (let row = 0, at = 0; row < dimensions; row++) {
      let sum = 0;
      for (let column = 0; column < dimensions; column++) sum += basis[at++]! * rotated[column]!;
      const each = (1 - rate) * this.#stepPath[row]! + factor * sum;
      this.#stepPath[row] = each;
      length += each * each;
    }
    return length;
  }

  /** Whether the path is not longer than that of a random walk, so that the covariance may follow it. */
  #hasRoom(length: number, { step }: Rates, count: number): boolean {
    const { dimensions } = this;
    const kept = exp2(log2(1 - step) * ((2 * this.#evaluations) / count));
    return length / dimensions / (1 - kept) < 2 + 4 / (dimensions + 1);
  }

  #followCovariance(step: Float64Array, steps: Float64Array, rates: Rates, hasRoom: boolean): void {
    const { dimensions } = this;
    const { weights, path: rate, one, many, effective } = rates;
    const path = this.#path;
    const factor = hasRoom ? Math.sqrt(rate * (2 - rate) * effective) : 0;
    for (let axis = 0; axis < dimensions; axis++)
      path[axis] = (1 - rate) * path[axis]! + factor * step[axis]!;
    const keptOne = one * (hasRoom ? 1 : 1 - rate * (2 - rate));
    const kept = 1 - keptOne - many;
    const covariance = this.#covariance;
    const rows = new Float64Array(dimensions);
    for (let row = 0; row < dimensions; row++) {
      rows.fill(0);
      for (let parent = 0; parent < weights.length; parent++) {
        const from = parent * dimensions;
        const factor = weights[parent]! * steps[from + row]!;
        for (let column = 0; column <= row; column++)
          rows[column] = rows[column]! + factor * steps[from + column]!;
      }
      for (let column = 0; column <= row; column++) {
        const at = row * dimensions + column;
        const value = kept * covariance[at]! + one * path[row]! * path[column]! + many * rows[column]!;
        covariance[at] = value;
        covariance[column * dimensions + row] = value;
      }
    }
  }
}

/** The rates for a number of parents. */
function ratesFor(parents: number, dimensions: number): Rates {
  const weights = Float64Array.from(
    { length: parents },
    (_, parent) => log2(parents + 0.5) - log2(parent + 1),
  );
  let total = 0;
  for (const weight of weights) total += weight;
  let squares = 0;
  for (let parent = 0; parent < parents; parent++) {
    weights[parent] = weights[parent]! / total;
    squares += weights[parent]! * weights[parent]!;
  }
  const effective = 1 / squares;
  const one = 2 / ((dimensions + 1.3) * (dimensions + 1.3) + effective);
  const many = (2 * (effective - 2 + 1 / effective)) / ((dimensions + 2) * (dimensions + 2) + effective);
  return {
    weights,
    effective,
    path: (4 + effective / dimensions) / (dimensions + 4 + (2 * effective) / dimensions),
    step: (effective + 2) / (dimensions + effective + 5),
    one,
    many: Math.min(1 - one, many),
  };
}
