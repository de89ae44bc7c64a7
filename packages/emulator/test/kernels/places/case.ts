import { kernelCase, numbers } from "../../support/kernel-case.js";

const [bx, by, bz] = [5, 3, 4];
const [gx, gy, gz] = [2, 3, 2];
const threads = bx * by * bz;
const next = numbers(47);
const input = Int32Array.from({ length: 64 }, () => next(14) - 2);

function chosen(x: number): number {
  const table: Record<number, number> = {
    0: x + 17,
    1: x * 23,
    2: input[1]! - x,
    3: x ^ 0x55,
    4: x ^ 0x55,
    5: -x,
    6: -x,
    7: Math.trunc(x / 3),
    8: input[0]!,
    9: x ** 3,
  };
  return table[x] ?? 1000 - x;
}

export default kernelCase({
  buffers: { out: new Uint32Array(threads * gx * gy * gz), input, chosen: new Int32Array(64) },
  launches: [
    { kernel: "places", grid: [gx, gy, gz], block: [bx, by, bz], args: [{ buffer: "out" }] },
    { kernel: "cases", grid: 1, block: 64, args: [{ buffer: "input" }, { buffer: "chosen" }] },
  ],
  expected: {
    out: Uint32Array.from({ length: threads * gx * gy * gz }, (_, i) => {
      const thread = i % threads;
      const lane = thread % 32;
      const z = Math.floor(thread / (bx * by));
      return ((2 ** lane - 1) ^ (z << 28)) + lane * 64 + (Math.floor(Math.floor(i / threads) / gx) % gy);
    }),
    chosen: input.map(chosen),
  },
});
