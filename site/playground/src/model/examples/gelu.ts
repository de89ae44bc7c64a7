import { data, type Example, fixed, formula, LAUNCH, result, slider, stack, stateOf } from "./example.js";

const COUNT = 256;

export const gelu: Example = {
  name: "gelu",
  title: "GELU gate",
  summary: "The activation of a gated feed-forward layer, written for the stacks of Stack PTX.",
  task: "Mutate the program a few times, or cross it over with SiLU, and watch the curve.",
  variants: {
    activation: [
      {
        title: "SiLU",
        ...stack(
          "; x / (1 + 2^(-x log2 e))",
          "input x",
          "const F32 -1.442695",
          "mul.ftz.f32",
          "ex2.approx.ftz.f32",
          "const F32 1",
          "add.ftz.f32",
          "rcp.approx.ftz.f32",
          "input x",
          "mul.ftz.f32",
          "input gate",
          "mul.ftz.f32",
        ),
      },
      { title: "ReLU", ...stack("input x", "const F32 0", "max.ftz.f32", "input gate", "mul.ftz.f32") },
      {
        title: "GELU as a formula",
        ...formula("gate * 0.5 * x * (1 + tanh(0.7978846 * x * (1 + 0.044715 * x * x)))"),
      },
    ],
  },
  state: stateOf("gelu", {
    sites: {
      activation: stack(
        "; 0.5 x (1 + tanh(0.798 (x + 0.0447 x^3)))",
        "input x",
        "dup F32",
        "mul.ftz.f32",
        "const F32 0.044715",
        "mul.ftz.f32",
        "const F32 1",
        "add.ftz.f32",
        "input x",
        "mul.ftz.f32",
        "const F32 0.7978846",
        "mul.ftz.f32",
        "tanh.approx.f32",
        "const F32 1",
        "add.ftz.f32",
        "input x",
        "mul.ftz.f32",
        "const F32 0.5",
        "mul.ftz.f32",
        "input gate",
        "mul.ftz.f32",
      ),
    },
    launch: { entry: "gelu_gate", grid: [COUNT / 64, 1, 1], block: [64, 1, 1], ...LAUNCH },
    arguments: [
      data("xs", COUNT, { from: "range", first: -5, last: 5 }),
      data("gates", COUNT, { from: "range", first: 1, last: 1 }),
      result("outs", COUNT),
      slider("scale", "f32", 1, [-2, 2, 0.01]),
      fixed("count", COUNT),
    ],
    picture: { kind: "line", x: "xs", width: 32 },
  }),
};
