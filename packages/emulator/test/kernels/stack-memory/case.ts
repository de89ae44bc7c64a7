import { kernelCase } from "../../support/kernel-case.js";

const counts = Int32Array.from({ length: 40 }, (_, i) => (i * 5) % 23);
const taken = counts.map((n, thread) => {
  let sum = 0;
  for (let i = 0; i < n; i++) sum = (Math.imul(sum, 3) + (n - 1 - i) * thread) | 0;
  return sum + 3;
});
function mixed(n: number): number {
  let sum = n > 1 ? mixed(Math.trunc(n / 2)) : 0;
  for (let i = 0; i < n; i++) sum += ((i * 7) % n) ** 2;
  return sum;
}
const floats = Float32Array.from({ length: 32 }, (_, i) => i * 1.5 - 7);

export default kernelCase({
  buffers: {
    counts,
    taken: new Int32Array(40),
    sums: new Int32Array(20),
    floats,
    doubled: new Float32Array(32),
  },
  launches: [
    { kernel: "takes", grid: 1, block: 40, args: [{ buffer: "counts" }, { buffer: "taken" }] },
    { kernel: "recurses", grid: 1, block: 20, args: [{ buffer: "sums" }] },
    { kernel: "policies", grid: 1, block: 32, args: [{ buffer: "floats" }, { buffer: "doubled" }] },
  ],
  expected: {
    taken,
    sums: Int32Array.from({ length: 20 }, (_, i) => mixed(i + 1)),
    doubled: floats.map((value) => 2 * value),
  },
});
