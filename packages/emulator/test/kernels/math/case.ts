import { kernelCase, values } from "../../support/kernel-case.js";

const N = 32;
const x = values(N, 49).map((value) => 6 * value + 0.01);
const y = Float64Array.from(values(N, 50), (value) => 7 * value + 0.001);

function erf(v: number): number {
  let [term, sum] = [v, v];
  for (let n = 1; n < 400; n++) {
    term *= (-v * v) / n;
    sum += term / (2 * n + 1);
  }
  return Math.abs(v) > 4 ? Math.sign(v) : (2 / Math.sqrt(Math.PI)) * sum;
}
const rint = (v: number) => {
  const down = Math.floor(v);
  return v - down < 0.5 || (v - down === 0.5 && down % 2 === 0) ? down : down + 1;
};
const singles: readonly ((v: number) => number)[] = [
  Math.sin,
  (v) => Math.cos(Math.fround(v * 1e6)),
  Math.tan,
  Math.exp,
  (v) => Math.log(Math.abs(v)),
  (v) => Math.abs(v) ** Math.fround(1.7),
  (v) => Math.atan2(v, Math.fround(0.3)),
  erf,
  Math.cbrt,
  (v) => v % Math.fround(0.37),
  Math.tanh,
  (v) => 1 / v,
  (v) => Math.sqrt(Math.abs(v)),
  (v) => rint(v) + Math.trunc(v) + Math.ceil(v) * Math.floor(v),
  (v) => 2 ** v + Math.log2(Math.abs(v)),
];
const doubles: readonly ((v: number) => number)[] = [
  Math.sin,
  Math.exp,
  (v) => Math.log(Math.abs(v)),
  (v) => 1 / v,
  (v) => Math.sqrt(Math.abs(v)),
  (v) => Math.abs(v) ** 2.5,
  (v) => v / 3,
  (v) => Math.trunc(v * 1e9) + Math.fround(v),
];

export default kernelCase({
  buffers: { x, singles: new Float32Array(15 * N), y, doubles: new Float64Array(8 * N) },
  launches: [
    { kernel: "singles", grid: 1, block: N, args: [{ buffer: "x" }, { buffer: "singles" }, { s32: N }] },
    { kernel: "doubles", grid: 1, block: N, args: [{ buffer: "y" }, { buffer: "doubles" }, { s32: N }] },
  ],
  expected: {
    singles: Float32Array.from(singles.flatMap((f) => Array.from(x, f))),
    doubles: Float64Array.from(doubles.flatMap((f) => Array.from(y, f))),
  },
  tolerance: { singles: 2e-6, doubles: 1e-14 },
});
