// Models of @mm-ptx/learn on one thread, with each backend, and what they know of the registers and the machine instructions of random
// programs. Libraries of Python and npm for models run the same work in the same run, as far as they can be installed.

import { capabilities } from "@mm-ptx/cuda";
import { Table, Trees } from "@mm-ptx/learn";
import { accuracy, modelSizes, modelTimes, startTimes } from "./lib/learning.mjs";
import { compiledCosts, costRows } from "./lib/learning-costs.mjs";
import { workerRows } from "./lib/learning-workers.mjs";
import { runWithLibraries, TFJS } from "./lib/npm.mjs";
import { LEARNING, runPython } from "./lib/python.mjs";

/** What runs the work with other libraries; `undefined` if they cannot be installed. */
const LIBRARIES = {
  models: () => runPython("learning.py", [], LEARNING.models),
  xgboost: () => runPython("learning_xgboost.py", [], LEARNING.xgboost),
  torch: () => runPython("learning_torch.py", [], LEARNING.torch),
  jax: () => runPython("learning_jax.py", [], LEARNING.jax),
  tfjs: () => runWithLibraries(new URL("./lib/learning-tfjs.mjs", import.meta.url), TFJS),
};

const { findAddon } = await import(new URL("./native/addon.js", import.meta.resolve("@mm-ptx/learn")));
/** The instruction set of the native backend. */
const NATIVE = findAddon().addon?.isa();

/**
 * What is measured: its name in `modelTimes`, in words, its unit, and for each library the name in its script and the least ratios with
 * WebAssembly and with native code. A ratio of 0 is reported only.
 *
 * @type {readonly [string, string, string, readonly (readonly [library: string, key: string, webAssembly: number, native: number, what: string])[]][]}
 */
const TIMES = [
  [
    ...["treesFit", "trees: rows to fitted model, 2,000 x 16, 100 trees of depth 4", "ms"],
    [
      ["models", "treesFit", 3, 5, "LightGBM"],
      ["models", "obliviousFit", 3, 5, "CatBoost"],
      ["xgboost", "treesFit", 3, 5, "XGBoost"],
    ],
  ],
  [
    ...["treesPredict", "trees: 10,000 rows to scores", "ms"],
    [
      ["models", "treesPredict", 20, 20, "LightGBM"],
      ["models", "obliviousPredict", 3, 8, "CatBoost"],
      ["xgboost", "treesPredict", 6, 6, "XGBoost"],
    ],
  ],
  [
    ...["treesOne", "trees: one row to a score", "us"],
    [
      ["models", "treesOne", 10, 10, "LightGBM"],
      ["xgboost", "treesOne", 10, 10, "XGBoost"],
    ],
  ],
  ["generalFit", "general trees: rows to fitted model", "ms", [["models", "treesFit", 0, 0, "LightGBM"]]],
  [
    "generalPredict",
    "general trees: 10,000 rows to scores",
    "ms",
    [["models", "treesPredict", 0, 0, "LightGBM"]],
  ],
  [
    "update64",
    "linear: one update, 64 features",
    "us",
    [["models", "update64", 5, 6, "numpy, Sherman and Morrison"]],
  ],
  [
    ...["update128", "linear: one update, 128 features", "us"],
    [
      ["models", "update128", 3.3, 6, "numpy"],
      ["models", "refit", 300, 300, "a new fit of Ridge to 1,000 rows"],
    ],
  ],
  ["update256", "linear: one update, 256 features", "us", [["models", "update256", 2.8, 8, "numpy"]]],
  [
    "linearFit",
    "linear: 1,000 rows to weights, 128 features",
    "ms",
    [
      ["models", "linearFit", 1.7, 3, "Ridge"],
      ["models", "numpyFit", 0, 1, "numpy"],
    ],
  ],
  ["pca", "PCA: 256 rows of 64 in, 8 components out", "us", [["models", "pca", 30, 60, "IncrementalPCA"]]],
  [
    "neighbours",
    "neighbours: 10,000 queries in 2,000 x 16, k = 15",
    "ms",
    [
      ["models", "neighbours", 1.1, 3, "brute force"],
      ["models", "kdTree", 4, 4, "kd-tree"],
    ],
  ],
  [
    ...["neighbours10000", "neighbours: 10,000 queries in 10,000 x 16, k = 15", "ms"],
    [
      ["models", "neighbours10000", 1.2, 3, "brute force"],
      ["models", "kdTree10000", 4, 4, "kd-tree"],
    ],
  ],
  ...[
    [32, 6, NATIVE === "avx512" ? 12 : 8],
    [256, 1.5, NATIVE === "avx512" ? 4 : 3],
    [1024, 0.8, NATIVE === "avx512" ? 2.4 : 1.7],
  ].map(([rows, webAssembly, native]) => [
    ...[`mlp${rows}`, `MLP 32-64-64-1: a step of ${rows} rows`, "us"],
    [
      ["torch", `mlp${rows}`, webAssembly, native, "PyTorch with fused Adam"],
      ["jax", `mlp${rows}`, 0, 0.9, "JAX, 100 steps in a scan"],
      ...(rows < 1024
        ? [
            ["models", `mlp${rows}`, 0, 0, "scikit-learn"],
            ["tfjs", `mlp${rows}`, rows === 32 ? 20 : 12, 0, "TensorFlow.js in WebAssembly"],
          ]
        : []),
    ],
  ]),
];

/** A row whose budget is an absolute figure. */
const atMost = (name, ours, bar, unit) => ({
  ...{ name: `${name} (at most ${bar.toLocaleString("en")})`, ours, yardstick: bar, ratio: ours / bar },
  ...{ budget: 1, unit, pass: ours <= bar },
});

export async function run() {
  const backends = ["webassembly", "native"].filter(hasBackend);
  if (backends.length < 2)
    console.error("learn: the native addon cannot be loaded, so WebAssembly is measured alone");
  const ours = backends.map((backend) => [backend, modelTimes(backend)]);
  const theirs = Object.fromEntries(
    Object.entries(LIBRARIES).map(([library, measure]) => [library, measure() ?? {}]),
  );
  const compiles = capabilities().backends.some(({ available }) => available);
  if (!compiles) console.error("learn: nothing compiles PTX here, so costs are not learned");
  const costs = [];
  // On the second, 541 of the 900 programs need the same number of registers.
  for (const arch of compiles ? ["sm_80", "sm_90"] : []) costs.push(...costRows(await compiledCosts(arch)));
  const { imported, made } = startTimes();
  return [
    ...ours.flatMap(([backend, times]) => TIMES.flatMap((each) => timeRows(backend, times, theirs, each))),
    ...ours.map(([backend, { treesOne }]) =>
      atMost(`trees: one row to a score, ${backend}`, treesOne, 1, "us"),
    ),
    ...(backends.includes("native") ? workerRows() : []),
    ...backends.flatMap((backend) => memoryRows(backend, modelSizes(backend))),
    atMost("start: a small model in WebAssembly in a new process, the slowest kind", made, 2, "ms"),
    ...importRows(imported, theirs),
    ...accuracy({ LightGBM: theirs.models.explained, CatBoost: theirs.models.obliviousExplained }),
    ...costs,
  ];
}

const memoryRows = (backend, { mlp32, mlp256, trees }) => [
  atMost(`MLP 32-64-64-1: memory with batches of 32 rows, ${backend}`, mlp32, 200_000, "bytes"),
  { name: `MLP 32-64-64-1: memory with batches of 256 rows, ${backend}`, ours: mlp256, unit: "bytes" },
  atMost(`trees: memory for 16,384 x 16, ${backend}`, trees, 2_000_000, "bytes"),
];

/** What importing the package takes, beside what importing others takes. */
const importRows = (imported, { torch, models }) =>
  [
    ["PyTorch", torch.import],
    ["LightGBM and scikit-learn", models.import],
  ].flatMap(([library, yardstick]) =>
    yardstick === undefined
      ? []
      : {
          name: `start: import of the package in a new process (${library})`,
          ...{ ours: imported, yardstick, ratio: yardstick / imported, unit: "ms" },
        },
  );

function hasBackend(backend) {
  try {
    return new Trees(new Table({ columns: 1, capacity: 1 }), { backend }).backend === backend;
  } catch {
    return false;
  }
}

/** A row for each library that the same work is compared with, or one without a yardstick. */
function timeRows(backend, times, theirs, [key, name, unit, libraries]) {
  const compared = libraries.filter(([library, other]) => theirs[library][other] !== undefined);
  if (compared.length === 0) return [{ name: `${name}, ${backend}`, ours: times[key], unit }];
  return compared.map(([library, other, webAssembly, native, what]) => {
    const yardstick = theirs[library][other];
    const ratio = yardstick / times[key];
    const isNative = backend === "native";
    const budget = isNative ? native : webAssembly;
    return {
      ...{
        name: `${name}, ${isNative ? `native, ${NATIVE}` : backend} (${what})`,
        ours: times[key],
        yardstick,
        ratio,
        unit,
      },
      ...(budget > 0 && { budget, pass: ratio >= budget }),
    };
  });
}
