// The Pareto archive: all candidates that no other one is better than in everything.
import type { CodeBatch } from "@mm-ptx/types/code";
import { isList, isOneOf, isPositive, isRecord, isText, isWhole } from "@mm-ptx/types/internal";
import type { Scores } from "../candidates.js";
import { invalid, readOptions } from "../options.js";
import type { PartState } from "../plain.js";
import type { AdditionBuffer } from "./additions.js";
import { AdditionStatus, type Additions, type Archive } from "./archive.js";
import { crowded } from "./crowding.js";
import { EliteArchive } from "./elite-archive.js";
import {
  describeSettings,
  ELITE_CHECKS,
  type EliteOptions,
  eliteSettings,
  refuseRepeated,
} from "./options.js";

/** A measure of a Pareto archive. */
export interface ParetoMeasure {
  readonly name: string;
  /** Whether lower (`min`) or higher (`max`) is better. */
  readonly goal: "min" | "max";
  /** Differences within steps of this size do not count. */
  readonly epsilon?: number;
}

/** Options of `paretoArchive`. */
export interface ParetoArchiveOptions extends EliteOptions {
  /** One for each measure, in their order. The objective, of which higher is better, always counts too. */
  readonly measures: readonly ParetoMeasure[];
  /** Differences of the objective within steps of this size do not count. */
  readonly epsilon?: number;
  /** The most elites after a batch; the default is 1,000. Those with the nearest neighbours are removed. */
  readonly capacity?: number;
}

/** An archive of candidates that no other one dominates. */
export interface ParetoArchive extends Archive {
  readonly kind: "pareto";
  readonly cells: undefined;
  readonly measures: readonly ParetoMeasure[];
}

const CHECKS = {
  ...ELITE_CHECKS,
  measures: isList(isRecord({ name: isText, goal: isOneOf(["min", "max"]) }, { epsilon: isPositive })),
  epsilon: isPositive,
  capacity: isWhole(1, 2 ** 20),
};

/**
 * Makes an archive that keeps the candidates that no other one dominates, that is, equals in the objective and all measures and exceeds in
 * one. Of candidates that are equal, within the steps of `epsilon`, it keeps the one with the greatest objective, the first of several. If
 * there are more than `capacity` after a batch, the one with the least crowding distance is removed, again and again (Deb et al., "A fast
 * and elitist multiobjective genetic algorithm: NSGA-II", 2002); the best in the objective and in each measure stay. The improvement of a
 * candidate that is not added is its objective minus the greatest one.
 * @throws SearchError INVALID_ARGUMENT
 */
export function paretoArchive(options: ParetoArchiveOptions): ParetoArchive {
  const taken = readOptions<ParetoArchiveOptions>(options, CHECKS, { required: ["measures"] });
  if (taken.measures.length === 0) throw invalid("at least one measure", "none");
  refuseRepeated(
    "measures",
    taken.measures.map(({ name }) => name),
  );
  return new Pareto(taken);
}

class Pareto extends EliteArchive implements ParetoArchive {
  declare readonly kind: "pareto";
  readonly cells = undefined;
  readonly measures: readonly ParetoMeasure[];
  readonly #capacity: number;
  /** The sizes of the steps of the objective and the measures, or 0, with the sign of the better direction. */
  readonly #signs: Float64Array;
  readonly #steps: Float64Array;
  /** The objective and the measures of each elite in steps, so that higher is better. */
  #keys = new Float64Array(0);
  readonly #key: Float64Array;
  #dominated: number[] = [];
  /** The elite that dominated the last candidate: it is likely to dominate the next one. It has no influence on results. */
  #likely = 0;

  constructor({ measures, epsilon = 0, capacity = 1000, ...options }: ParetoArchiveOptions) {
    const settings = eliteSettings(options);
    const described = measures.map(({ name, goal, epsilon }) => ({
      name,
      goal,
      ...(epsilon && { epsilon }),
    }));
    super(
      "pareto",
      { kind: "pareto", measures: described, epsilon, capacity, ...describeSettings(settings) },
      measures.map(({ name }) => name),
      settings,
    );
    this.measures = described;
    this.#capacity = capacity;
    this.#signs = Float64Array.from([1, ...measures.map(({ goal }) => (goal === "max" ? 1 : -1))]);
    this.#steps = Float64Array.from([epsilon, ...measures.map(({ epsilon = 0 }) => epsilon)]);
    this.#key = new Float64Array(this.#signs.length);
  }

  add(genomes: CodeBatch, scores: Scores, serial: number): Additions {
    const additions = this.start(genomes, scores, Number.POSITIVE_INFINITY);
    this.#reserveKeys();
    const { elites } = this;
    const { words, offsets } = genomes;
    const count = offsets.length - 1;
    const { status, value, cell } = additions;
    for (let candidate = 0; candidate < count; candidate++) {
      cell[candidate] = -1;
      status[candidate] = AdditionStatus.rejected;
      value[candidate] = -Infinity;
      if (scores.status[candidate] !== 0) continue;
      const objective = scores.objective[candidate]!;
      this.#toKey(objective, scores.measures, candidate * this.dimensions);
      if (this.#isBeaten(objective)) {
        value[candidate] = objective - elites.objective[elites.best]!;
        continue;
      }
      let before = 0;
      const [first = elites.count] = this.#dominated;
      if (this.#dominated.length === 0) {
        elites.count++;
        additions.added++;
        status[candidate] = AdditionStatus.added;
      } else {
        before = Number.NEGATIVE_INFINITY;
        for (const elite of this.#dominated) before = Math.max(before, elites.objective[elite]!);
        additions.improved++;
        status[candidate] = AdditionStatus.improved;
      }
      value[candidate] = objective - before;
      const [start, end] = [offsets[candidate]!, offsets[candidate + 1]!];
      elites.cell[first] = -1;
      elites.set(first, words, start, end, scores, candidate, serial + candidate);
      this.#keys.set(this.#key, first * this.#key.length);
      for (let index = this.#dominated.length - 1; index > 0; index--) this.#remove(this.#dominated[index]!);
    }
    if (elites.count > this.#capacity) this.#prune(additions, serial);
    return additions;
  }

  override restore(state: PartState): void {
    super.restore(state);
    this.#reserveKeys();
    const { elites, dimensions } = this;
    for (let elite = 0; elite < elites.count; elite++) {
      this.#toKey(elites.objective[elite]!, elites.measures, elite * dimensions);
      this.#keys.set(this.#key, elite * this.#key.length);
    }
  }

  /**
   * Whether an elite dominates or equals the candidate of `#key`. If none does, `#dominated` are the elites that it dominates or replaces,
   * in ascending order.
   */
  #isBeaten(objective: number): boolean {
    const { elites } = this;
    const [keys, key] = [this.#keys, this.#key];
    const width = key.length;
    this.#dominated.length = 0;
    if (this.#likely < elites.count && compareKeys(keys, this.#likely * width, key) === WORSE) return true;
    for (let elite = 0; elite < elites.count; elite++) {
      const result = compareKeys(keys, elite * width, key);
      if (result === WORSE || (result === EQUAL && objective <= elites.objective[elite]!)) {
        this.#likely = elite;
        return true;
      }
      if (result !== NEITHER) this.#dominated.push(elite);
    }
    return false;
  }

  #toKey(objective: number, measures: Float64Array, start: number): void {
    const key = this.#key;
    for (let index = 0; index < key.length; index++) {
      const value = this.#signs[index]! * (index === 0 ? objective : measures[start + index - 1]!);
      const step = this.#steps[index]!;
      key[index] = step === 0 ? value : Math.floor(value / step);
    }
  }

  #remove(elite: number): void {
    const width = this.#key.length;
    const last = this.elites.count - 1;
    this.#keys.copyWithin(elite * width, last * width, (last + 1) * width);
    this.elites.remove(elite);
  }

  /** Removes the most crowded elites. Candidates of the batch among them were not added after all. */
  #prune(additions: AdditionBuffer, serial: number): void {
    const { elites } = this;
    const removed = crowded(this.#keys, this.#key.length, elites.serial, elites.count, this.#capacity);
    for (const elite of removed) {
      const candidate = elites.serial[elite]! - serial;
      if (candidate >= 0) {
        if (additions.status[candidate] === AdditionStatus.added) additions.added--;
        else additions.improved--;
        additions.status[candidate] = AdditionStatus.rejected;
      }
      this.#remove(elite);
    }
  }

  #reserveKeys(): void {
    const length = this.elites.objective.length * this.#key.length;
    if (length <= this.#keys.length) return;
    const keys = new Float64Array(length);
    keys.set(this.#keys);
    this.#keys = keys;
  }
}

const EQUAL = 0;
const WORSE = 1;
const BETTER = 2;
const NEITHER = 3;

/** How a key compares with that of an elite. */
function compareKeys(keys: Float64Array, start: number, key: Float64Array): number {
  let result = EQUAL;
  for (let index = 0; index < key.length; index++) {
    const [theirs, ours] = [keys[start + index]!, key[index]!];
    if (ours < theirs) result |= WORSE;
    else if (ours > theirs) result |= BETTER;
    if (result === NEITHER) return NEITHER;
  }
  return result;
}
