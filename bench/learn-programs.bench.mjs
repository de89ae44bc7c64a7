// How well models rank random and evolved programs that they have not seen: the rank correlation, and the shares of the best tenth that are
// in the first tenth and in the first quarter. LightGBM and scikit-learn rank the same programs, if they can be installed. Figures are means
// over four targets, two places in the order of evaluation and, for evolved programs, three searches.

import {
  estimateRankings,
  modelRankings,
  pythonRankings,
  rankingTests,
  USED,
} from "./lib/learning-ranking.mjs";

const SETS = ["evolved, static", "evolved, probes", "random, static", "random, probes"];
/** What others may be better by. */
const MARGINS = { rho: 0.02, tenth: 0.03 };
const WORDS = { rho: "rank correlation", tenth: "best tenth found in the first tenth" };
/** Our models, of which the better one counts, and those of Python that they are compared with. */
const COMPARED = [
  [["trees", "general trees"], "LightGBM", ["rho", "tenth"]],
  [["trees, best tenth", "general trees, best tenth"], "LightGBM, best tenth", ["tenth"]],
  [["neighbours"], "k-NN", ["rho", "tenth"]],
  // Reported only.
  [["trees", "general trees"], "HistGradientBoosting", ["rho"], false],
];

export async function run() {
  const tests = await rankingTests();
  console.error(`learn-programs: ${USED}`);
  const ours = modelRankings(tests);
  const theirs = pythonRankings(tests);
  const rows = SETS.flatMap((set) => [
    ...Object.entries(ours).map(([model, means]) => rankingRow(set, model, means[set], "ours")),
    ...Object.entries(theirs).map(([model, means]) => rankingRow(set, model, means[set], "yardstick")),
    ...COMPARED.filter(([, library]) => theirs[library] !== undefined).flatMap(
      ([models, library, figures, hasBudget = true]) =>
        figures.map((figure) => {
          const best = Math.max(...models.map((model) => ours[model][set][figure]));
          const yardstick = theirs[library][set][figure];
          const budget = yardstick - MARGINS[figure];
          return {
            ...{ name: `${set}: ${WORDS[figure]}, ${models[0]} (${library})`, ours: best, yardstick },
            ...(hasBudget && { budget, pass: best >= budget }),
          };
        }),
    ),
  ]);
  // Estimates do not depend on features.
  const estimates = Object.entries(estimateRankings(tests)).flatMap(([count, means]) =>
    ["evolved", "random"].map((set) =>
      rankingRow(set, `R2 on ${count} rows, no model`, means[`${set}, probes`], "ours"),
    ),
  );
  return [...rows, ...estimates];
}

/** What a model finds, with its rank correlation in one of the columns. */
const rankingRow = (set, what, { rho, tenth, quarter }, column) => ({
  name: `${set}: ${what}; best tenth found in the first tenth / quarter: ${tenth.toFixed(2)} / ${quarter.toFixed(2)}; rank correlation`,
  [column]: rho,
});
