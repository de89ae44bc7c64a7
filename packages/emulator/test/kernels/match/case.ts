import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(44);
const keys = Uint32Array.from({ length: 64 }, (_, i) => (i < 32 ? next(6) : 5));
const warp = (i: number) => keys.subarray(i & ~31, (i & ~31) + 32);
const equal = (i: number) =>
  warp(i).reduce((mask, key, lane) => (key === keys[i] ? mask | (1 << lane) : mask), 0) >>> 0;
const input = Int32Array.from({ length: 32 }, () => next(1000));
const loops = (i: number) => Array.from({ length: i % 5 }, (_, k) => k).reduce((a, b) => a + b, 0);

export default kernelCase({
  buffers: {
    keys,
    groups: new Uint32Array(64),
    all: new Int32Array(64),
    long: new BigUint64Array(64),
    input,
    out: new Int32Array(32),
  },
  launches: [
    {
      kernel: "match",
      grid: 1,
      block: 64,
      args: ["keys", "groups", "all", "long"].map((buffer) => ({ buffer })),
    },
    { kernel: "branches", grid: 1, block: 32, args: [{ buffer: "input" }, { buffer: "out" }] },
  ],
  expected: {
    groups: keys.map((_, i) => equal(i)),
    all: Int32Array.from(keys, (_, i) => 1 + 2 + (warp(i).includes(3) ? 4 : 0) + 8),
    long: BigUint64Array.from(keys, (_, i) => BigInt(equal(i))),
    out: input.map((value, i) => {
      if (i % 3 === 0) return value + loops(i) + input[30]! + loops(30);
      return i % 3 === 2 ? value - input[i - 1]! : value;
    }),
  },
});
