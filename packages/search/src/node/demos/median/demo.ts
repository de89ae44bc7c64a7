// The demo of filters: a minute of evolution, then what the best filters do to a noisy picture.
import { evaluateBatch } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import type { ArchiveRows } from "../../../archives/archive.js";
import { machineCost } from "../../../evaluation/machine/cost.js";
import { archiveHeatmap } from "../../../pictures/heat-map.js";
import { paretoFront } from "../../../pictures/pareto.js";
import type { AstSpace } from "../../../spaces/ast.js";
import {
  KNOWN_FILTERS,
  type MedianSearch,
  MOST_INSTRUCTIONS,
  medianSearch,
  zeroOneRows,
} from "./evolution.js";
import {
  cleanPhoto,
  decibels,
  medians,
  neighbourhoods,
  noisyPhoto,
  type Photo,
  sideBySide,
} from "./photo.js";

/** A filter, and how good it is. */
export interface MedianFilter {
  readonly formula: string;
  readonly instructions: number;
  /** How many of the 512 rows of zeros and ones it gets wrong: with none, it is the median of nine. */
  readonly wrong: number;
  /** How close the filtered picture is to the one without noise. */
  readonly decibels: number;
}

/** What the demo is given. */
export interface MedianDemoOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly workers: number;
  readonly progress: (seconds: number, programs: number, elites: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** What the demo prints and writes. */
export interface MedianResult {
  readonly lines: readonly string[];
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

const PROGRESS_SECONDS = 1;
const ROWS = 512;

/** Lets evolution write filters, and says how good they are. */
export async function medianDemo(options: MedianDemoOptions): Promise<MedianResult> {
  const { seconds, seed, workers, progress, signal } = options;
  const parts = medianSearch(seed, workers);
  const { search, space, archive } = parts;
  let next = PROGRESS_SECONDS;
  let taken = 0;
  for await (const event of search.run({ seconds, ...(signal && { signal }) })) {
    if (event.type === "end") continue;
    taken = event.seconds;
    if (taken < next) continue;
    next = taken + PROGRESS_SECONDS;
    progress(taken, event.evaluations, event.elites);
  }
  const clean = cleanPhoto();
  const noisy = noisyPhoto(clean, seed);
  const columns = neighbourhoods(noisy);
  const judge = (genome: Uint32Array) => judged(space, genome, columns, clean);
  const front = [];
  for (const genome of frontGenomes(parts)) front.push(await judge(genome));
  const known = [];
  for (const { formula, label } of KNOWN_FILTERS)
    known.push({ ...(await judge(space.parse(formula))), label });
  const rows = archive.rows();
  const texts = textsOf(space, rows);
  const best = front.at(-1);
  const exact: Photo = { ...clean, pixels: medians(columns) };
  const title = "Filters of minimum and maximum";
  const share = { negated: true, name: "wrong rows", better: "less", scale: "linear" } as const;
  const lines = [
    "filters of nine pixels from minimum and maximum; the median of nine is right on all 512 rows of zeros and ones",
    `${search.evaluations.toLocaleString("en")} programs in ${Math.round(taken)} s, seed ${seed}; instructions counted by the cost model`,
    "",
    "instructions  wrong rows  picture",
    ...front.map(lineOf),
    "known:",
    ...known.map((each) => `${lineOf(each)}   (${each.label})`),
    "",
    `the noisy picture: ${decibels(noisy.pixels, clean.pixels).toFixed(2)} dB`,
  ];
  const files = {
    "map.svg": archiveHeatmap(rows, archive.axes, {
      title: `${title}: the part of wrong rows`,
      value: share,
      texts,
    }),
    "front.svg": paretoFront(rows, {
      title: `${title}: wrong rows by instructions`,
      cost: { measure: 0, name: "machine instructions" },
      value: share,
      texts,
      marks: known.map(({ label, instructions, wrong }) => ({
        label,
        cost: instructions,
        value: wrong / ROWS,
      })),
    }),
    "photos.png": sideBySide([
      ...[clean, noisy],
      ...(best === undefined ? [] : [{ ...clean, pixels: best.pixels }]),
      exact,
    ]),
  };
  return { lines, files };
}

const lineOf = ({ instructions, wrong, decibels: ratio, formula }: MedianFilter): string =>
  `${String(instructions).padStart(12)}  ${String(wrong).padStart(10)}  ${ratio.toFixed(2)} dB  ${formula}`;

/** The genomes that fewer instructions do not reach, by instructions; those beyond the axis are left out. */
function frontGenomes({ archive }: MedianSearch): Uint32Array[] {
  const genome = { words: new Uint32Array(0), start: 0, end: 0 };
  const front: Uint32Array[] = [];
  let best = Number.NEGATIVE_INFINITY;
  const order = Array.from({ length: archive.count }, (_, elite) => elite).sort(
    (a, b) =>
      archive.measure(a, 0) - archive.measure(b, 0) || archive.objective(b) - archive.objective(a) || a - b,
  );
  for (const elite of order) {
    if (archive.objective(elite) <= best || archive.measure(elite, 0) > MOST_INSTRUCTIONS) continue;
    best = archive.objective(elite);
    archive.genome(elite, genome);
    front.push(genome.words.slice(genome.start, genome.end));
  }
  return front;
}

/** A filter with the picture that it makes. */
async function judged(
  space: AstSpace,
  genome: Uint32Array,
  columns: readonly Float32Array[],
  clean: Photo,
): Promise<MedianFilter & { readonly pixels: Float32Array }> {
  const whole = { words: genome, start: 0, end: genome.length };
  const code = new CodeBuffer();
  space.compile(whole, code);
  const binary = zeroOneRows();
  const { loss } = await evaluateBatch(code, binary, {
    loss: { kind: "misses", target: medians(binary), tolerance: 0.5 },
  });
  const { outputs } = await evaluateBatch(code, columns, { outputs: true });
  const pixels = outputs!.column(0) as Float32Array;
  return {
    formula: space.text(whole),
    instructions: machineCost(code).instructions,
    wrong: loss![0]!,
    decibels: decibels(pixels, clean.pixels),
    pixels,
  };
}

const textsOf = (space: AstSpace, { count, genomes: { words, offsets } }: ArchiveRows): string[] =>
  Array.from({ length: count }, (_, elite) =>
    space.text({ words, start: offsets[elite]!, end: offsets[elite + 1]! }),
  );
