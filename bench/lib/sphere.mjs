// The sphere of pyribs (linear projection; Fontaine et al., GECCO 2020): searches of it, and what pyribs 0.12.0 found.

import { cmaEs, gaussian, gridArchive, isoLine, Search, vectorSpace } from "@mm-ptx/search";

const LIMIT = 5.12;
const CENTRE = 2.048;
const WORST = 7.168;
const BINS = 100;
const BATCH = 540;
const CMA_EMITTERS = 15;

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} dimensions
 * @property {number} seeds
 * @property {readonly number[]} evaluations when the archive is looked at
 * @property {() => import("@mm-ptx/search").Emitter[]} emitters
 * @property {boolean} [before] whether candidates are compared with the archive before the batch, as pyribs does
 * @property {{ learningRate: number, min: number }} [threshold] of the archive; then the figures are those of a second one without
 */

const cma = (options = {}) =>
  Array.from({ length: CMA_EMITTERS }, () => cmaEs({ sigma0: 0.5, batch: BATCH / CMA_EMITTERS, ...options }));
const line = () => [isoLine({ isoSigma: 0.5, lineSigma: 0.2 })];
const noise = () => [gaussian({ sigma: 0.5 })];
const LONG = [54_000, 108_000, 270_000, 540_000];
const SHORT = [54_000, 108_000];

/** @type {Record<string, Row>} */
export const ROWS = {
  gaussian20: { name: "Gaussian 0.5", dimensions: 20, seeds: 10, evaluations: LONG, emitters: noise },
  line20: { name: "iso 0.5, line 0.2", dimensions: 20, seeds: 10, evaluations: LONG, emitters: line },
  gaussian100: { name: "Gaussian 0.5", dimensions: 100, seeds: 10, evaluations: LONG, emitters: noise },
  line100: { name: "iso 0.5, line 0.2", dimensions: 100, seeds: 10, evaluations: LONG, emitters: line },
  cma20: { name: "CMA-ME", dimensions: 20, seeds: 5, evaluations: SHORT, emitters: () => cma() },
  cmaBefore20: {
    name: "CMA-ME, compared with the archive before the batch",
    dimensions: 20,
    seeds: 5,
    evaluations: SHORT,
    emitters: () => cma(),
    before: true,
  },
  mae100: {
    name: "CMA-MAE, learning rate 0.01",
    dimensions: 100,
    seeds: 3,
    evaluations: [270_000],
    emitters: () => cma({ ranker: "imp", selection: "mu", restart: "basic" }),
    threshold: { learningRate: 0.01, min: 0 },
  },
};

/**
 * Searches with one seed.
 *
 * @param {Row} row
 * @param {number} seed
 * @returns {Promise<{ evaluations: number, score: number, coverage: number }[]>} QD scores divided by 10,000, coverage in percent
 */
export async function searchSphere(row, seed) {
  const { dimensions, evaluations, threshold } = row;
  const resultArchive = archiveOf(dimensions);
  const evaluator = sphere(dimensions);
  const search = new Search({
    space: vectorSpace({ dimensions }),
    archive: threshold ? archiveOf(dimensions, { threshold }) : resultArchive,
    ...(threshold && { resultArchive }),
    emitters: row.before
      ? row.emitters().map((emitter) => comparedBefore(emitter, evaluator))
      : row.emitters(),
    evaluator,
    batchSize: BATCH,
    seed,
  });
  const results = [];
  for await (const event of search.run({ evaluations: evaluations.at(-1) })) {
    if (event.type === "end" || !evaluations.includes(event.evaluations)) continue;
    results.push({
      evaluations: event.evaluations,
      score: resultArchive.qdScore / 1e4,
      coverage: (100 * resultArchive.count) / BINS ** 2,
    });
  }
  return results;
}

function archiveOf(dimensions, options = {}) {
  const reach = (dimensions / 2) * LIMIT;
  const axes = ["first", "second"].map((name) => ({ name, min: -reach, max: reach, bins: BINS }));
  return gridArchive({ axes, ...options });
}

/** The objective is from 0 to 100 within the limits; measures are sums of both halves, in which coordinates beyond the limits count less. */
function sphere(dimensions) {
  const half = dimensions / 2;
  const scale = 100 / (WORST * WORST * dimensions);
  /** What became of each candidate if it is compared with the archive before the batch. */
  const before = { status: new Uint8Array(0), value: new Float64Array(0) };
  return {
    before,
    description: "sphere",
    measures: ["first", "second"],
    failures: [],
    evaluate({ genomes, count }, { archive }) {
      const numbers = new Float32Array(genomes.room.buffer);
      const objective = new Float64Array(count);
      const measures = new Float64Array(2 * count);
      before.status = new Uint8Array(count);
      before.value = new Float64Array(count);
      for (let index = 0, at = 0; index < count; index++) {
        let sum = 0;
        for (let part = 0; part < 2; part++) {
          let measure = 0;
          for (let axis = 0; axis < half; axis++) {
            const x = numbers[at++];
            sum += (x - CENTRE) * (x - CENTRE);
            measure += x > LIMIT || x < -LIMIT ? LIMIT / x : x;
          }
          measures[2 * index + part] = measure;
        }
        objective[index] = 100 - scale * sum;
        const elite = archive.at(archive.cellOf(measures, 2 * index));
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
