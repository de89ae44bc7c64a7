import { fma, kernelCase, values } from "../../support/kernel-case.js";

const N = 32;
const [a, b] = [values(N * N, 13), values(N * N, 14)];

export default kernelCase({
  buffers: { a, b, c: new Float32Array(N * N) },
  launches: [
    {
      kernel: "matmul",
      grid: [4, 4],
      block: [8, 8],
      args: [{ buffer: "a" }, { buffer: "b" }, { buffer: "c" }, { s32: N }],
    },
  ],
  expected: {
    c: a.map((_, i) => {
      let sum = 0;
      for (let k = 0; k < N; k++) sum = fma(a[Math.floor(i / N) * N + k]!, b[k * N + (i % N)]!, sum);
      return sum;
    }),
  },
});
