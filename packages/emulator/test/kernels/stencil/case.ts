import { kernelCase, values } from "../../support/kernel-case.js";

const [nx, ny, nz] = [21, 11, 7];
const input = values(nx * ny * nz, 24);
const f = Math.fround;
const inside = (i: number, n: number) => i > 0 && i < n - 1;

function point(i: number): number {
  const [x, y, z] = [i % nx, Math.floor(i / nx) % ny, Math.floor(i / (nx * ny))];
  if (!(inside(x, nx) && inside(y, ny) && inside(z, nz))) return 0;
  const sum = (step: number) => [input[i - step]!, input[i + step]!] as const;
  const [[left, right], [up, down], [below, above]] = [sum(1), sum(nx), sum(nx * ny)];
  const sides = f(f(f(left + right) + f(up + down)) + f(below + above));
  return f(f(0.5 * input[i]!) + f(f(0.1) * sides));
}

export default kernelCase({
  buffers: { input, output: new Float32Array(nx * ny * nz) },
  launches: [
    {
      kernel: "stencil",
      grid: [3, 3],
      block: [8, 4],
      args: [
        { buffer: "input" },
        { buffer: "output" },
        { s32: nx },
        { s32: ny },
        { s32: nz },
        { f32: 0.5 },
        { f32: 0.1 },
      ],
    },
  ],
  expected: { output: input.map((_, i) => point(i)) },
});
