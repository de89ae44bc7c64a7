import { kernelCase, numbers, values } from "../../support/kernel-case.js";

const next = numbers(8);
const whole = Int32Array.from({ length: 5000 }, () => next(2 ** 32) - 2 ** 31);
const singles = values(64, 9);
const words = Uint32Array.from({ length: 64 }, () => next(2 ** 32));

const largest = (from: number) => singles.subarray(from, from + 32).reduce((a, b) => Math.max(a, b));
const odds = (i: number) =>
  [...words.subarray(i & ~31, (i & ~31) + 32)].filter((_, lane) => (lane & 1) === (i & 1));

export default kernelCase({
  buffers: {
    whole,
    total: new Int32Array(1),
    singles,
    maxima: new Float32Array(64),
    words,
    mixed: new Uint32Array(64),
  },
  launches: [
    { kernel: "sum", grid: 4, block: 256, args: [{ buffer: "whole" }, { buffer: "total" }, { s32: 5000 }] },
    { kernel: "butterfly", grid: 1, block: 64, args: [{ buffer: "singles" }, { buffer: "maxima" }] },
    { kernel: "redux", grid: 1, block: 64, args: [{ buffer: "words" }, { buffer: "mixed" }] },
  ],
  expected: {
    total: Int32Array.of(whole.reduce((a, b) => (a + b) | 0)),
    maxima: singles.map((_, i) => largest(i & ~31) + singles[(i & ~7) + 5]!),
    mixed: words.map((_, i) => {
      const lanes = odds(i);
      const total = lanes.reduce((a, b) => (a + b) >>> 0);
      return total ^ lanes.reduce((a, b) => Math.max(a, b)) ^ lanes.reduce((a, b) => a ^ b);
    }),
  },
});
