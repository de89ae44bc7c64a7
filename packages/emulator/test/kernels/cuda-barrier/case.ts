import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(31);
const input = Int32Array.from({ length: 512 }, () => next(2 ** 20));
const shape = { grid: 2, block: 256 };
/** The input, reversed in each block of 256. */
const reversed = input.map((_, i) => input[(i & 256) + 255 - (i & 255)]!);

export default kernelCase({
  buffers: {
    input,
    rounds: new Int32Array(512),
    copied: new Int32Array(512),
    single: new Int32Array(512),
    grouped: new Int32Array(256),
  },
  launches: [
    { kernel: "arrive_wait", ...shape, args: [{ buffer: "rounds" }] },
    { kernel: "copies", ...shape, args: [{ buffer: "input" }, { buffer: "copied" }] },
    { kernel: "unaligned", ...shape, args: [{ buffer: "input" }, { buffer: "single" }] },
    { kernel: "groups", grid: 1, block: 256, args: [{ buffer: "input" }, { buffer: "grouped" }] },
  ],
  expected: {
    rounds: new Int32Array(512).map((_, i) => {
      const t = i % 256;
      return [0, 1, 2].reduce((sum, round) => sum + ((t + 17) % 256) * (round + 1) + t + round, 0);
    }),
    copied: reversed.map((value) => value * 2),
    single: reversed.map((value) => value * 3),
    grouped: new Int32Array(256).map((_, t) => input[t ^ 5]!),
  },
});
