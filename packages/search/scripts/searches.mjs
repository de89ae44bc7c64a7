// Short searches whose archives are the same for any number of workers, in every version of Node and in browsers. Between them they use
// every space, archive and emitter whose numbers could depend on the engine.

import { table as astTable } from "@mm-ptx/ast/f32";
import {
  astSpace,
  backpropagate,
  cmaEs,
  columnsEvaluator,
  curiosity,
  cvtArchive,
  evolve,
  functionEvaluator,
  gridArchive,
  isoLine,
  lexicase,
  mcmc,
  measures,
  Search,
  stackSpace,
  tournament,
  vectorSpace,
} from "@mm-ptx/search";
import { Regression } from "@mm-ptx/search/regress";
import { table as stackTable } from "@mm-ptx/stack/default";

/** The hashes of their archives. They change with the descriptions of the searches, and with whatever makes candidates. */
export const EXPECTED = {
  regression: "e42a9064454f203fd3147a415d6b27d5",
  approximation: "ed64076bb94b29f45650475f579d6af4",
  cases: "d9647d4f1fa638a2adc4a141d28dfb37",
  vectors: "4c73c7e57b7f9da5e4ba91d15b099ae7",
};

const ROWS = 128;
const x = Float32Array.from({ length: ROWS }, (_, row) => (row - 64) / 20);
const y = Float32Array.from({ length: ROWS }, (_, row) => ((row * 37) % 101) / 25);

/** @param {number} workers */
function regression(workers) {
  const target = Float64Array.from(
    x,
    (value, row) => 1.5 * value * value + Math.fround(y[row] / (value * value + 1)),
  );
  return new Regression({
    ...{ inputs: ["x", "y"], columns: [x, y], target, maxLength: 20, workers },
    ...{ functions: ["+", "-", "*", "/", "sin", "exp", "log"], seed: 1, batchSize: 128 },
    ahead: 1,
  }).search;
}

/** Constants by evolution, approximate instructions, instructions of the machine. @param {number} workers */
function approximation(workers) {
  const instructions = [
    "add.ftz.f32",
    "mul.ftz.f32",
    "fma.rn.ftz.f32",
    "tanh.approx.f32",
    "ex2.approx.ftz.f32",
  ];
  const space = stackSpace(stackTable, {
    operands: [
      { name: "out", direction: "out", register: "out", registerType: "f32", type: "F32" },
      { name: "x", direction: "in", register: "x", registerType: "f32", type: "F32" },
    ],
    instructions,
    maxLength: 16,
  });
  const target = Float64Array.from(x, (value) => value / (1 + value * value));
  return new Search({
    space,
    archive: gridArchive({
      axes: [
        { name: "machine instructions", min: 1, max: 12 },
        { name: "special instructions", min: 0, max: 3 },
      ],
    }),
    emitters: [
      evolve({ select: curiosity() }),
      mcmc({ chains: 8, temperature: { from: 1, to: 0.01, candidates: 500 } }),
    ],
    evaluator: columnsEvaluator({
      ...{ space, columns: [x], loss: { kind: "max", target }, workers },
      measures: [measures.machineInstructions(), measures.specialInstructions()],
      tuning: [{ method: "es", iterations: 20, within: 4 }],
      racing: { rows: 32 },
    }),
    ...{ seed: 2, batchSize: 64 },
  });
}

/** Lexicase selection by the errors of all rows. @param {number} workers */
function cases(workers) {
  const space = astSpace(astTable, { inputs: ["x", "y"], maxLength: 15 });
  const target = Float64Array.from(x, (value, row) => Math.abs(value) - y[row]);
  return new Search({
    space,
    archive: gridArchive({ axes: [{ name: "complexity", min: 1, max: 15 }], cases: ROWS }),
    emitters: [
      evolve({ select: lexicase({ downSample: 0.25 }) }),
      evolve({ select: tournament({ size: 3 }) }),
      backpropagate({ columns: [x, y], target, library: 300 }),
    ],
    learn: {},
    evaluator: columnsEvaluator({
      ...{ space, columns: [x, y], loss: { kind: "mae", target }, cases: true, workers },
      measures: [measures.complexity()],
    }),
    ...{ seed: 3, batchSize: 128 },
  });
}

function vectors() {
  const dimensions = 6;
  const space = vectorSpace({ bounds: Array.from({ length: dimensions }, () => [-5.12, 5.12]) });
  const floats = new Float32Array(dimensions);
  const words = new Uint32Array(floats.buffer);
  const sum = (/** @type {number} */ from, /** @type {number} */ to) =>
    floats.subarray(from, to).reduce((all, value) => all + value, 0);
  return new Search({
    space,
    archive: cvtArchive({
      cells: 200,
      ranges: [
        { name: "first half", min: -15, max: 15 },
        { name: "second half", min: -15, max: 15 },
      ],
    }),
    emitters: [
      cmaEs({ x0: new Array(dimensions).fill(0), sigma0: 0.5, batch: 32 }),
      isoLine({ x0: new Array(dimensions).fill(0), isoSigma: 0.3, lineSigma: 0.2 }),
    ],
    evaluator: functionEvaluator({
      name: "sphere",
      measures: ["first half", "second half"],
      score: (genome) => {
        words.set(genome);
        return {
          objective: -floats.reduce((all, value) => all + (value - 2) * (value - 2), 0),
          measures: [sum(0, dimensions / 2), sum(dimensions / 2, dimensions)],
        };
      },
    }),
    ...{ seed: 4, batchSize: 64 },
  });
}

/** @satisfies {Record<string, (workers: number) => Search>} */
const SEARCHES = { regression, approximation, cases, vectors };

/**
 * The hashes of the archives after a few batches.
 *
 * @param {number} workers
 * @returns {Promise<Record<string, string>>}
 */
export async function hashesOfSearches(workers) {
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const [name, make] of Object.entries(SEARCHES)) {
    const search = make(workers);
    for await (const event of search.run({ batches: 4 })) void event;
    hashes[name] = Array.from(search.hash(), (word) => word.toString(16).padStart(8, "0")).join("");
  }
  return hashes;
}

/** Whether the archives are as expected; the check of the packed package calls it in a browser. */
export default async function works() {
  return JSON.stringify(await hashesOfSearches(1)) === JSON.stringify(EXPECTED);
}
