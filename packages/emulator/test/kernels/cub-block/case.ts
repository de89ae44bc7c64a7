import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(73);
const COUNT = 512;
const input = Int32Array.from({ length: COUNT }, () => next(5000) - 1000);
const places = [...input.keys()].sort((a, b) => input[a]! - input[b]! || a - b);
const scanned = new Int32Array(COUNT);
const histogram = new Uint32Array(256);
let sum = 0;
input.forEach((value, i) => {
  sum += value;
  scanned[i] = sum;
  histogram[value & 255]!++;
});

export default kernelCase({
  buffers: {
    input,
    totals: new Int32Array(2),
    scanned: new Int32Array(COUNT),
    histogram: new Uint32Array(256),
    keys: new Int32Array(COUNT),
    places: new Int32Array(COUNT),
  },
  launches: [
    {
      kernel: "block",
      grid: 1,
      block: 128,
      args: ["input", "totals", "scanned", "histogram", "keys", "places"].map((buffer) => ({ buffer })),
    },
  ],
  expected: {
    totals: Int32Array.of(sum, Math.max(...input.filter((_, i) => i % 4 === 0))),
    scanned,
    histogram,
    keys: input.slice().sort(),
    places: Int32Array.from(places),
  },
});
