// The search: programs by machine instructions, instructions for special functions, constants and multiply-adds.
import { table } from "@mm-ptx/ast/f32";
import type { Loss } from "@mm-ptx/columns";
import { type GridArchive, gridArchive } from "../../../archives/grid.js";
import { evolve } from "../../../emitters/evolve.js";
import { columnsEvaluator } from "../../../evaluation/columns/evaluator.js";
import { measures } from "../../../evaluation/measures.js";
import { Search } from "../../../search/search.js";
import { type AstSpace, astSpace } from "../../../spaces/ast.js";
import type { Genome } from "../../../spaces/space.js";
import type { ActivationTarget } from "./targets.js";

/** The axes of the map: machine instructions and how many of them are for special functions. */
export const MOST_INSTRUCTIONS = 10;
export const MOST_SPECIAL = 3;
const MOST_CONSTANTS = 3;
const MOST_MULTIPLY_ADDS = 4;

const ROWS = 160;
const LONGEST = 14;
const BATCH = 1024;

/** The rows that constants are fitted to: arguments, values of y, and squares of the slopes. */
export interface ActivationRows {
  readonly x: Float32Array;
  readonly target: Float64Array;
  readonly weights: Float64Array;
}

/** Rows in the middles of equal intervals. */
export function rowsOf({ range, exact, slope }: ActivationTarget, count: number): ActivationRows {
  const x = Float32Array.from({ length: count }, (_, row) => (range * (2 * row + 1 - count)) / count);
  return {
    x,
    target: Float64Array.from(x, exact),
    weights: Float64Array.from(x, (each) => slope(each) * slope(each)),
  };
}

/** A search for programs, and what it consists of. */
export interface ActivationSearch {
  readonly search: Search;
  readonly space: AstSpace;
  readonly archive: GridArchive;
}

/**
 * Makes the search. Candidates are compared by their mean squared error, whose derivatives say how constants have to change: a few steps of
 * Levenberg and Marquardt for candidates that are not hopeless, more for those that are close to the elite of their cell. The numbers of
 * constants and multiply-adds are axes because programs that differ in them do not compete then.
 */
export function activationSearch(target: ActivationTarget, seed: number, workers: number): ActivationSearch {
  const { x, target: values, weights } = rowsOf(target, ROWS);
  const space = astSpace(table, {
    inputs: ["x"],
    operators: target.operators,
    maxLength: LONGEST,
    weights: weightsOf(target.operators),
    constraints: { nesting: [{ outer: ["rcp"], inner: ["rcp"] }] },
  });
  const loss: Loss = { kind: "mse", target: values, weights };
  const archive = gridArchive({
    axes: [
      { name: "machine instructions", min: 0, max: MOST_INSTRUCTIONS },
      { name: "special functions", min: 0, max: MOST_SPECIAL },
      { name: "constants", min: 0, max: MOST_CONSTANTS },
      { name: "multiply-adds", min: 0, max: MOST_MULTIPLY_ADDS },
    ],
  });
  const evaluator = columnsEvaluator({
    space,
    columns: [x],
    loss,
    measures: [
      measures.machineInstructions(),
      measures.specialInstructions("special functions"),
      measures.constants(),
      measures.operations(["fma"], "multiply-adds"),
    ],
    tuning: [
      { method: "lm", iterations: 8, within: 100 },
      { method: "lm", iterations: 30, within: 3 },
    ],
    workers,
  });
  const search = new Search({
    space,
    archive,
    evaluator,
    emitters: [evolve()],
    seed,
    batchSize: BATCH,
    ahead: 1,
  });
  return { search, space, archive };
}

/** Multiplications and fused ones are drawn more often than functions that few programs need. */
const WEIGHTS: Readonly<Record<string, number>> = {
  mul: 2,
  fma: 3,
  ...{ min: 0.3, max: 0.3, abs: 0.3, neg: 0.5, rsqrt: 0.2 },
};

const weightsOf = (operators: readonly string[]): Record<string, number> =>
  Object.fromEntries(Object.entries(WEIGHTS).filter(([name]) => operators.includes(name)));

/** Genomes of the best elites for each number of instructions and special functions: up to `most` each, the best first. */
export function bestElites({ archive }: ActivationSearch, most: number): Uint32Array[] {
  const cells = new Map<number, number[]>();
  for (let elite = 0; elite < archive.count; elite++) {
    const cell = archive.measure(elite, 0) * (MOST_SPECIAL + 1) + archive.measure(elite, 1);
    cells.set(cell, [...(cells.get(cell) ?? []), elite]);
  }
  const genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  return [...cells]
    .sort(([a], [b]) => a - b)
    .flatMap(([, elites]) =>
      elites
        .sort((a, b) => archive.objective(b) - archive.objective(a) || a - b)
        .slice(0, most)
        .map((elite) => {
          archive.genome(elite, genome);
          return genome.words.slice(genome.start, genome.end);
        }),
    );
}
