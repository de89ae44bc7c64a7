import { type Argument, type Contents, kernelCase, numbers } from "../../support/kernel-case.js";

// Small whole numbers, whose sums are exact in any order and in every type.
const next = numbers(46);
const small = (count: number, least: number) => Array.from({ length: count }, () => next(8) + least);
/** The bits of a whole number below 256 in a format with `fraction` bits after the point. */
function bits(value: number, bias: number, fraction: number): number {
  if (value === 0) return 0;
  const exponent = 31 - Math.clz32(Math.abs(value));
  const sign = value < 0 ? 0x8000 : 0;
  return (
    sign |
    ((exponent + bias) << fraction) |
    (((Math.abs(value) << 16) >> (exponent + 16 - fraction)) & ((1 << fraction) - 1))
  );
}
const f16 = (value: number) => bits(value, 15, 10);
const bf16 = (value: number) => bits(value, 127, 7);
const f16s = (numbers: readonly number[]) => Uint16Array.from(numbers, f16);

/** Matrices of whole numbers, row by row. */
function product(rows: number, columns: number, element: (row: number, column: number) => number): number[] {
  return Array.from({ length: rows * columns }, (_, i) => element(Math.floor(i / columns), i % columns));
}
const sum = (count: number, of: (k: number) => number) =>
  Array.from({ length: count }, (_, k) => of(k)).reduce((p, q) => p + q, 0);

/** The product of a matrix in rows and one in columns, plus 1, in columns. */
const byColumns = (m: number, n: number, k: number, a: readonly number[], b: readonly number[]) =>
  product(n, m, (column, row) => 1 + sum(k, (i) => a[row * k + i]! * b[column * k + i]!));

const [M, N, K] = [32, 64, 48];
const [a, b, c] = [small(M * K, -4), small(K * N, -4), small(M * N, -4)];

interface Single {
  readonly shape: readonly [m: number, n: number, k: number];
  readonly least: number;
  readonly input: (values: readonly number[]) => Contents;
  readonly output: (values: readonly number[]) => Contents;
}

const SINGLES: Readonly<Record<string, Single>> = {
  half_tall: { shape: [32, 8, 16], least: -2, input: f16s, output: f16s },
  half_wide: { shape: [8, 32, 16], least: -2, input: f16s, output: f16s },
  bfloat_wide: {
    ...{ shape: [8, 32, 16], least: -4 },
    ...{ input: (values) => Uint16Array.from(values, bf16), output: (values) => Float32Array.from(values) },
  },
  bytes: {
    ...{ shape: [16, 16, 16], least: -4 },
    ...{ input: (values) => Int8Array.from(values), output: (values) => Int32Array.from(values) },
  },
  bytes_tall: {
    ...{ shape: [32, 8, 16], least: 248 },
    ...{ input: (values) => Uint8Array.from(values), output: (values) => Int32Array.from(values) },
  },
  tf32: {
    ...{ shape: [16, 16, 8], least: -4 },
    ...{ input: (values) => Float32Array.from(values), output: (values) => Float32Array.from(values) },
  },
  doubles: {
    ...{ shape: [8, 8, 4], least: -4 },
    ...{ input: (values) => Float64Array.from(values), output: (values) => Float64Array.from(values) },
  },
};

const singles = Object.entries(SINGLES).map(
  ([
    kernel,
    {
      shape: [m, n, k],
      least,
      input,
      output,
    },
  ]) => {
    const [x, y] = [small(m * k, least), small(n * k, least)];
    const names = [`${kernel} a`, `${kernel} b`, `${kernel} c`] as const;
    const empty = output(new Array<number>(m * n).fill(0));
    return {
      buffers: { [names[0]]: input(x), [names[1]]: input(y), [names[2]]: empty },
      launch: { kernel, grid: 1, block: 32, args: names.map((buffer): Argument => ({ buffer })) },
      expected: { [names[2]]: output(byColumns(m, n, k, x, y)) },
    };
  },
);

export default kernelCase({
  buffers: {
    ...{ a: f16s(a), b: f16s(b), c: Float32Array.from(c) },
    ...Object.assign({}, ...singles.map(({ buffers }) => buffers)),
  },
  launches: [
    {
      kernel: "gemm",
      grid: [M / 16, 2],
      block: 64,
      args: [
        ...(["a", "b", "c"] as const).map((buffer) => ({ buffer })),
        ...[M, N, K].map((s32) => ({ s32 })),
        ...[2, 0.5].map((f32) => ({ f32 })),
      ],
    },
    ...singles.map(({ launch }) => launch),
  ],
  expected: {
    c: Float32Array.from(
      product(
        M,
        N,
        (row, column) => 2 * sum(K, (i) => a[row * K + i]! * b[i * N + column]!) + 0.5 * c[row * N + column]!,
      ),
    ),
    ...Object.assign({}, ...singles.map(({ expected }) => expected)),
  },
});
