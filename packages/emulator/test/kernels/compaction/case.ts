import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(34);
const input = Int32Array.from({ length: 500 }, () => next(100) - 50);
const kept = input.filter((value) => value > 0);
const out = new Int32Array(500);
out.set(kept);

// A GPU and two workers may run the blocks in any order; otherwise they run one after another.
export default kernelCase({
  buffers: { input, out: new Int32Array(500), count: new Int32Array(1) },
  launches: [
    {
      kernel: "compact",
      grid: 4,
      block: 128,
      args: [{ buffer: "input" }, { buffer: "out" }, { buffer: "count" }, { s32: 500 }],
    },
  ],
  expected: { out, count: Int32Array.of(kept.length) },
  anyOrder: ["out"],
});
