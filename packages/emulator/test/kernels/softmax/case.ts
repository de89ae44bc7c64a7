import { kernelCase, values } from "../../support/kernel-case.js";

const [rows, columns] = [5, 150];
const input = values(rows * columns, 25).map((value) => 6 * value);
const output = new Float32Array(rows * columns);
for (let row = 0; row < rows; row++) {
  const powers = [...input.subarray(row * columns, (row + 1) * columns)].map(Math.exp);
  const sum = powers.reduce((a, b) => a + b);
  output.set(
    powers.map((power) => power / sum),
    row * columns,
  );
}

export default kernelCase({
  buffers: { input, output: new Float32Array(rows * columns) },
  launches: [
    {
      kernel: "softmax",
      grid: rows,
      block: 64,
      args: [{ buffer: "input" }, { buffer: "output" }, { s32: columns }],
    },
  ],
  expected: { output },
  tolerance: { output: 1e-5 },
});
