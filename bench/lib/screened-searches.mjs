// MAP-Elites over Stack PTX programs, with and without a model that screens candidates, at equal numbers of evaluations.

import { columnsEvaluator, evolve, gridArchive, measures, Search, stackSpace } from "@mm-ptx/search";
import { table } from "@mm-ptx/stack/default";
import { F32_OPERATIONS, INPUTS, TARGETS, valuesOf } from "./program-targets.mjs";

const PROBES = 16;
const BATCH = 100;
const EXCESS = 4;
/** When archives are looked at. */
export const POINTS = [500, 1000, 2000, 3000];

const TRANSCENDENTAL = ["sin", "cos", "ex2", "lg2"];

const probes = INPUTS.map((column) => column.slice(0, PROBES));

const space = () =>
  stackSpace(table, {
    operands: ["x", "y", "z", "out"].map((name) => ({
      ...{ name, register: name, registerType: "f32", type: "F32" },
      direction: name === "out" ? "out" : "in",
    })),
    instructions: F32_OPERATIONS,
    ...{ length: { min: 16, max: 64 }, maxLength: 64 },
  });

const AXES = [
  { name: "instructions", min: 1, max: 24, width: 2 },
  { name: "operations", min: 0, max: 5 },
];
const cellMeasures = () => [measures.instructions(), measures.operations(TRANSCENDENTAL)];

/** The fitness from 0 to 4: the digits of 1 - r2. */
function fitnessOf(target) {
  const inner = columnsEvaluator({
    ...{ space: target.space, columns: INPUTS, measures: cellMeasures() },
    loss: { kind: "nmse", target: valuesOf(target.of) },
    ...(target.racing && { racing: target.racing }),
  });
  return {
    ...{ description: inner.description, measures: inner.measures, failures: inner.failures },
    get excess() {
      return inner.excess;
    },
    async evaluate(candidates, evaluation) {
      const scores = await inner.evaluate(candidates, evaluation);
      const objective = scores.objective.map((loss) => Math.max(0, -Math.log10(1e-4 - loss)));
      return { ...scores, objective };
    },
    learn: (batch) => inner.learn?.(batch),
  };
}

/** Evaluates a part of the candidates that is drawn at random. */
function randomly(evaluator) {
  return {
    ...{
      description: "random",
      measures: evaluator.measures,
      failures: [...evaluator.failures, "SCREENED"],
      excess: EXCESS,
    },
    async evaluate(candidates, evaluation) {
      const scores = await evaluator.evaluate(candidates, evaluation);
      // Candidates do not depend on their places in a batch, so the first are as random as any.
      scores.status.fill(
        evaluator.failures.includes("SCREENED")
          ? 1 + evaluator.failures.indexOf("SCREENED")
          : 1 + evaluator.failures.length,
        BATCH,
      );
      return scores;
    },
  };
}

const screened = (candidates, options) => ({
  screen: { predicts: "objective", candidates, measures: cellMeasures(), ...options },
});

/** Filters by their names. */
export const FILTERS = {
  none: () => ({}),
  "random x4": () => ({ wrap: randomly }),
  "static x4": () => screened(4, {}),
  "static x16": () => screened(16, {}),
  "static x16, linear": () => screened(16, { model: "linear" }),
  "probes x4": () => screened(4, { probes }),
  "probes x16": () => screened(16, { probes }),
  "probes x32": () => screened(32, { probes }),
  "64 rows x4, no model": () => ({ racing: { rows: 64, excess: EXCESS } }),
};

/** Searches with one seed for one target: QD scores and best fitness at `POINTS`. */
export async function searchOnce(filter, target, seed, last = POINTS.at(-1)) {
  const { screen, wrap = (evaluator) => evaluator, racing } = FILTERS[filter]();
  const own = space();
  const search = new Search({
    ...{ space: own, archive: gridArchive({ axes: AXES }), emitters: [evolve()] },
    evaluator: wrap(fitnessOf({ of: TARGETS[target], space: own, racing })),
    ...{ seed, batchSize: BATCH },
    ...(screen && { screen }),
  });
  const points = [];
  let filtered = 0;
  let batches = 0;
  for await (const event of search.run({ evaluations: last })) {
    if (event.type === "end") break;
    batches++;
    if (event.screen?.filtered) filtered++;
    while (points.length < POINTS.length && event.evaluations >= POINTS[points.length])
      points.push({ qd: event.qdScore, best: event.best ?? 0 });
  }
  return { points, filtered: filtered / batches };
}

export const TARGET_COUNT = TARGETS.length;
