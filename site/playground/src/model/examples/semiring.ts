import { data, type Example, fixed, LAUNCH, result, slider, stack, stateOf } from "./example.js";

const DISTANCES = `A, B, C, D, E, F
0, 4, 99, 99, 9, 99
4, 0, 3, 99, 99, 99
99, 3, 0, 2, 99, 8
99, 99, 2, 0, 5, 99
9, 99, 99, 5, 0, 1
99, 99, 8, 99, 1, 0
`;
const SIZE = 6;

export const semiring: Example = {
  name: "semiring",
  title: "Shortest paths",
  summary: "A matrix product over (min, +): two sites decide what `plus` and `times` mean.",
  task: "Edit a distance, or load `mul` and `add` for the usual product.",
  variants: {
    times: [{ title: "Product", ...stack("input left", "input right", "mul.ftz.f32") }],
    plus: [
      { title: "Sum", ...stack("input sum", "input product", "add.ftz.f32") },
      { title: "Maximum", ...stack("input sum", "input product", "max.ftz.f32") },
    ],
  },
  state: stateOf("semiring", {
    sites: {
      times: stack("input left", "input right", "add.ftz.f32"),
      plus: stack("input sum", "input product", "min.ftz.f32"),
    },
    launch: { entry: "product", grid: [1, 1, 1], block: [8, 8, 1], ...LAUNCH },
    arguments: [
      data("a", SIZE * SIZE, { from: "csv", text: DISTANCES }),
      data("b", SIZE * SIZE, { from: "csv", text: DISTANCES }),
      result("c", SIZE * SIZE),
      fixed("n", SIZE),
      slider("zero", "f32", 1000, [0, 1000, 1]),
    ],
    picture: { kind: "picture", x: "", width: SIZE },
  }),
};
