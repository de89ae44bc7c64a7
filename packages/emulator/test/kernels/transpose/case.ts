import { kernelCase, values } from "../../support/kernel-case.js";

const [width, height] = [53, 41];
const input = values(width * height, 11);

export default kernelCase({
  buffers: { input, output: new Float32Array(width * height) },
  launches: [
    {
      kernel: "transpose",
      grid: [4, 3],
      block: [16, 4],
      args: [{ buffer: "input" }, { buffer: "output" }, { s32: width }, { s32: height }],
    },
  ],
  expected: { output: input.map((_, i) => input[(i % height) * width + Math.floor(i / height)]!) },
});
