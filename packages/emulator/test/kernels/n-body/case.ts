import { kernelCase, values } from "../../support/kernel-case.js";

const N = 96;
const bodies = values(4 * N, 16).map((value, i) => (i % 4 === 3 ? Math.abs(value) + 1 : value));

export default kernelCase({
  buffers: { bodies, result: new Float32Array(4 * N) },
  launches: [
    {
      kernel: "accelerate",
      grid: 3,
      block: 32,
      sharedBytes: 512,
      args: [{ buffer: "bodies" }, { buffer: "result" }, { s32: N }, { f32: 0.25 }],
    },
  ],
  expected: {
    result: bodies.map((_, at) => {
      const [i, axis] = [at >> 2, at & 3];
      if (axis === 3) return 0;
      let sum = 0;
      for (let k = 0; k < N; k++) {
        const d = [0, 1, 2].map((x) => bodies[4 * k + x]! - bodies[4 * i + x]!);
        sum += (d[axis]! * bodies[4 * k + 3]!) / (d[0]! ** 2 + d[1]! ** 2 + d[2]! ** 2 + 0.25) ** 1.5;
      }
      return sum;
    }),
  },
  tolerance: { result: 2e-4 },
});
