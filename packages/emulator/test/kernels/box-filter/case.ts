import { kernelCase, numbers } from "../../support/kernel-case.js";

const [width, height] = [33, 17];
const next = numbers(31);
const input = Uint8Array.from({ length: 4 * width * height }, () => next(256));
const clamp = (i: number, n: number) => Math.min(Math.max(i, 0), n - 1);

export default kernelCase({
  buffers: { input, output: new Uint8Array(4 * width * height) },
  launches: [
    {
      kernel: "box",
      grid: [3, 5],
      block: [16, 4],
      args: [{ buffer: "input" }, { buffer: "output" }, { s32: width }, { s32: height }],
    },
  ],
  expected: {
    output: input.map((_, at) => {
      const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)];
      let sum = 0;
      for (let k = 0; k < 9; k++) {
        sum +=
          input[
            4 * (clamp(y + Math.floor(k / 3) - 1, height) * width + clamp(x + (k % 3) - 1, width)) + (at & 3)
          ]!;
      }
      return Math.floor(sum / 9);
    }),
  },
});
