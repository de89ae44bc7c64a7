// Which cases lexicase selection uses for a batch.
import type { Archive } from "../../archives/archive.js";
import type { Draws } from "../../draws.js";
import { bitCount } from "./bits.js";
import { CaseMatrix, casesOf } from "./case-matrix.js";

/** Elites that say how far cases are apart. */
const JUDGES = 128;
const WORDS = JUDGES / 32;
/** The fewest cases that are chosen, if there are more. */
const LEAST_CASES = 10;

export interface DownSamplingOptions {
  readonly epsilon: number | "mad";
  readonly downSample: number;
  readonly informed: boolean;
}

/** Chooses cases, at random or far apart from each other. */
export class DownSampling {
  /** The number of cases that were chosen. */
  cases = 0;
  readonly #options: DownSamplingOptions;
  #order = new Int32Array(0);
  readonly #matrix = new CaseMatrix();
  /** For each case: which elites are among the best, as bits. */
  #passed = new Uint32Array(0);
  /** For each case: how far it is from the nearest one that was chosen. */
  #distances = new Uint8Array(0);

  constructor(options: DownSamplingOptions) {
    this.#options = options;
  }

  /**
   * Chooses cases of an archive.
   *
   * @param pool elites in random order, of which the first ones count
   * @returns numbers of cases, of which the first ones were chosen
   */
  choose(archive: Archive, pool: Int32Array, elites: number, draws: Draws): Int32Array<ArrayBuffer> {
    const { downSample, informed } = this.#options;
    const all = casesOf(archive, 0).length;
    const cases = Math.min(all, Math.max(LEAST_CASES, Math.round(all * downSample)));
    this.cases = cases;
    if (this.#order.length < all) this.#order = new Int32Array(all);
    const order = this.#order;
    for (let index = 0; index < all; index++) order[index] = index;
    if (cases === all) return order;
    // Informed choices are in this order where several cases are as far apart.
    const drawn = informed ? all : cases;
    for (let index = 0; index < drawn; index++) swap(order, index, index + draws.below(all - index));
    if (!informed) return order;
    this.#judge(archive, pool, Math.min(elites, JUDGES), all);
    this.#spread(all, cases);
    return order;
  }

  /** Finds which of some elites are among the best in each case. */
  #judge(archive: Archive, pool: Int32Array, judges: number, all: number): void {
    if (this.#passed.length < all * WORDS) {
      this.#passed = new Uint32Array(all * WORDS);
      this.#distances = new Uint8Array(all);
    }
    const matrix = this.#matrix;
    const passed = this.#passed;
    matrix.pool = pool;
    matrix.load(archive, judges, this.#order, all);
    matrix.measure(this.#options.epsilon);
    passed.fill(0, 0, all * WORDS);
    const { errors, epsilons } = matrix;
    for (let index = 0; index < all; index++) {
      const column = index * judges;
      let least = errors[column]!;
      for (let judge = 1; judge < judges; judge++) least = Math.min(least, errors[column + judge]!);
      const most = least + epsilons[index]!;
      for (let judge = 0; judge < judges; judge++) {
        passed[WORDS * index + (judge >> 5)]! |= Number(errors[column + judge]! <= most) << (judge & 31);
      }
    }
  }

  /** Puts cases first of which each is as far as possible from those before it. */
  #spread(all: number, cases: number): void {
    const [order, passed, distances] = [this.#order, this.#passed, this.#distances];
    distances.fill(255, 0, all);
    for (let chosen = 1; chosen < cases; chosen++) {
      const last = WORDS * (chosen - 1);
      let farthest = chosen;
      for (let index = chosen; index < all; index++) {
        let distance = 0;
        for (let word = 0; word < WORDS; word++) {
          distance += bitCount(passed[WORDS * index + word]! ^ passed[last + word]!);
        }
        if (distance < distances[index]!) distances[index] = distance;
        if (distances[index]! > distances[farthest]!) farthest = index;
      }
      swap(order, chosen, farthest);
      distances[farthest] = distances[chosen]!;
      for (let word = 0; word < WORDS; word++) swap(passed, WORDS * chosen + word, WORDS * farthest + word);
    }
  }
}

function swap(list: Int32Array | Uint32Array, one: number, other: number): void {
  const value = list[one]!;
  list[one] = list[other]!;
  list[other] = value;
}
