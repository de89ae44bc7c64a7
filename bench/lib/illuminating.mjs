// Searches of the problems of ./illumination.mjs, whose figures pyribs has too.

import { cmaEs, isoLine, Search } from "@mm-ptx/search";
import { SPHERE_SEARCHES, SPHERE_SEEDS, sphere } from "@mm-ptx/search/yardsticks";
import { arm, rastrigin } from "./illumination.mjs";

const CMA_EMITTERS = 15;
const CMA_BATCH = 36;

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {import("./illumination.mjs").Problem} problem
 * @property {number} seeds
 * @property {number} [batch]
 * @property {readonly number[]} evaluations when the archive is looked at
 * @property {() => import("@mm-ptx/search").Emitter[]} emitters
 * @property {boolean} [before] whether candidates are compared with the archive before the batch, as pyribs does
 * @property {{ learningRate: number, min: number }} [threshold] of the archive; then the figures are those of a second one without
 */

const cma = (options = {}) =>
  Array.from({ length: CMA_EMITTERS }, () => cmaEs({ sigma0: 0.5, batch: CMA_BATCH, ...options }));
const SHORT = [54_000, 108_000];

/** @type {Record<string, Row>} */
export const ROWS = {
  ...Object.fromEntries(
    SPHERE_SEARCHES.map(({ key, name, dimensions, emitters, scores }) => [
      key,
      {
        name,
        problem: sphere(dimensions),
        seeds: SPHERE_SEEDS,
        evaluations: Object.keys(scores).map(Number),
        emitters,
      },
    ]),
  ),
  cma20: {
    name: "sphere of 20, CMA-ME",
    problem: sphere(20),
    seeds: 5,
    evaluations: SHORT,
    emitters: () => cma(),
  },
  cmaBefore20: {
    name: "sphere of 20, CMA-ME, compared with the archive before the batch",
    problem: sphere(20),
    seeds: 5,
    evaluations: SHORT,
    emitters: () => cma(),
    before: true,
  },
  mae100: {
    name: "sphere of 100, CMA-MAE, learning rate 0.01",
    problem: sphere(100),
    seeds: 3,
    evaluations: [270_000],
    emitters: () => cma({ ranker: "imp", selection: "mu", restart: "basic" }),
    threshold: { learningRate: 0.01, min: 0 },
  },
  arm12: {
    name: "arm of 12 links, CVT, iso 0.1, line 0.2",
    problem: arm(12),
    seeds: 5,
    batch: 150,
    evaluations: [15_000, 105_000],
    emitters: () => [isoLine({ isoSigma: 0.1, lineSigma: 0.2 })],
  },
  rastrigin6: {
    name: "Rastrigin of 6, CVT, iso 0.1, line 0.2",
    problem: rastrigin(6),
    seeds: 5,
    batch: 100,
    evaluations: [10_000, 100_000],
    emitters: () => [isoLine({ isoSigma: 0.1, lineSigma: 0.2 })],
  },
};

/**
 * Searches with one seed.
 *
 * @param {Row} row
 * @param {number} seed
 * @returns {Promise<{ evaluations: number, score: number, coverage: number }[]>} QD scores divided by the number of cells, coverage
 * in percent
 */
export async function searchRow({ problem, evaluations, threshold, emitters, before, batch = 540 }, seed) {
  const resultArchive = problem.archive();
  const evaluator = evaluatorOf(problem);
  const search = new Search({
    space: problem.space(),
    archive: threshold ? problem.archive({ threshold }) : resultArchive,
    ...(threshold && { resultArchive }),
    emitters: before ? emitters().map((emitter) => comparedBefore(emitter, evaluator)) : emitters(),
    evaluator,
    batchSize: batch,
    seed,
  });
  const results = [];
  for await (const event of search.run({ evaluations: evaluations.at(-1) })) {
    if (event.type === "end" || !evaluations.includes(event.evaluations)) continue;
    results.push({
      evaluations: event.evaluations,
      score: resultArchive.qdScore / resultArchive.cells,
      coverage: (100 * resultArchive.count) / resultArchive.cells,
    });
  }
  return results;
}

function evaluatorOf({ measures: names, score }) {
  /** What became of each candidate if it is compared with the archive before the batch. */
  const before = { status: new Uint8Array(0), value: new Float64Array(0) };
  return {
    before,
    description: "benchmark",
    measures: names,
    failures: [],
    evaluate({ genomes, count }, { archive }) {
      const numbers = new Float32Array(genomes.room.buffer);
      const objective = new Float64Array(count);
      const measures = new Float64Array(names.length * count);
      before.status = new Uint8Array(count);
      before.value = new Float64Array(count);
      for (let index = 0; index < count; index++) {
        const at = names.length * index;
        objective[index] = score(numbers, genomes.offsets[index], measures, at);
        const elite = archive.at(archive.cellOf(measures, at));
        const value = objective[index] - (elite < 0 ? 0 : archive.objective(elite));
        before.value[index] = value;
        before.status[index] = elite < 0 ? 2 : value > 0 ? 1 : 0;
      }
      return { status: new Uint8Array(count), objective, measures };
    },
  };
}

/** An emitter that learns what pyribs would tell it: candidates of a batch are not compared with each other. */
const comparedBefore = (emitter, { before }) => ({
  kind: emitter.kind,
  description: emitter.description,
  emit: (...args) => emitter.emit(...args),
  tell: (feedback) => emitter.tell({ ...feedback, additions: { ...feedback.additions, ...before } }),
});
