import { kernelCase } from "../../support/kernel-case.js";

const THREADS = 96;
const f2 = new Float32Array(2 * 3);
const f4 = new Float32Array(4 * 2);
const old2 = new Float32Array(2 * THREADS);
const old4 = new Float32Array(4 * THREADS);
/** Sums of the pairs; all of them are small multiples of 1/4, which both 16-bit floats hold exactly. */
const halves = new Float32Array(2 * 4);
const add = (sums: Float32Array, at: number, values: readonly number[], olds?: Float32Array, out = 0) => {
  values.forEach((value, i) => {
    if (olds !== undefined) olds[out + i] = sums[at + i]!;
    sums[at + i]! += value;
  });
};
for (let t = 0; t < THREADS; t++) {
  const x = (t % 13) * 0.25;
  add(f2, 2 * (t % 3), [x, -x], old2, 2 * t);
  add(f4, 4 * (t % 2), [x, 1, 2 * x, -1], old4, 4 * t);
  add(halves, 2 * (t % 4), [x, 1]);
}
/** The upper halves of the f32 bits. */
const bf16 = (values: readonly number[]) =>
  Uint16Array.from(values, (value) => new Uint32Array(Float32Array.of(value).buffer)[0]! >>> 16);
/** The f16 bits of a positive number in the range of normal numbers with few digits. */
function f16(value: number): number {
  const exponent = Math.floor(Math.log2(value));
  return ((exponent + 15) << 10) | ((value / 2 ** exponent - 1) * 1024);
}

export default kernelCase({
  buffers: {
    f2: new Float32Array(f2.length),
    f4: new Float32Array(f4.length),
    h2: new Uint16Array(8),
    b2: new Uint16Array(8),
    old2: new Float32Array(old2.length),
    old4: new Float32Array(old4.length),
  },
  launches: [
    {
      kernel: "vectors",
      grid: 1,
      block: THREADS,
      args: ["f2", "f4", "h2", "b2", "old2", "old4"].map((buffer) => ({ buffer })),
    },
  ],
  expected: {
    f2,
    f4,
    h2: Uint16Array.from(halves, f16),
    b2: bf16([...halves].map((value, i) => (i % 2 === 0 ? value : -value))),
    old2,
    old4,
  },
});
