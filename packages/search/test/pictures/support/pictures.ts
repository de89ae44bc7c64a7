// The pictures of the goldens.
import { archiveHeatmap, cvtHeatmap } from "../../../src/pictures/index.js";
import { activations, fraction, INSTRUCTIONS, MUFU, real, rowsOf, scattered, UNIT } from "./made.js";

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
};
