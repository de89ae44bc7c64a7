// Models of @mm-ptx/learn on one thread, and what they know of the registers and the machine instructions of random programs.
// scikit-learn, LightGBM, CatBoost and numpy run the same work in the same run, if they can be installed.

import { capabilities } from "@mm-ptx/cuda";
import { accuracy, modelTimes } from "./lib/learning.mjs";
import { compiledCosts, costRows } from "./lib/learning-costs.mjs";
import { LEARNING, runPython } from "./lib/python.mjs";

/** @param {string} name @param {number} ours @param {number | undefined} theirs @param {string} unit @param {number} budget */
const row = (name, ours, theirs, unit, budget) => ({
  name,
  ours,
  ...(theirs !== undefined && {
    yardstick: theirs,
    ratio: theirs / ours,
    budget,
    pass: theirs / ours >= budget,
  }),
  unit,
});

export async function run() {
  const ours = await modelTimes();
  const theirs = runPython("learning.py", [], LEARNING);
  if (theirs === undefined)
    console.error("learn: without scikit-learn, LightGBM, CatBoost and numpy, figures have no yardstick");
  const compiles = capabilities().backends.some(({ available }) => available);
  if (!compiles) console.error("learn: nothing compiles PTX here, so costs are not learned");
  const costs = [];
  // On the second, 541 of the 900 programs need the same number of registers, so no order of them correlates by more than 0.89.
  for (const arch of compiles ? ["sm_80", "sm_90"] : []) costs.push(...costRows(await compiledCosts(arch)));
  return [
    row(
      "trees: rows to fitted model, 2,000 x 16, 100 trees of depth 4 (LightGBM)",
      ours.treesFit,
      theirs?.treesFit,
      "ms",
      3,
    ),
    row("trees: 10,000 rows to scores (LightGBM)", ours.treesPredict, theirs?.treesPredict, "ms", 20),
    row("trees: rows to fitted model (CatBoost)", ours.treesFit, theirs?.obliviousFit, "ms", 3),
    row("trees: 10,000 rows to scores (CatBoost)", ours.treesPredict, theirs?.obliviousPredict, "ms", 3),
    row("trees: one row to a score (LightGBM)", ours.treesOne, theirs?.treesOne, "us", 10),
    row(
      "linear: one update, 64 features (numpy, Sherman and Morrison)",
      ours.update64,
      theirs?.update64,
      "us",
      5,
    ),
    row("linear: one update, 128 features", ours.update128, theirs?.update128, "us", 3.3),
    row("linear: one update, 256 features", ours.update256, theirs?.update256, "us", 2.8),
    row("linear: 1,000 rows to weights, 128 features (Ridge)", ours.linearFit, theirs?.linearFit, "ms", 1.7),
    row("PCA: 256 rows of 64 in, 8 components out (IncrementalPCA)", ours.pca, theirs?.pca, "us", 30),
    row(
      "neighbours: 10,000 queries in 2,000 x 16, k = 15 (brute force)",
      ours.neighbours,
      theirs?.neighbours,
      "ms",
      1.1,
    ),
    row("MLP 32-64-64-1: a step of 32 rows (scikit-learn)", ours.mlp32, theirs?.mlp32, "us", 6),
    row("MLP 32-64-64-1: a step of 256 rows (scikit-learn)", ours.mlp256, theirs?.mlp256, "us", 1.5),
    { name: "MLP 32-64-64-1: memory with a batch of 256", ours: ours.mlpBytes / 1024, unit: "KiB" },
    { name: "trees: memory for 16,384 x 16", ours: ours.treesBytes / 1024, unit: "KiB" },
    ...accuracy({ LightGBM: theirs?.explained, CatBoost: theirs?.obliviousExplained }),
    ...costs,
  ];
}
