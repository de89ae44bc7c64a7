import { data, type Example, fixed, formula, LAUNCH, result, slider, stateOf } from "./example.js";

const SIZE = 64;

export const product: Example = {
  name: "product",
  title: "Matrix product",
  summary: "A product by tiles in shared memory, whose epilogue is a formula.",
  task: "Write another epilogue, such as `max(sum + bias, 0)`, and open the heat map of the kernel.",
  variants: {
    epilogue: [
      { title: "ReLU", ...formula("max(sum + bias, 0)") },
      { title: "tanh", ...formula("tanh(sum + bias)") },
      { title: "Nothing", ...formula("sum") },
    ],
  },
  state: stateOf("product", {
    sites: { epilogue: formula("sin(12 * sum + bias)") },
    launch: { entry: "product", grid: [SIZE / 8, SIZE / 8, 1], block: [8, 8, 1], ...LAUNCH },
    arguments: [
      data("a", SIZE * SIZE, { from: "range", first: -1, last: 1 }),
      data("b", SIZE * SIZE, { from: "range", first: -1, last: 1 }),
      result("c", SIZE * SIZE),
      slider("bias", "f32", 0, [-4, 4, 0.01]),
      fixed("n", SIZE),
    ],
    picture: { kind: "picture", x: "", width: SIZE },
  }),
};
