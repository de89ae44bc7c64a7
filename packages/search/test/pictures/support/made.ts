// Made elites, which look like those of real searches and are the same in every run.
import type { ArchiveRows } from "../../../src/index.js";
import type { LineageEntry, PictureAxis, PictureRates, SearchHistory } from "../../../src/pictures/index.js";

export interface MadeElite {
  readonly cell: number;
  readonly objective: number;
  readonly measures: readonly number[];
  readonly fields?: Readonly<Record<string, number>>;
}

export function rowsOf(elites: readonly MadeElite[]): ArchiveRows {
  const names = Object.keys(elites[0]?.fields ?? {});
  return {
    count: elites.length,
    cell: Int32Array.from(elites, ({ cell }) => cell),
    objective: Float64Array.from(elites, ({ objective }) => objective),
    measures: Float64Array.from(elites.flatMap(({ measures }) => measures)),
    serial: Float64Array.from(elites, (_, i) => i),
    genomes: { words: new Uint32Array(0), offsets: new Uint32Array(elites.length + 1) },
    fields: Object.fromEntries(
      names.map((name) => [name, Float64Array.from(elites, ({ fields }) => fields![name]!)]),
    ),
  };
}

/** Fractions that look random: multiples of the golden ratio. */
export const fraction = (i: number): number => (i * 0.6180339887498949) % 1;

export const INSTRUCTIONS = { kind: "integer", name: "instructions", from: 1, to: 10, width: 1 } as const;
export const MUFU = { kind: "integer", name: "MUFU", from: 0, to: 4, width: 1 } as const;
export const UNIT: PictureAxis = {
  kind: "categorical",
  name: "unit",
  labels: ["none", "tanh.approx", "ex2 & rcp"],
};
export const real = (name: string, cells: number, unit?: string): PictureAxis => ({
  ...{ kind: "real", name, from: -1, to: 1, cells },
  ...(unit === undefined ? {} : { unit }),
});

/** Activation functions by instructions and special function instructions, with errors from 1e-1 to 1e-5. */
export function activations(): MadeElite[] {
  const all: MadeElite[] = [];
  for (let n = 1; n <= 10; n++)
    for (let m = 0; m <= 4; m++) {
      if (m >= n || (n * m) % 14 === 12) continue;
      const gain = [0, 1.4, 1, 0.6, 0.5][m]! * Math.min(1, n / 4);
      const error = Number((10 ** (-0.7 - 0.35 * n - gain + 0.6 * fraction(5 * n + m))).toPrecision(6));
      all.push({
        cell: (n - 1) * 5 + m,
        objective: -error,
        measures: [n, m],
        fields: { "PTX bound": error * 1.5 + 1e-4 },
      });
    }
  return all;
}

/** Elites in most cells of axes with these numbers of bins. */
export function scattered(counts: readonly number[], share = 0.7): MadeElite[] {
  const cells = counts.reduce((product, count) => product * count, 1);
  return Array.from({ length: cells }, (_, cell): MadeElite => {
    let left = cell;
    const bins = counts.toReversed().map((count) => {
      const bin = left % count;
      left = Math.floor(left / count);
      return bin;
    });
    const measures = bins.toReversed();
    return { cell, objective: Math.round(100 * (measures[0]! + fraction(cell))) / 100, measures };
  }).filter(({ cell }) => fraction(3 * cell) < share);
}

/** The course of a search of this many batches. */
export function history(batches: number): SearchHistory {
  const times = Array.from({ length: batches }, (_, i) => i + 1);
  return {
    evaluations: times.map((time) => time * 1024),
    seconds: times.map((time) => time * 0.5 + fraction(time) / 8),
    qdScore: times.map((time) => 1000 * (1 - 1 / time)),
    coverage: times.map((time) => 0.8 * (1 - 1 / time)),
    best: times.map((time) => -1 / (time * time)),
  };
}

/** Rates of operators whose sums are 1. */
export function rates(operators: readonly string[], times: number): PictureRates {
  const all = Array.from({ length: times }, (_, time) => {
    const weights = operators.map((_, i) => 0.2 + fraction(time * 7 + i * 3));
    const sum = weights.reduce((a, b) => a + b);
    return weights.map((weight) => weight / sum);
  });
  return { operators, candidates: all.map((_, time) => time * 500), rates: all.flat() };
}

/** Elites of which every third has two parents. */
export function lineage(count: number): LineageEntry[] {
  return Array.from({ length: count }, (_, i): LineageEntry => {
    const parents =
      i === 0 ? [-1, -1] : [10 * (i - 1), i % 3 === 2 ? 10 * Math.floor(fraction(i) * (i - 1)) : -1];
    return {
      ...{ serial: 10 * i, parents, text: `x + ${i} < tanh(x)`, value: 2 ** -Math.min(i, 30) },
      ...(i === 0 ? {} : { operator: i % 3 === 2 ? "crossover" : "replace" }),
    };
  });
}
