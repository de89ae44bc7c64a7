import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(53);
const input = Int32Array.from({ length: 256 }, () => next(100));
const sum = (values: Int32Array) => values.reduce((a, b) => a + b);

export default kernelCase({
  buffers: { input, out: new Int32Array(256) },
  launches: [{ kernel: "wide", grid: 1, block: 256, args: [{ buffer: "input" }, { buffer: "out" }] }],
  // Cooperative groups make all lanes of a warp store the same word.
  hasRace: true,
  expected: {
    out: input.map((_, i) => {
      const first = i & 128;
      return sum(input.subarray(first, first + 128)) + 1000 * input[first + 5]! + input[i ^ 127]!;
    }),
  },
});
