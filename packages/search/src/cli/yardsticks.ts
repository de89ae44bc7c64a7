// The yardsticks of `mm-ptx-search bench`: the runs of each, and the table of what is finished beside what is published.
import { significant } from "../pictures/drawing/words.js";
import { type PublishedProblem, problemsOf, sets } from "../yardsticks/problems.js";
import { type Recovery, recover } from "../yardsticks/recovery.js";
import {
  type MeanAndDeviation,
  SPHERE_SEARCHES,
  type SphereResult,
  searchSphere,
} from "../yardsticks/sphere.js";
import { columns, counted } from "./framework.js";

/** A part of a yardstick that is stored when it is finished. */
export interface YardstickRun {
  readonly key: string;
  run(signal: AbortSignal): Promise<unknown>;
}

/** Problems with published figures. */
export interface Yardstick {
  readonly name: string;
  /** The runs with this many seeds. */
  runs(seeds: number): YardstickRun[];
  /** The lines of the table. @param find returns what is stored */
  table(seeds: number, find: (key: string) => unknown): string[];
}

const SEED_NAMES = (seeds: number): number[] => Array.from({ length: seeds }, (_, index) => index + 1);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
/** The standard deviation; one value has none. */
const deviationText = (values: readonly number[]): string => {
  if (values.length < 2) return "";
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) * (value - middle), 0);
  return Math.sqrt(squares / (values.length - 1)).toFixed(2);
};

/** The names of the methods whose figures are printed, in the order of the columns. */
const METHODS = { mcts: "MCTS", nggp: "NGGP", dsr: "DSR", pysr: "PySR" } as const;
const methodsOf = (published: Readonly<Record<string, number>> = {}): string[] =>
  Object.keys(METHODS).map((key) => (published[key] === undefined ? "" : `${published[key]}`));

function recoveryYardstick(set: string): Yardstick {
  const problems = problemsOf(set);
  const keyOf = ({ name }: PublishedProblem, seed: number): string => `${name}/${seed}`;
  return {
    name: set,
    runs: (seeds) =>
      SEED_NAMES(seeds).flatMap((seed) =>
        problems.map((problem) => ({
          key: keyOf(problem, seed),
          run: (signal) => recover(problem, seed, signal),
        })),
      ),
    table(seeds, find) {
      const { title, published } = sets[set]!;
      const rows: string[][] = [];
      const rates: number[] = [];
      const times: number[] = [];
      for (const problem of problems) {
        const done = SEED_NAMES(seeds).flatMap(
          (seed) => (find(keyOf(problem, seed)) as Recovery | undefined) ?? [],
        );
        if (done.length === 0) continue;
        const recovered = done.filter(({ isRecovered }) => isRecovered).length;
        const seconds = mean(done.map((each) => each.seconds));
        rates.push((100 * recovered) / done.length);
        times.push(seconds);
        rows.push([
          ...[problem.name, `${recovered} of ${done.length}`, significant(seconds, 2)],
          ...[...methodsOf(problem.published), problem.formula],
        ]);
      }
      const what =
        "percent of the runs that recover the formula from its points within 2,000,000 evaluations; published: Huang et al. 2025";
      if (rows.length === 0) return [`${title}: no run is finished`];
      const head = ["", "recovered", "CPU s", ...Object.values(METHODS), "formula"];
      const all = [
        "mean",
        `${mean(rates).toFixed(1)} %`,
        significant(mean(times), 2),
        ...methodsOf(published),
        "",
      ];
      return [`${title}: ${what}`, ...columns([head, ...rows, all], new Set([1, 2, 3, 4, 5, 6]))];
    },
  };
}

const SPHERE: Yardstick = {
  name: "sphere",
  runs: (seeds) =>
    SPHERE_SEARCHES.flatMap((search) =>
      SEED_NAMES(seeds).map((seed) => ({
        key: `${search.key}/${seed}`,
        run: (signal) => searchSphere(search, seed, signal),
      })),
    ),
  table(seeds, find) {
    const rows = SPHERE_SEARCHES.flatMap(({ key, name, scores, coverage }) => {
      const done = SEED_NAMES(seeds).flatMap(
        (seed) => (find(`${key}/${seed}`) as SphereResult | undefined) ?? [],
      );
      if (done.length === 0) return [];
      const row = (point: string, found: readonly number[], published: MeanAndDeviation): string[] => [
        ...[name, point, mean(found).toFixed(2), deviationText(found)],
        ...[published[0].toFixed(2), published[1].toFixed(2), counted(done.length, "seed")],
      ];
      return [
        ...Object.entries(scores).map(([evaluations, published]) =>
          row(
            Number(evaluations).toLocaleString("en"),
            done.map((each) => each.scores[Number(evaluations)]!),
            published,
          ),
        ),
        row(
          "coverage %",
          done.map((each) => each.coverage),
          coverage,
        ),
      ];
    });
    const title = "Sphere of pyribs";
    if (rows.length === 0) return [`${title}: no run is finished`];
    const head = ["", "evaluations", "found", "+-", "pyribs", "+-", ""];
    return [
      `${title}: QD scores divided by the cells, means and standard deviations; pyribs 0.12.0, ten seeds`,
      ...columns([head, ...rows], new Set([1, 2, 3, 4, 5, 6])),
    ];
  },
};

/** All yardsticks; `bench` without names runs the first two. */
export const YARDSTICKS: readonly Yardstick[] = [
  SPHERE,
  ...Object.keys(sets).map((set) => recoveryYardstick(set)),
];
