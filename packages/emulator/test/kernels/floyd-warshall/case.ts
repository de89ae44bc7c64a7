import { kernelCase, numbers } from "../../support/kernel-case.js";

const N = 18;
const next = numbers(41);
const start = Uint16Array.from({ length: N * N }, (_, i) =>
  i % (N + 1) === 0 ? 0 : next(4) === 0 ? 1 + next(100) : 30000,
);
const shortest = start.slice();
for (let m = 0; m < N; m++) {
  for (let i = 0; i < N * N; i++) {
    const sum = shortest[Math.floor(i / N) * N + m]! + shortest[m * N + (i % N)]!;
    if (sum < shortest[i]!) shortest[i] = sum;
  }
}

export default kernelCase({
  buffers: { distances: start },
  launches: Array.from({ length: N }, (_, through) => ({
    kernel: "relax",
    grid: [3, 5],
    block: [8, 4],
    args: [{ buffer: "distances" }, { s32: N }, { s32: through }],
  })),
  expected: { distances: shortest },
});
