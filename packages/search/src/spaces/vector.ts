// Vectors of numbers as genomes: one f32 for each dimension.
import type { CodeBuffer } from "@mm-ptx/types/code";
import { murmur128Into } from "@mm-ptx/types/internal";
import type { Draws } from "../draws.js";
import { normal } from "../normal.js";
import { invalid } from "../options.js";
import type { Plain } from "../plain.js";
import type { Genome, Space } from "./space.js";
import { readVectorOptions, type VectorSettings, type VectorSpaceOptions } from "./vector-options.js";
import { parseVector, vectorText } from "./vector-text.js";

/** The indices of the operators of vector spaces. */
export const VectorOperator = { gaussian: 0, reset: 1, line: 2, crossover: 3 } as const;

const OPERATORS = [
  { name: "gaussian", parents: 1 },
  { name: "reset", parents: 1 },
  { name: "line", parents: 2 },
  { name: "crossover", parents: 2 },
] as const;

/** The part of the way between two parents that is one standard deviation of `line`. */
const LINE_SIGMA = 0.2;
/** The part of `sigma` that is the standard deviation of `line` in all directions. */
const LINE_NOISE = 0.1;

/**
 * A space of vectors. Its operators: `gaussian` adds a normally distributed number to each coordinate, `reset` draws one coordinate again,
 * `line` moves a vector along the line to another (Vassiliades and Mouret, "Discovering the elite hypervolume by leveraging interspecies
 * correlation", GECCO 2018), `crossover` takes each coordinate from one of two vectors.
 */
export interface VectorSpace extends Space {
  readonly kind: "vector";
  readonly dimensions: number;
  /** Bounds of each coordinate; without bounds, those of finite f32. */
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** The vector that emitters begin with. */
  readonly initial: Float64Array;
  /** The standard deviations of `gaussian`. */
  readonly sigma: Float64Array;
  /** Whether the numbers from `start` on are within the bounds. */
  contains(values: Float32Array, start: number): boolean;
  /** Moves the numbers from `start` on into the bounds, and rounds those that are integers. */
  confine(values: Float32Array, start: number): void;
}

/**
 * Makes a space of vectors.
 * @throws SearchError INVALID_ARGUMENT, for example for bounds without a range
 */
export const vectorSpace = (options: VectorSpaceOptions): VectorSpace =>
  new Vectors(readVectorOptions(options));

class Vectors implements VectorSpace {
  readonly kind = "vector";
  readonly description: Plain;
  readonly dimensions: number;
  readonly mostWords: number;
  readonly operators = OPERATORS;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly initial: Float64Array;
  readonly sigma: Float64Array;
  readonly #isInteger: Uint8Array;
  readonly #hasBounds: Uint8Array;
  readonly #hasIntegers: boolean;
  /** Two parents and a result, as words and as the numbers that these are. */
  readonly #words: readonly Uint32Array[];
  readonly #numbers: readonly Float32Array[];
  /** The words of a signature, an even number. */
  readonly #signed: Uint32Array;

  constructor(settings: VectorSettings) {
    const { dimensions, min, max, initial, sigma, isInteger, hasBounds } = settings;
    this.dimensions = dimensions;
    this.mostWords = dimensions;
    this.min = min;
    this.max = max;
    this.initial = initial;
    this.sigma = sigma;
    this.#isInteger = isInteger;
    this.#hasBounds = hasBounds;
    this.#hasIntegers = isInteger.includes(1);
    this.#words = [0, 1, 2].map(() => new Uint32Array(dimensions));
    this.#numbers = this.#words.map(({ buffer }) => new Float32Array(buffer));
    this.#signed = new Uint32Array(dimensions + (dimensions & 1));
    this.description = {
      kind: "vector",
      min: [...min],
      max: [...max],
      initial: [...initial],
      sigma: [...sigma],
      integer: [...isInteger].map((each) => each === 1),
    };
  }

  sample(draws: Draws, out: CodeBuffer): void {
    const result = this.#numbers[2]!;
    for (let axis = 0; axis < this.dimensions; axis++) result[axis] = this.#drawn(axis, draws);
    this.#append(out);
  }

  vary(operator: number, parent: Genome, other: Genome, draws: Draws, out: CodeBuffer): void {
    this.#load(parent, 0);
    const [first, second, result] = this.#numbers as [Float32Array, Float32Array, Float32Array];
    const { dimensions, sigma } = this;
    if (operator === VectorOperator.gaussian) {
      for (let axis = 0; axis < dimensions; axis++)
        result[axis] = first[axis]! + sigma[axis]! * normal(draws);
    } else if (operator === VectorOperator.reset) {
      result.set(first);
      const axis = draws.below(dimensions);
      result[axis] = this.#drawn(axis, draws);
    } else if (operator === VectorOperator.line) {
      this.#load(other, 1);
      const step = LINE_SIGMA * normal(draws);
      for (let axis = 0; axis < dimensions; axis++) {
        const noise = LINE_NOISE * sigma[axis]! * normal(draws);
        result[axis] = first[axis]! + noise + step * (second[axis]! - first[axis]!);
      }
    } else {
      this.#load(other, 1);
      let bits = 0;
      for (let axis = 0; axis < dimensions; axis++) {
        if ((axis & 31) === 0) bits = draws.word();
        result[axis] = (bits >>> (axis & 31)) & 1 ? second[axis]! : first[axis]!;
      }
    }
    this.#append(out);
  }

  signature(genome: Genome, hash: Uint32Array): void {
    const signed = this.#signed;
    for (let axis = 0; axis < this.dimensions; axis++) {
      const word = genome.words[genome.start + axis]!;
      // -0 is the same number as 0.
      signed[axis] = word === 0x80000000 ? 0 : word;
    }
    murmur128Into(signed, signed.length, hash);
  }

  check(genome: Genome): void {
    const { dimensions, min, max } = this;
    if (genome.end - genome.start !== dimensions) {
      throw invalid(`a vector of ${dimensions} numbers`, genome.end - genome.start);
    }
    this.#load(genome, 0);
    for (const [axis, value] of this.#numbers[0]!.entries()) {
      if (!(value >= min[axis]! && value <= max[axis]!)) {
        throw invalid(`a number from ${min[axis]} to ${max[axis]} as coordinate ${axis}`, value);
      }
      if (this.#isInteger[axis] === 1 && !Number.isInteger(value)) {
        throw invalid(`an integer as coordinate ${axis}`, value);
      }
    }
  }

  text(genome: Genome): string {
    this.#load(genome, 0);
    return vectorText(this.#numbers[0]!);
  }

  parse(text: string): Uint32Array {
    const words = new Uint32Array(parseVector(text).buffer);
    this.check({ words, start: 0, end: words.length });
    return words;
  }

  contains(values: Float32Array, start: number): boolean {
    for (let axis = 0; axis < this.dimensions; axis++) {
      const value = values[start + axis]!;
      if (!(value >= this.min[axis]! && value <= this.max[axis]!)) return false;
    }
    return true;
  }

  confine(values: Float32Array, start: number): void {
    const { dimensions, min, max } = this;
    for (let axis = 0; axis < dimensions; axis++) {
      const value = values[start + axis]!;
      if (value > max[axis]!) values[start + axis] = max[axis]!;
      // NaN is out of bounds, too.
      else if (!(value >= min[axis]!)) values[start + axis] = min[axis]!;
    }
    if (!this.#hasIntegers) return;
    for (let axis = 0; axis < dimensions; axis++) {
      if (this.#isInteger[axis] === 1) values[start + axis] = Math.floor(values[start + axis]! + 0.5);
    }
  }

  /** A coordinate of a random vector: anywhere in its bounds, or around the initial vector if it has no bounds. */
  #drawn(axis: number, draws: Draws): number {
    if (this.#hasBounds[axis] === 0) return this.initial[axis]! + this.sigma[axis]! * normal(draws);
    const [min, max] = [this.min[axis]!, this.max[axis]!];
    if (this.#isInteger[axis] === 1) return min + draws.below(max - min + 1);
    return min + draws.fraction() * (max - min);
  }

  #load({ words, start }: Genome, slot: 0 | 1): void {
    const to = this.#words[slot]!;
    for (let axis = 0; axis < to.length; axis++) to[axis] = words[start + axis]!;
  }

  #append(out: CodeBuffer): void {
    const { dimensions } = this;
    this.confine(this.#numbers[2]!, 0);
    const room = out.reserve(dimensions);
    const from = this.#words[2]!;
    const at = out.end;
    for (let axis = 0; axis < dimensions; axis++) room[at + axis] = from[axis]!;
    out.append(at + dimensions);
  }
}
