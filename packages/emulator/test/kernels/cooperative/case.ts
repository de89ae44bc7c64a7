import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(43);
const input = Int32Array.from({ length: 96 }, () => next(100));
const above = (from: number, to: number) => input.subarray(from, to).filter((value) => value > 50).length;

export default kernelCase({
  buffers: { input, out: new Int32Array(96), branch: new Int32Array(96) },
  launches: [
    {
      kernel: "tiles",
      grid: 1,
      block: 96,
      args: [{ buffer: "input" }, { buffer: "out" }, { buffer: "branch" }],
    },
  ],
  expected: {
    out: input.map((_, i) => {
      const first = i & ~7;
      return input.subarray(first, first + 8).reduce((a, b) => a + b) + input[first + 3]! * 1000 + (i >> 3);
    }),
    branch: input.map((value, i) => {
      const first = i & ~31;
      return value > 50 ? 100 * above(first, first + 32) + above(first, i) : 0;
    }),
  },
});
