import { kernelCase, numbers } from "../../support/kernel-case.js";

const STEPS = 10;
const next = numbers(32);
// Sums of whole numbers are exact.
const input = Float32Array.from({ length: 128 * STEPS }, () => next(1000));
const sums = (width: number) => (_: number, t: number) => {
  let sum = 0;
  for (let step = 0; step < STEPS; step++) sum += input[step * width + ((t * 5 + step) % width)]!;
  return sum;
};

export default kernelCase({
  buffers: {
    input,
    sums: new Float32Array(128),
    roles: new Float32Array(64),
    own: new Float32Array(128),
  },
  launches: [
    { kernel: "pipe", grid: 1, block: 128, args: [{ buffer: "input" }, { buffer: "sums" }, { s32: STEPS }] },
    { kernel: "roles", grid: 1, block: 96, args: [{ buffer: "input" }, { buffer: "roles" }, { s32: STEPS }] },
    { kernel: "own", grid: 1, block: 128, args: [{ buffer: "input" }, { buffer: "own" }] },
  ],
  expected: {
    sums: new Float32Array(128).map(sums(128)),
    roles: new Float32Array(64).map((_, t) => sums(64)(_, t + 32)),
    own: new Float32Array(128).map((_, t) => input[127 - t]!),
  },
});
