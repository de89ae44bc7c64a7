import { kernelCase, values } from "../../support/kernel-case.js";

const TILES = 5;
const input = values(TILES * 128, 42);
const f = Math.fround;

export default kernelCase({
  buffers: { input, out: new Float32Array(32) },
  launches: [
    { kernel: "sums", grid: 1, block: 32, args: [{ buffer: "input" }, { buffer: "out" }, { s32: TILES }] },
  ],
  expected: {
    out: Float32Array.from({ length: 32 }, (_, i) => {
      let sum = 0;
      for (let tile = 0; tile < TILES; tile++) {
        const [x, y, z, w] = input.subarray(4 * (tile * 32 + 31 - i));
        sum = f(sum + f(f(x! + y!) + f(z! + w!)));
      }
      return sum;
    }),
  },
});
