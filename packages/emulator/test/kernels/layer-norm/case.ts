import { kernelCase, values } from "../../support/kernel-case.js";

const [rows, columns] = [4, 200];
const input = values(rows * columns, 26).map((value) => 3 * value + 5);
const [scale, shift] = [values(columns, 27), values(columns, 28)];
const output = input.map((value, at) => {
  const row = input.subarray(at - (at % columns), at - (at % columns) + columns);
  const mean = row.reduce((a, b) => a + b) / columns;
  const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / columns;
  return ((value - mean) / Math.sqrt(variance + 1e-5)) * scale[at % columns]! + shift[at % columns]!;
});

export default kernelCase({
  buffers: { input, scale, shift, output: new Float32Array(rows * columns) },
  launches: [
    {
      kernel: "layer_norm",
      grid: rows,
      block: 128,
      args: [...["input", "scale", "shift", "output"].map((buffer) => ({ buffer })), { s32: columns }],
    },
  ],
  expected: { output },
  tolerance: { output: 1e-5 },
});
