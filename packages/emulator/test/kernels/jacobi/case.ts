import { kernelCase, values } from "../../support/kernel-case.js";

const N = 20;
const a = Float64Array.from(values(N * N, 39), (value, i) => (i % (N + 1) === 0 ? 15 + value : value));
const b = Float64Array.from(values(N, 40));

function step(x: Float64Array): Float64Array<ArrayBuffer> {
  return Float64Array.from(b, (start, row) => {
    let sum = start;
    for (let k = 0; k < N; k++) if (k !== row) sum -= a[row * N + k]! * x[k]!;
    return sum / a[row * N + row]!;
  });
}
const zero = new Float64Array(N);
const [first, second] = [step(zero), step(step(zero))];
const largest = (next: Float64Array, x: Float64Array) =>
  Math.max(...next.map((value, i) => Math.abs(value - x[i]!)));
const launch = (from: string, to: string) => ({
  kernel: "jacobi",
  grid: 1,
  block: 32,
  args: [...["a", "b", from, to, "change"].map((buffer) => ({ buffer })), { s32: N }],
});

export default kernelCase({
  buffers: { a, b, x: zero, y: new Float64Array(N), change: new Float64Array(1) },
  launches: [launch("x", "y"), launch("y", "x")],
  expected: {
    y: first,
    x: second,
    change: Float64Array.of(Math.max(largest(first, zero), largest(second, first))),
  },
});
