import { kernelCase } from "../../support/kernel-case.js";

const fibonacci = (n: number): number => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
const which = Int32Array.from({ length: 40 }, (_, i) => (i * i) % 3);
const given = Int32Array.from({ length: 40 }, (_, i) => i * 37 - 700);
const functions = [(x: number) => 2 * x, (x: number) => x * x, (x: number) => -x];
const floats = Float32Array.from({ length: 10 }, (_, i) => i * 1.75 - 4);

function pair(sum: bigint, count: number, last: number): number[] {
  const bytes = new DataView(new ArrayBuffer(16));
  bytes.setBigInt64(0, sum, true);
  bytes.setInt32(8, count, true);
  bytes.setFloat32(12, last, true);
  return [...new Uint8Array(bytes.buffer)];
}
const sums = Array.from(floats, (_, i) =>
  pair(
    [...floats.subarray(0, i + 1)].reduce((sum, value) => sum + BigInt(Math.trunc(value)), 1n << 40n),
    6 + i,
    floats[i]!,
  ),
);

export default kernelCase({
  buffers: { numbers: new Uint32Array(13), which, values: given, floats, pairs: new Uint8Array(160) },
  launches: [
    { kernel: "recursion", grid: 1, block: 13, args: [{ buffer: "numbers" }] },
    { kernel: "pointers", grid: 1, block: 40, args: [{ buffer: "which" }, { buffer: "values" }] },
    {
      kernel: "structures",
      grid: 1,
      block: 10,
      args: [{ bytes: Uint8Array.from(pair(1n << 40n, 5, 0)) }, { buffer: "floats" }, { buffer: "pairs" }],
    },
  ],
  expected: {
    numbers: Uint32Array.from({ length: 13 }, (_, i) => fibonacci(i)),
    values: given.map((value, i) => functions[which[i]!]!(value)),
    pairs: Uint8Array.from(sums.flat()),
  },
});
