import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(33);
const [a, b] = [50, 40].map((length) => Uint8Array.from({ length }, () => next(4)));
const table = new Int32Array(51 * 41);
for (let i = 1; i <= 50; i++) {
  for (let k = 1; k <= 40; k++) {
    table[i * 41 + k] =
      a![i - 1] === b![k - 1]
        ? table[(i - 1) * 41 + k - 1]! + 1
        : Math.max(table[(i - 1) * 41 + k]!, table[i * 41 + k - 1]!);
  }
}

export default kernelCase({
  buffers: { a: a!, b: b!, table: new Int32Array(51 * 41) },
  launches: [
    {
      kernel: "lcs",
      grid: 1,
      block: 33,
      args: [{ buffer: "a" }, { s32: 50 }, { buffer: "b" }, { s32: 40 }, { buffer: "table" }],
    },
  ],
  expected: { table },
});
