import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(10);
const input = Int32Array.from({ length: 512 }, () => next(2 ** 32) | 0);

function scan(width: number, inclusive: boolean): Int32Array<ArrayBuffer> {
  let sum = 0;
  return input.map((value, i) => {
    if (i % width === 0) sum = 0;
    const before = sum;
    sum = (sum + value) | 0;
    return inclusive ? sum : before;
  });
}

const args = (out: string) => [{ buffer: "input" }, { buffer: out }];

export default kernelCase({
  buffers: { input, a: new Int32Array(512), b: new Int32Array(512), c: new Int32Array(512) },
  launches: [
    { kernel: "hillis_steele", grid: 4, block: 128, sharedBytes: 1024, args: args("a") },
    { kernel: "blelloch", grid: 2, block: 128, sharedBytes: 1024, args: args("b") },
    { kernel: "by_warps", grid: 2, block: 256, args: args("c") },
  ],
  expected: { a: scan(128, true), b: scan(256, false), c: scan(256, true) },
});
