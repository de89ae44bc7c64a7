import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(61);
const input = Uint32Array.from({ length: 192 }, () => next(2 ** 32));

/** Computes one warp, lane by lane. */
function divergent(values: Uint32Array): Uint32Array {
  let sums = values.slice();
  for (let k = 0; k < 13; k++) {
    const active = [...values.keys()].filter((lane) => k < values[lane]! % 13);
    const before = sums;
    sums = before.slice();
    active.forEach((lane, i) => {
      const sum = (Math.imul(before[lane]!, 31) + before[active[(i + 1) % active.length]!]!) >>> 0;
      const digits = [...sum.toString(8)].reduce((all, digit) => all + Number(digit), 0);
      sums[lane] = sum % 2 === 1 ? sum ^ digits : sum;
    });
  }
  return sums;
}

const out = new Uint32Array(192);
for (let first = 0; first < 192; first += 32) out.set(divergent(input.subarray(first, first + 32)), first);

export default kernelCase({
  buffers: { input, out: new Uint32Array(192) },
  launches: [{ kernel: "divergent", grid: 2, block: 96, args: [{ buffer: "input" }, { buffer: "out" }] }],
  expected: { out },
});
