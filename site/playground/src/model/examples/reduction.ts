import { data, type Example, fixed, formula, LAUNCH, ptx, result, stateOf } from "./example.js";

const COUNT = 1024;
const BLOCK = 128;

export const reduction: Example = {
  name: "reduction",
  title: "Reduction with a race",
  summary: "A sum in shared memory whose rounds nothing separates. The emulator shows the lines that race.",
  task: "Write `bar.sync 0;` at the site `between`, and the findings disappear.",
  variants: {
    between: [{ title: "Barrier", ...ptx("\tbar.sync 0;") }],
    combine: [
      { title: "Maximum", ...formula("max(mine, other)") },
      { title: "Sum of squares of both", ...formula("mine * mine + other * other") },
    ],
  },
  state: stateOf("reduction", {
    sites: { between: ptx("\t// A barrier is missing here."), combine: formula("mine + other") },
    launch: { entry: "sum", grid: [COUNT / BLOCK, 1, 1], block: [BLOCK, 1, 1], ...LAUNCH },
    arguments: [
      data("values", COUNT, { from: "range", first: 1, last: COUNT }),
      result("sums", COUNT / BLOCK),
      fixed("count", COUNT),
    ],
    checks: ["memory", "races"],
  }),
};
