import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(67);
const input = Uint32Array.from({ length: 384 }, () => next(2 ** 24));
const block = input.subarray(0, 128);
const odd = block.filter((value) => value & 1).length;
const left = block.filter((value) => value % 5 !== 0 && (value & 2) !== 0).length;
const all = block.includes(12345) ? 0 : 1;

export default kernelCase({
  buffers: { input, out: new Uint32Array(384), votes: new Uint32Array(128) },
  launches: [
    {
      kernel: "pipeline",
      grid: 1,
      block: 128,
      args: [{ buffer: "input" }, { buffer: "out" }, { buffer: "votes" }],
    },
  ],
  expected: {
    out: input.map((_, i) => {
      const t = i % 64;
      return input[i - t + 63 - t]! * 3 + t;
    }),
    votes: block.map((value) => (value % 5 === 0 ? 0 : odd + 1000 * all + 2000 + 10000 * left)),
  },
});
