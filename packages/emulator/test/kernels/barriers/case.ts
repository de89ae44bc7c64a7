import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(46);
const ROUNDS = 4;
const input = Int32Array.from({ length: ROUNDS * 32 }, () => next(1000));
const votes = Int32Array.from({ length: 48 }, () => next(99));

export default kernelCase({
  buffers: { input, sums: new Int32Array(32), early: new Int32Array(96), votes, results: new Int32Array(48) },
  launches: [
    {
      kernel: "pipeline",
      grid: 1,
      block: 64,
      args: [{ buffer: "input" }, { buffer: "sums" }, { s32: ROUNDS }],
    },
    { kernel: "early", grid: 1, block: 96, args: [{ buffer: "early" }, { s32: 64 }] },
    { kernel: "votes", grid: 1, block: 48, args: [{ buffer: "votes" }, { buffer: "results" }] },
  ],
  expected: {
    sums: Int32Array.from({ length: 32 }, (_, i) =>
      [0, 1, 2, 3].reduce((sum, round) => sum + 2 * input[round * 32 + 31 - i]!, 0),
    ),
    early: Int32Array.from({ length: 96 }, (_, i) => (i < 64 ? (63 * 64) / 2 : 0)),
    results: votes.map(() => 4 * votes.filter((value) => value > 10).length + 2),
  },
});
