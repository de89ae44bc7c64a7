import { kernelCase } from "../../support/kernel-case.js";

const [width, height] = [45, 30];
const f = Math.fround;

function iterations(x: number, y: number): number {
  const real = f(-2 + f(f(3 * x) / width));
  const imaginary = f(-1.25 + f(f(2.5 * y) / height));
  let [a, b, n] = [0, 0, 0];
  while (n < 80 && f(f(a * a) + f(b * b)) < 4) {
    [a, b] = [f(f(f(a * a) - f(b * b)) + real), f(f(f(2 * a) * b) + imaginary)];
    n++;
  }
  return n;
}

export default kernelCase({
  buffers: { counts: new Uint32Array(width * height) },
  launches: [
    {
      kernel: "mandelbrot",
      grid: [6, 8],
      block: [8, 4],
      args: [{ buffer: "counts" }, { s32: width }, { s32: height }, { u32: 80 }],
    },
  ],
  expected: {
    counts: Uint32Array.from({ length: width * height }, (_, i) =>
      iterations(i % width, Math.floor(i / width)),
    ),
  },
});
