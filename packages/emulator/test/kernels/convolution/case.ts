import { kernelCase, values } from "../../support/kernel-case.js";

const [width, height] = [70, 20];
const weights = [0.03125, 0.109375, 0.21875, 0.28125, 0.21875, 0.109375, 0.03125];
const input = values(width * height, 20);
const f = Math.fround;

function convolve(from: Float32Array, dx: number, dy: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: width * height }, (_, i) => {
    let sum = 0;
    for (let k = -3; k <= 3; k++) {
      const [x, y] = [(i % width) + k * dx, Math.floor(i / width) + k * dy];
      if (x >= 0 && x < width && y >= 0 && y < height)
        sum = f(sum + f(weights[k + 3]! * from[y * width + x]!));
    }
    return sum;
  });
}

const size = [{ s32: width }, { s32: height }];

export default kernelCase({
  buffers: { input, half: new Float32Array(width * height), output: new Float32Array(width * height) },
  launches: [
    {
      kernel: "rows",
      grid: [2, height],
      block: 64,
      args: [{ buffer: "input" }, { buffer: "half" }, ...size],
    },
    {
      kernel: "columns",
      grid: [9, 5],
      block: [8, 4],
      args: [{ buffer: "half" }, { buffer: "output" }, ...size],
    },
  ],
  expected: { half: convolve(input, 1, 0), output: convolve(convolve(input, 1, 0), 0, 1) },
});
