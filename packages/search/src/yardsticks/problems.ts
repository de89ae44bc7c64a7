// The published problems of symbolic regression: their rows, and whether a formula is equal to theirs.
import { readFileSync } from "node:fs";
import { SearchError } from "../error.js";
import { formulaOf } from "./formulas.js";

/** A problem of `data/problems.json`. */
export interface PublishedProblem {
  readonly name: string;
  readonly set: string;
  readonly formula: string;
  /** The range of each variable. */
  readonly variables: Readonly<Record<string, readonly [low: number, high: number]>>;
  /** How many rows are drawn. */
  readonly rows: number;
  /** A key of `functions`: what a search may use. */
  readonly functions: string;
  /** A key of `sources`, and where it is in there. */
  readonly source: string;
  readonly equation: string;
  /** What part of the runs of others recovers the formula, in percent. */
  readonly published?: Readonly<Record<string, number>>;
  /** Why comparisons leave it out. */
  readonly outside?: string;
  /** Points: the values of the variables, and that of the formula. */
  readonly points: readonly (readonly number[])[];
}

/** A set of problems whose figures are published. */
export interface PublishedSet {
  readonly title: string;
  /** What part of the runs of others recovers the formulas, in percent, on average: "mcts" and so on. */
  readonly published: Readonly<Record<string, number>>;
}

interface ProblemFile {
  readonly sources: Readonly<Record<string, string>>;
  readonly functions: Readonly<Record<string, readonly string[]>>;
  /** The sets with published figures (Huang et al. 2025); the others have none for sets. */
  readonly sets: Readonly<Record<string, PublishedSet>>;
  readonly problems: readonly PublishedProblem[];
}

const FILE = new URL("../../data/problems.json", import.meta.url);
/** How many fresh points a formula has to be exact at, and how exact. */
const FRESH = 1000;
const EXACT = 1e-6;
const MOST_TRIES = 1000;

const file: ProblemFile = JSON.parse(readFileSync(FILE, "utf8"));
/** The papers that problems are from, by the keys that problems name. */
export const sources: Readonly<Record<string, string>> = file.sources;
/** The operators that searches may use, by the keys that problems name. */
export const functions: Readonly<Record<string, readonly string[]>> = file.functions;
/** The sets with published figures, by name. */
export const sets: Readonly<Record<string, PublishedSet>> = file.sets;
/** All published problems, in the order of their sets. */
export const problems: readonly PublishedProblem[] = file.problems;

/** The problems of such a set. Nguyen-12 is left out: figures are those of 12*, on a greater range. */
export const problemsOf = (set: string): PublishedProblem[] =>
  problems.filter((problem) => problem.set === set && problem.name !== "Nguyen-12");

/** Evenly distributed numbers from 0 to 1 (splitmix32: seeds that are near to each other give sequences that have nothing in common). */
export function uniforms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** What draws use besides the seed, so that rows and fresh points of a seed differ. */
const MIXED = { rows: 0x1000193, fresh: 0x811c9dc5 };

/** The rows of a problem. */
export interface ProblemRows {
  readonly names: readonly string[];
  readonly columns: readonly Float32Array[];
  readonly target: Float64Array;
}

/**
 * The rows of a problem, drawn by a seed. Inputs are f32 numbers; the target is that of these, in f64.
 * @throws SearchError BAD_DATA if the formula has no value in the ranges of its variables
 */
export function rowsOf(
  { formula, variables, rows }: Pick<PublishedProblem, "formula" | "variables" | "rows">,
  seed: number,
  purpose: keyof typeof MIXED = "rows",
): ProblemRows {
  const names = Object.keys(variables);
  const ranges = Object.values(variables);
  const random = uniforms(Math.imul(seed, 0x9e3779b1) ^ MIXED[purpose]);
  const value = formulaOf(formula, names);
  const columns = names.map(() => new Float32Array(rows));
  const target = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    // Rows without a value are drawn again.
    for (let tries = 0; ; tries++) {
      if (tries === MOST_TRIES)
        throw new SearchError("BAD_DATA", `expected numbers in the ranges of \`${formula}\`, found none`);
      const point = ranges.map(([low, high]) => Math.fround(low + (high - low) * random()));
      const result = value(point);
      if (!Number.isFinite(result)) continue;
      for (const [index, each] of point.entries()) columns[index]![row] = each;
      target[row] = result;
      break;
    }
  }
  return { names, columns, target };
}

/**
 * Whether a formula is equal to that of a problem, judged by 1,000 points that no search has seen: half of them in the ranges of the
 * variables, half in ranges twice as wide. In the ranges it has to be finite where the formula of the problem is; beyond them, points
 * without a value of either are left out (`exp(log(x) + log(x))` is `x^2`). The error in f64 is at most 1e-6 of the value at each point, or,
 * if formulas have constants, which are f32 numbers, of the root of the mean square of the values of the same half.
 */
export function isEqualFormula(problem: PublishedProblem, found: string, seed: number): boolean {
  const names = Object.keys(problem.variables);
  const ranges = Object.values(problem.variables);
  const [wanted, actual] = [formulaOf(problem.formula, names), formulaOf(found, names)];
  const random = uniforms(Math.imul(seed, 0x9e3779b1) ^ MIXED.fresh);
  const hasConstants = functions[problem.functions]!.includes("constant");
  for (const isWide of [false, true]) {
    const pairs: [number, number][] = [];
    for (let tries = 0; tries < 10 * FRESH && pairs.length < FRESH / 2; tries++) {
      const point = ranges.map(([low, high]) => {
        const width = high - low;
        return isWide ? low - width / 2 + 2 * width * random() : low + width * random();
      });
      const [value, other] = [wanted(point), actual(point)];
      if (!Number.isFinite(value)) continue;
      if (Number.isFinite(other)) pairs.push([value, other]);
      else if (!isWide) return false;
    }
    if (pairs.length < FRESH / 4) return false;
    const size = Math.sqrt(pairs.reduce((sum, [value]) => sum + value * value, 0) / pairs.length);
    const isExact = ([value, other]: [number, number]): boolean =>
      Math.abs(other - value) <= EXACT * (hasConstants ? Math.max(Math.abs(value), size) : Math.abs(value));
    if (!pairs.every(isExact)) return false;
  }
  return true;
}
