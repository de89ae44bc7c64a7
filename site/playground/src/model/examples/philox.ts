import { type Example, fixed, LAUNCH, result, slider, stack, stateOf } from "./example.js";

const COUNT = 16_384;

export const philox: Example = {
  name: "philox",
  title: "Random numbers",
  summary:
    "Philox-4x32-10 as routines that a program calls: the generator of cuRAND, unrolled into the site.",
  task: "Load another distribution, or add two samples.",
  variants: {
    sample: [
      { title: "Uniform", ...stack("routine push_state", "routine curand_uniform") },
      {
        title: "Sum of four uniform numbers",
        ...stack(
          "routine push_state",
          "routine curand_uniform",
          "add.ftz.f32",
          "add.ftz.f32",
          "add.ftz.f32",
          "const F32 2",
          "swap F32",
          "sub.ftz.f32",
        ),
      },
      {
        title: "Exponential",
        ...stack(
          "; -ln(u)",
          "routine push_state",
          "routine curand_uniform",
          "lg2.approx.ftz.f32",
          "const F32 -0.6931472",
          "mul.ftz.f32",
        ),
      },
    ],
  },
  state: stateOf("philox", {
    sites: {
      sample: stack(
        "; the key and the counter of the generator",
        "routine push_state",
        "; four normal numbers, of which the top one is taken",
        "routine curand_normal",
      ),
    },
    launch: { entry: "draw", grid: [COUNT / 256, 1, 1], block: [256, 1, 1], ...LAUNCH },
    arguments: [
      result("samples", COUNT),
      slider("seed", "u32", 1234, [0, 9999, 1]),
      slider("mean", "f32", 0, [-4, 4, 0.01]),
      slider("deviation", "f32", 1, [0.1, 4, 0.01]),
      fixed("count", COUNT),
    ],
    picture: { kind: "histogram", x: "", width: 32 },
  }),
};
