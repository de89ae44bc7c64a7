// The search: filters of minimum and maximum by the number of instructions and of pixels that they read.
import { table } from "@mm-ptx/ast/f32";
import { type GridArchive, gridArchive } from "../../../archives/grid.js";
import { evolve } from "../../../emitters/evolve.js";
import { columnsEvaluator } from "../../../evaluation/columns/evaluator.js";
import { measures } from "../../../evaluation/measures.js";
import { Search } from "../../../search/search.js";
import { type AstSpace, astSpace } from "../../../spaces/ast.js";
import { medians, NEIGHBOURS } from "./photo.js";

/** The exact median takes 30 instructions. */
export const MOST_INSTRUCTIONS = 32;
const LONGEST = 48;
const BATCH = 1024;

/** The functions that filters consist of, besides minimum and maximum. */
const FUNCTIONS = {
  median3: "max(min(a, b), min(max(a, b), c))",
  min3: "min(min(a, b), c)",
  max3: "max(max(a, b), c)",
};

/** All rows of zeros and ones, as columns. */
export const zeroOneRows = (): Float32Array[] =>
  Array.from({ length: NEIGHBOURS }, (_, pixel) =>
    Float32Array.from({ length: 2 ** NEIGHBOURS }, (_, row) => (row >> pixel) & 1),
  );

const ROW = (name: string, row: number): string =>
  `${name}(${[0, 1, 2].map((column) => `p${3 * row + column}`).join(", ")})`;
const ROWS_OF = (name: string): string => [0, 1, 2].map((row) => ROW(name, row)).join(", ");

/** Filters that are known, as formulas. */
export const KNOWN_FILTERS = [
  { label: "median of the medians of rows", formula: `median3(${ROWS_OF("median3")})` },
  {
    // A. Paeth, "Median finding on a 3 x 3 grid", Graphics Gems, 1990.
    label: "exact median of nine",
    formula: `median3(max3(${ROWS_OF("min3")}), median3(${ROWS_OF("median3")}), min3(${ROWS_OF("max3")}))`,
  },
] as const;

/** A search for filters, and what it consists of. */
export interface MedianSearch {
  readonly search: Search;
  readonly space: AstSpace;
  readonly archive: GridArchive;
}

/**
 * Makes the search. Filters are compared on the 512 rows of zeros and ones: one that is right on all of them is the median of any numbers
 * (the 0-1 principle; Knuth, The Art of Computer Programming, volume 3, section 5.3.4).
 */
export function medianSearch(seed: number, workers: number): MedianSearch {
  const columns = zeroOneRows();
  const space = astSpace(table, {
    inputs: Array.from({ length: NEIGHBOURS }, (_, pixel) => `p${pixel}`),
    operators: ["min", "max", ...Object.keys(FUNCTIONS)],
    functions: FUNCTIONS,
    constants: false,
    maxLength: LONGEST,
    weights: { median3: 3 },
  });
  const archive = gridArchive({
    axes: [
      { name: "machine instructions", min: 0, max: MOST_INSTRUCTIONS },
      { name: "pixels", min: 1, max: NEIGHBOURS },
    ],
  });
  const evaluator = columnsEvaluator({
    space,
    columns,
    loss: { kind: "mse", target: medians(columns) },
    measures: [measures.machineInstructions(), measures.inputs("pixels")],
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
