import { data, type Example, fixed, formula, LAUNCH, result, shown, stack, stateOf } from "./example.js";

const COUNT = 160;

/** A slow wave with spikes, which a median removes and a mean smears. */
const VALUES = Array.from({ length: COUNT }, (_, i) => {
  const wave = Math.sin(i / 13) + 0.4 * Math.sin(i / 5);
  const spike = i % 23 === 7 ? 2.2 : i % 31 === 12 ? -1.9 : 0;
  return (wave + spike + 0.08 * Math.sin(i * 12.9898)).toFixed(2);
});

const MEAN = stack(
  "input a",
  "input b",
  "input c",
  "input d",
  "input e",
  "add.ftz.f32",
  "add.ftz.f32",
  "add.ftz.f32",
  "add.ftz.f32",
  "const F32 0.2",
  "mul.ftz.f32",
);

export const median: Example = {
  name: "median",
  title: "Median filter",
  summary:
    "The median of five values without a comparison: seven minima and maxima, two of them stored in slots.",
  task: "Load the mean and compare, or edit the data as CSV.",
  variants: {
    window: [
      { title: "Mean", ...MEAN },
      { title: "Median of three", ...formula("max(min(b, c), min(max(b, c), d))") },
      { title: "Maximum", ...formula("max(max(max(a, b), max(c, d)), e)") },
    ],
  },
  state: stateOf("median", {
    sites: {
      window: stack(
        "; the larger minimum of two pairs",
        "input a",
        "input b",
        "min.ftz.f32",
        "input c",
        "input d",
        "min.ftz.f32",
        "max.ftz.f32",
        "store F32 0",
        "; the smaller maximum",
        "input a",
        "input b",
        "max.ftz.f32",
        "input c",
        "input d",
        "max.ftz.f32",
        "min.ftz.f32",
        "store F32 1",
        "; the median of both and e",
        "load 0",
        "load 1",
        "max.ftz.f32",
        "input e",
        "min.ftz.f32",
        "load 0",
        "load 1",
        "min.ftz.f32",
        "max.ftz.f32",
      ),
    },
    launch: { entry: "filter", grid: [Math.ceil(COUNT / 64), 1, 1], block: [64, 1, 1], ...LAUNCH },
    arguments: [
      shown(data("values", COUNT, { from: "csv", text: `${VALUES.join("\n")}\n` })),
      result("filtered", COUNT),
      fixed("count", COUNT),
    ],
  }),
};
