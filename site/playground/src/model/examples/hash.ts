import { type Example, LAUNCH, result, slider, stack, stateOf } from "./example.js";

export const hash: Example = {
  name: "hash",
  title: "Avalanche of a hash",
  summary: "How often each output bit changes when one input bit flips: row by row the flipped bit.",
  task: "Delete a line, or load a weak hash, and see which bits no longer mix.",
  variants: {
    hash: [
      {
        title: "One round",
        ...stack(
          "input key",
          "const U32 0x9E3779B1",
          "mul.lo.u32",
          "dup U32",
          "const U32 15",
          "swap U32",
          "shr.u32",
          "xor.b32",
        ),
      },
      {
        title: "Xorshift",
        ...stack(
          "input key",
          ...[
            ["13", "shl.b32"],
            ["17", "shr.u32"],
            ["5", "shl.b32"],
          ].flatMap(([by, shift]) => ["dup U32", `const U32 ${by}`, "swap U32", `${shift}`, "xor.b32"]),
        ),
      },
    ],
  },
  state: stateOf("hash", {
    sites: {
      hash: stack(
        "; the finalizer of MurmurHash3",
        "input key",
        "dup U32",
        "const U32 16",
        "swap U32",
        "shr.u32",
        "xor.b32",
        "const U32 0x85EBCA6B",
        "mul.lo.u32",
        "dup U32",
        "const U32 13",
        "swap U32",
        "shr.u32",
        "xor.b32",
        "const U32 0xC2B2AE35",
        "mul.lo.u32",
        "dup U32",
        "const U32 16",
        "swap U32",
        "shr.u32",
        "xor.b32",
      ),
    },
    launch: { entry: "avalanche", grid: [32, 1, 1], block: [32, 1, 1], ...LAUNCH },
    arguments: [
      result("changes", 32 * 32),
      slider("first", "u32", 1, [0, 100_000, 1]),
      slider("samples", "u32", 256, [1, 2048, 1]),
    ],
    picture: { kind: "picture", x: "", width: 32 },
  }),
};
