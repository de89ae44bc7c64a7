import { fma, kernelCase, values } from "../../support/kernel-case.js";

const [x, y] = [values(3001, 3), values(3001, 4)];

export default kernelCase({
  buffers: { x, y },
  launches: [
    {
      kernel: "saxpy",
      grid: 3,
      block: 96,
      args: [{ f32: 1.7 }, { buffer: "x" }, { buffer: "y" }, { s32: 3001 }],
    },
  ],
  expected: { y: x.map((value, i) => fma(Math.fround(1.7), value, y[i]!)) },
});
