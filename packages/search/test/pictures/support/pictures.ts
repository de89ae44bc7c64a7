// The pictures of the goldens.
import {
  archiveHeatmap,
  cvtHeatmap,
  eliteOutputs,
  historyCurves,
  lineageTree,
  operatorCredit,
  paretoFront,
} from "../../../src/pictures/index.js";
import {
  activations,
  fraction,
  history,
  INSTRUCTIONS,
  lineage,
  MUFU,
  rates,
  real,
  rowsOf,
  scattered,
  UNIT,
} from "./made.js";

const ERROR = { negated: true, name: "largest error", scale: "log" } as const;

export const PICTURES: Readonly<Record<string, () => string>> = {
  "heat-map-two-axes": () =>
    archiveHeatmap(rowsOf(activations()), [INSTRUCTIONS, MUFU], {
      value: ERROR,
      texts: activations().map(({ measures }) => `a < b & c${measures[0]}`),
      marks: [
        { label: "tanh-GELU of PyTorch", measures: [5, 1], value: 4.73e-4 },
        { label: "sigmoid form", cell: [4, 1], value: 0.02 },
        { label: "with erff", measures: [29, 2] },
      ],
    }),
  "heat-map-one-axis": () => archiveHeatmap(rowsOf(scattered([6])), [real("share", 6, "m")]),
  "heat-map-three-axes": () =>
    archiveHeatmap(rowsOf(scattered([5, 4, 3])), [real("share", 5), MUFU, UNIT].with(1, { ...MUFU, to: 3 }), {
      theme: "dark",
    }),
  "heat-map-four-axes": () =>
    archiveHeatmap(
      rowsOf(scattered([3, 3, 2, 2])),
      [UNIT, real("share", 3), { ...MUFU, from: 1, to: 2 }, real("slope", 2)],
      { theme: "light" },
    ),
  "heat-map-field": () =>
    archiveHeatmap(rowsOf(activations()), [INSTRUCTIONS, MUFU], {
      title: "What PTX permits",
      value: { field: "PTX bound", better: "less", scale: "log", range: [1e-4, 1e-1] },
      print: false,
      hover: false,
    }),
  "heat-map-empty": () => archiveHeatmap(rowsOf([]), [INSTRUCTIONS, MUFU]),
  "cvt-map": () => {
    const coordinates = Float64Array.from({ length: 48 }, (_, i) => 2 * fraction(7 * i + 1) - 1);
    const elites = Array.from({ length: 20 }, (_, cell) => ({
      ...{ cell, objective: cell / 4, measures: [coordinates[2 * cell]!, coordinates[2 * cell + 1]!] },
    }));
    return cvtHeatmap(
      rowsOf(elites),
      {
        coordinates,
        axes: [
          { name: "share", from: -1, to: 1 },
          { name: "angle", unit: "rad", from: -1, to: 1 },
        ],
      },
      {
        marks: [
          { label: "baseline", measures: [0.1, 0.2], value: 3 },
          { label: "cell 3", cell: [3] },
        ],
      },
    );
  },
  history: () => historyCurves(history(40), { value: ERROR }),
  "history-of-several": () =>
    historyCurves(
      [
        { name: "grid", ...history(30) },
        { evaluations: [0, 100, 3000], best: [Number.NaN, -0.5, -0.25] },
      ],
      { theme: "dark", title: "With and without a grid" },
    ),
  "history-empty": () => historyCurves({ evaluations: [], best: [] }),
  "operator-credit": () => operatorCredit(rates(["umad", "replace", "crossover <2>"], 20)),
  "operator-credit-lines": () => {
    const names = Array.from({ length: 12 }, (_, i) => `operator ${i + 1}`);
    return operatorCredit(rates(names, 8), { stacked: false, theme: "light" });
  },
  "pareto-front": () => {
    const elites = activations();
    return paretoFront(rowsOf(elites), {
      value: ERROR,
      cost: { name: "instructions" },
      texts: elites.map(({ measures: [n, m] }) => `tanh(x * ${n} + ${m} * x^3) & ${"more + ".repeat(n!)}0`),
      marks: [{ label: "tanh-GELU", cost: 5, value: 4.73e-4 }],
    });
  },
  "pareto-front-linear": () =>
    paretoFront(rowsOf(scattered([6, 4])), {
      cost: { measure: 1, name: "registers", unit: "32 bits" },
      theme: "dark",
    }),
  "pareto-front-with-zero": () =>
    paretoFront(
      rowsOf(
        [0.5, 0.01, 0, Number.NaN].map((error, i) => ({ cell: i, objective: -error, measures: [2 * i + 1] })),
      ),
      { value: ERROR, texts: ["x", "x * y", "x * y + 1", "log(-1)"] },
    ),
  "pareto-front-empty": () => paretoFront(rowsOf([])),
  lineage: () => lineageTree(lineage(8), 70, { value: { name: "error", scale: "log" } }),
  "lineage-of-many": () => lineageTree(lineage(200), 1990, { most: 8, theme: "dark" }),
  "outputs-of-one-input": () => {
    const x = Array.from({ length: 33 }, (_, i) => (i - 16) / 4);
    const target = x.map((value) => value * value);
    const outputs = target.map((value, i) => (i === 5 ? Number.NaN : value + 0.01 * fraction(i)));
    return eliteOutputs({
      ...{ x, target, outputs, name: "x * x", inputName: "speed", targetName: "energy" },
      others: [{ name: "published", outputs: target.map((value) => value * 1.001) }],
      band: { name: "permitted", low: outputs.map((y) => y - 0.01), high: outputs.map((y) => y + 0.02) },
    });
  },
  "outputs-of-several-inputs": () => {
    const target = Array.from({ length: 40 }, (_, i) => 20 * fraction(i) - 3);
    return eliteOutputs(
      { target, outputs: target.map((value, i) => value + fraction(3 * i) - 0.5), name: "a * b < c" },
      { theme: "light" },
    );
  },
  "outputs-that-are-not-finite": () =>
    eliteOutputs({
      x: [1, 2],
      target: [1, 2],
      outputs: [Number.NaN, Number.POSITIVE_INFINITY],
      name: "1 / 0",
    }),
};
