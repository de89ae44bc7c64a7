import { kernelCase, numbers } from "../../support/kernel-case.js";

// Small whole numbers, so that sums are exact in any order.
const next = numbers(23);
const rows = Array.from({ length: 30 }, (_, row) =>
  Array.from({ length: (row * 7) % 75 }, () => ({ column: next(50), value: next(2000) - 1000 })),
);
const x = Float64Array.from({ length: 50 }, () => next(2000) - 1000);
const cells = rows.flat();
const starts = Int32Array.from({ length: 31 }, (_, row) => rows.slice(0, row).flat().length);

export default kernelCase({
  buffers: {
    starts,
    columns: Int32Array.from(cells, ({ column }) => column),
    values: Float64Array.from(cells, ({ value }) => value),
    x,
    y: new Float64Array(30),
  },
  launches: [
    {
      kernel: "spmv",
      grid: 8,
      block: 128,
      args: [...["starts", "columns", "values", "x", "y"].map((buffer) => ({ buffer })), { s32: 30 }],
    },
  ],
  expected: {
    y: Float64Array.from(rows, (row) => row.reduce((sum, { column, value }) => sum + value * x[column]!, 0)),
  },
});
