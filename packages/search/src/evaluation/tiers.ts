// Evaluators one after the other: each sees what the ones before have left.
import { type Check, isFunction, isObject } from "@mm-ptx/types/internal";
import { Candidates, chooseCandidates, copyGenomes, type Scores } from "../candidates.js";
import { SearchError } from "../error.js";
import { invalid, readOptions } from "../options.js";
import { joinParts, partOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";
import { type EvaluatedBatch, type Evaluation, type Evaluator, isEvaluator, SCREENED } from "./evaluator.js";

/** What decides which candidates go on to the next tier; only those with a score are asked about. */
export interface TierGate {
  /** Identifies the gate in the description of a run. */
  readonly name: string;
  /** The indices of the candidates that go on, in ascending order. */
  select(scores: Scores, count: number, evaluation: Evaluation): ArrayLike<number>;
}

/** A step of an evaluation. */
export interface Tier {
  readonly evaluator: Evaluator;
  /** Which of its candidates go on to the next tier; by default all that have a score. */
  readonly gate?: TierGate;
}

const TIER: Readonly<Record<keyof Tier, Check>> = { evaluator: isEvaluator, gate: isObject };
const GATE: Readonly<Record<keyof TierGate, Check>> = {
  name: (value, name) => (typeof value === "string" ? undefined : `expected \`${name}\` as a text`),
  select: isFunction,
};

class Tiers implements Evaluator {
  readonly description: Plain;
  readonly measures: readonly string[];
  readonly failures: readonly string[];
  readonly #tiers: readonly Tier[];
  /** The measures of the tier before the last one that has measures are only for gates. */
  readonly #measured: number;
  readonly #candidates: Candidates[];

  constructor(tiers: readonly Tier[]) {
    this.#tiers = tiers;
    this.#measured = tiers.findLastIndex(({ evaluator }) => evaluator.measures.length > 0);
    this.measures = tiers[this.#measured]?.evaluator.measures ?? [];
    this.failures = [...new Set([...tiers.flatMap(({ evaluator }) => evaluator.failures), SCREENED])];
    this.#candidates = tiers.map(() => new Candidates());
    this.description = {
      tiers: tiers.map(({ evaluator, gate }) => ({
        evaluator: evaluator.description,
        gate: gate?.name ?? null,
      })),
    };
  }

  get excess(): number {
    return this.#tiers[0]!.evaluator.excess ?? 1;
  }

  prepare(candidates: Candidates): void {
    this.#tiers[0]!.evaluator.prepare?.(candidates);
  }

  async evaluate(candidates: Candidates, evaluation: Evaluation): Promise<Scores> {
    const { count } = candidates;
    const dimensions = this.measures.length;
    const screened = 1 + this.failures.indexOf(SCREENED);
    const final: Scores = {
      status: new Uint8Array(count).fill(screened),
      objective: new Float64Array(count),
      measures: new Float64Array(count * dimensions),
    };
    // The candidates of the current tier, and their indices in the batch.
    let current = candidates;
    let indices = Uint32Array.from({ length: count }, (_, index) => index);
    for (const [number, { evaluator, gate }] of this.#tiers.entries()) {
      if (current.count === 0) break;
      const scores = await evaluator.evaluate(current, evaluation);
      copyGenomes(current, indices, candidates);
      const isLast = number === this.#tiers.length - 1;
      for (const [place, index] of indices.entries()) {
        const status = scores.status[place]!;
        if (status !== 0)
          final.status[index] = 1 + this.failures.indexOf(evaluator.failures[status - 1] ?? SCREENED);
        else if (isLast) final.status[index] = 0;
        final.objective[index] = scores.objective[place]!;
        if (number !== this.#measured) continue;
        const from = place * dimensions;
        final.measures.set(scores.measures.subarray(from, from + dimensions), index * dimensions);
      }
      if (isLast) break;
      const places = passing(scores, indices.length, gate, evaluation);
      const next = this.#candidates[number]!;
      chooseCandidates(current, places, next);
      indices = Uint32Array.from(places, (place) => indices[place]!);
      current = next;
    }
    return final;
  }

  learn(batch: EvaluatedBatch): void {
    for (const { evaluator } of this.#tiers) evaluator.learn?.(batch);
  }

  state(): PartState {
    return joinParts(
      Object.fromEntries(this.#tiers.map(({ evaluator }, index) => [`${index}`, evaluator.state?.()])),
    );
  }

  restore(state: PartState): void {
    for (const [index, { evaluator }] of this.#tiers.entries()) {
      const kept = partOf(state, `${index}`);
      if (kept !== undefined) evaluator.restore?.(kept);
    }
  }
}

/** The places of the candidates that have a score and that a gate lets pass. */
function passing(
  scores: Scores,
  count: number,
  gate: TierGate | undefined,
  evaluation: Evaluation,
): number[] {
  const scored = [];
  for (let place = 0; place < count; place++) if (scores.status[place] === 0) scored.push(place);
  if (gate === undefined) return scored;
  const selected = Array.from(gate.select(scores, count, evaluation));
  const isWrong = (place: number, at: number) =>
    !(Number.isInteger(place) && place >= 0 && place < count) || (at > 0 && place <= selected[at - 1]!);
  if (selected.some(isWrong)) {
    throw new SearchError(
      "EVALUATOR_FAILED",
      `expected ascending indices below ${count} from the gate \`${gate.name}\`, found others`,
    );
  }
  return selected.filter((place) => scores.status[place] === 0);
}

/**
 * Runs evaluators one after the other, from the cheapest to the decisive one: the objective is that of the last tier, and the measures are
 * those of the last tier that has any. Candidates that a gate stops have the status `SCREENED`, and those that fail in a tier its failure.
 * @throws SearchError INVALID_ARGUMENT
 */
export function tiers(list: readonly Tier[]): Evaluator {
  if (!Array.isArray(list) || list.length === 0) throw invalid("a list of tiers", list);
  const taken = list.map((tier: Tier, index) => {
    const { evaluator, gate } = readOptions<Tier>(tier, TIER, {
      required: ["evaluator"],
      prefix: `tiers[${index}].`,
    });
    if (gate === undefined) return { evaluator };
    return { evaluator, gate: readOptions<TierGate>(gate, GATE, { required: ["name", "select"] }) };
  });
  return new Tiers(taken);
}

/** Gates between tiers. */
export const gates = {
  /**
   * Lets candidates pass whose objective is greater than that of the elite of their cell, or whose cell is empty. The tier needs the
   * measures of the archive, and objectives that compare with those of the last tier.
   */
  improving: (): TierGate => ({
    name: "improving",
    select: (scores, count, { archive }) => {
      const { dimensions } = archive;
      if (scores.measures.length < count * dimensions) {
        throw new SearchError(
          "EVALUATOR_FAILED",
          `expected ${dimensions} measures of the tier before the gate, found less`,
        );
      }
      const passing = [];
      for (let index = 0; index < count; index++) {
        if (scores.status[index] !== 0) continue;
        const cell = archive.cellOf(scores.measures, index * dimensions);
        const elite = cell < 0 ? -1 : archive.at(cell);
        if (elite < 0 || scores.objective[index]! > archive.objective(elite)) passing.push(index);
      }
      return passing;
    },
  }),
  /** Lets the best candidates of each batch pass, `count` at most. @throws SearchError INVALID_ARGUMENT */
  best: (count: number): TierGate => {
    if (!Number.isSafeInteger(count) || count < 1) {
      throw invalid("a whole number of at least 1 of the gate `best`", count);
    }
    return {
      name: `best ${count}`,
      select: ({ status, objective }, total) => {
        const scored = Array.from({ length: total }, (_, index) => index).filter(
          (index) => status[index] === 0,
        );
        scored.sort((a, b) => objective[b]! - objective[a]! || a - b);
        return scored.slice(0, count).sort((a, b) => a - b);
      },
    };
  },
};
