import { kernelCase, numbers } from "../../support/kernel-case.js";

// Small whole numbers, whose sums are exact in any order.
const K = 48;
const next = numbers(45);
const small = (count: number) => Array.from({ length: count }, () => next(33) - 16);
/** The f16 of a whole number below 32. */
function f16(value: number): number {
  if (value === 0) return 0;
  const exponent = 31 - Math.clz32(Math.abs(value));
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | ((Math.abs(value) << (10 - exponent)) & 1023);
}
const [a, b] = [small(16 * K), small(K * 8)];
const [x, y] = [small(16 * 16), small(16 * 8)];
const sum = (count: number, of: (k: number) => number) =>
  Array.from({ length: count }, (_, k) => of(k)).reduce((p, q) => p + q);

export default kernelCase({
  buffers: {
    a: Uint16Array.from(a, f16),
    b: Uint16Array.from(b, f16),
    c: new Float32Array(128),
    x: Int8Array.from(x),
    // Column by column, 16 bytes each.
    y: Int8Array.from(y),
    z: new Int32Array(128),
  },
  launches: [
    {
      kernel: "gemm",
      grid: 1,
      block: 32,
      args: [{ buffer: "a" }, { buffer: "b" }, { buffer: "c" }, { s32: K }],
    },
    { kernel: "bytes", grid: 1, block: 32, args: [{ buffer: "x" }, { buffer: "y" }, { buffer: "z" }] },
  ],
  expected: {
    c: Float32Array.from({ length: 128 }, (_, i) =>
      sum(K, (k) => a[(i >> 3) * K + k]! * b[k * 8 + (i & 7)]!),
    ),
    z: Int32Array.from({ length: 128 }, (_, i) =>
      sum(16, (k) => x[(i >> 3) * 16 + k]! * y[(i & 7) * 16 + k]!),
    ),
  },
});
