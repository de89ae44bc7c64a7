// mma: every shape of the default descriptions, against products of whole matrices. The places of elements in
// lanes are transcribed from the pictures of PTX ISA 9.0, Matrix Fragments for mma, shape by shape.
import { BF16, decode, E4M3, E5M2, encode, F16, F32, type FloatFormat } from "@mm-ptx/columns/arithmetic";
import { describe, expect, it } from "vitest";
import { matrixOperation, tiledMatrixOperation } from "../../src/arithmetic/matrix.js";
import { describedInstructions } from "../support/described.js";
import { operationOf } from "../support/operations.js";

/** The row and column of an element, from its lane and its index there. */
type Place = (group: number, within: number, index: number) => readonly [row: number, column: number];

interface Layout {
  readonly a: Place;
  readonly b: Place;
  readonly c: Place;
  /** The number of elements that a lane has of each matrix. */
  readonly counts: readonly [a: number, b: number, c: number];
}

/** Rows of C and D with 16 rows: elements 2 and 3 are eight rows below. */
const WIDE_C: Place = (group, within, i) => [i < 2 ? group : group + 8, within * 2 + (i & 1)];
const NARROW_C: Place = (group, within, i) => [group, within * 2 + (i & 1)];

const LAYOUTS: Readonly<Record<string, Layout>> = {
  "m16n8k8 16": {
    a: (group, within, i) => [i < 2 ? group : group + 8, within * 2 + (i & 1)],
    b: (group, within, i) => [within * 2 + i, group],
    c: WIDE_C,
    counts: [4, 2, 4],
  },
  "m16n8k16 16": {
    a: (group, within, i) => [
      (i >= 0 && i < 2) || (i >= 4 && i < 6) ? group : group + 8,
      within * 2 + (i & 1) + (i >= 4 ? 8 : 0),
    ],
    b: (group, within, i) => [within * 2 + (i & 1) + (i >= 2 ? 8 : 0), group],
    c: WIDE_C,
    counts: [8, 4, 4],
  },
  "m16n8k4 32": {
    a: (group, within, i) => [i === 0 ? group : group + 8, within],
    b: (group, within) => [within, group],
    c: WIDE_C,
    counts: [2, 1, 4],
  },
  "m16n8k8 32": {
    a: (group, within, i) => [i === 0 || i === 2 ? group : group + 8, i < 2 ? within : within + 4],
    b: (group, within, i) => [i === 0 ? within : within + 4, group],
    c: WIDE_C,
    counts: [4, 2, 4],
  },
  "m8n8k16 8": {
    a: (group, within, i) => [group, within * 4 + i],
    b: (group, within, i) => [within * 4 + i, group],
    c: NARROW_C,
    counts: [4, 4, 2],
  },
  "m16n8k16 8": {
    a: (group, within, i) => [i < 4 ? group : group + 8, within * 4 + (i & 3)],
    b: (group, within, i) => [within * 4 + i, group],
    c: WIDE_C,
    counts: [8, 4, 4],
  },
  "m16n8k32 8": {
    a: (group, within, i) => [
      (i >= 0 && i < 4) || (i >= 8 && i < 12) ? group : group + 8,
      i < 8 ? within * 4 + (i & 3) : within * 4 + (i & 3) + 16,
    ],
    b: (group, within, i) => [i < 4 ? within * 4 + (i & 3) : within * 4 + (i & 3) + 16, group],
    c: WIDE_C,
    counts: [16, 8, 4],
  },
};

const WIDTHS: Readonly<Record<string, number>> = {
  ...{ f16: 16, bf16: 16, f32: 32, tf32: 32, s32: 32, s8: 8, u8: 8, e4m3: 8, e5m2: 8 },
};
const FORMATS: Readonly<Record<string, FloatFormat>> = {
  f16: F16,
  bf16: BF16,
  f32: F32,
  tf32: F32,
  e4m3: E4M3,
  e5m2: E5M2,
};

/** The bits of a number in a type. */
const toBits = (type: string, value: number): bigint => {
  const format = FORMATS[type];
  return format === undefined ? BigInt.asUintN(WIDTHS[type]!, BigInt(value)) : BigInt(encode(format, value));
};
const fromBits = (type: string, bits: bigint): number =>
  FORMATS[type] === undefined ? Number(BigInt.asIntN(32, bits)) : decode(FORMATS[type], Number(bits));

/** Packs elements into registers of 32 bits, with the first one lowest. */
function pack(type: string, values: readonly number[]): bigint[] {
  const width = WIDTHS[type]!;
  const each = 32 / width;
  return Array.from({ length: values.length / each }, (_, register) =>
    values
      .slice(register * each, (register + 1) * each)
      .reduce((word, value, index) => word | (toBits(type, value) << BigInt(width * index)), 0n),
  );
}

function unpack(type: string, registers: readonly bigint[]): number[] {
  const width = WIDTHS[type]!;
  return registers.flatMap((register) =>
    Array.from({ length: 32 / width }, (_, index) =>
      fromBits(type, BigInt.asUintN(width, register >> BigInt(width * index))),
    ),
  );
}

/** Runs an mma on matrices. */
function multiply(opcode: string, a: number[][], b: number[][], c: number[][]): number[][] {
  const parts = opcode.split(".");
  const [d, x, y, z] = parts.filter((word) => WIDTHS[word] !== undefined) as [string, string, string, string];
  const shape = parts.find((word) => /^m\d/.test(word))!;
  const layout = LAYOUTS[`${shape} ${WIDTHS[x]}`]!;
  const lanes = Array.from({ length: 32 }, (_, lane) => [lane >> 2, lane & 3] as const);
  const take = (place: Place, count: number, matrix: number[][], group: number, within: number) =>
    Array.from({ length: count }, (_, index) => {
      const [row, column] = place(group, within, index);
      return matrix[row]![column]!;
    });
  const operands = lanes.map(([group, within]) => [
    ...pack(x, take(layout.a, layout.counts[0], a, group, within)),
    ...pack(y, take(layout.b, layout.counts[1], b, group, within)),
    ...pack(z, take(layout.c, layout.counts[2], c, group, within)),
  ]);
  const result = c.map((row) => row.map(() => Number.NaN));
  matrixOperation(operationOf(opcode))!(operands).forEach((registers, lane) => {
    unpack(d, registers).forEach((value, index) => {
      const [row, column] = layout.c(lane >> 2, lane & 3, index);
      result[row]![column] = value;
    });
  });
  return result;
}

const sizes = (opcode: string) =>
  /m(\d+)n(\d+)k(\d+)/.exec(opcode)!.slice(1).map(Number) as [number, number, number];
const matrix = (rows: number, columns: number, value: (row: number, column: number) => number) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => value(row, column)),
  );

const OPCODES = describedInstructions()
  .map(({ ptx }) => ptx)
  .filter((ptx) => ptx.startsWith("mma."));

describe("mma", () => {
  it.each(OPCODES)("%s", (opcode) => {
    const [m, n, k] = sizes(opcode);
    // Small integers: all formats represent them and their sums, and no two rows or columns are alike.
    const sign = opcode.includes(".s32.u8.") ? 1 : -1;
    const a = matrix(
      m,
      k,
      (row, column) => ((row * 3 + column * 5) % 7) * ((row + column) % 2 === 0 ? 1 : sign),
    );
    const b = matrix(k, n, (row, column) => (row * 2 + column * 3 + 1) % 5);
    const c = matrix(m, n, (row, column) => row - column);
    const expected = matrix(m, n, (row, column) =>
      a[row]!.reduce((sum, value, index) => sum + value * b[index]![column]!, c[row]![column]!),
    );
    expect(multiply(opcode, a, b, c)).toEqual(expected);
  });

  it("reads integers as their types say", () => {
    const mixed = multiply(
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32",
      matrix(8, 16, () => -128),
      matrix(16, 8, () => 255),
      matrix(8, 8, () => 1),
    );
    expect(mixed[3]![4]).toBe(16 * -128 * 255 + 1);
    const opcode = (saturates: string) => `mma.sync.aligned.m8n8k16.row.col${saturates}.s32.u8.u8.s32`;
    const large = [
      matrix(8, 16, () => 255),
      matrix(16, 8, () => 255),
      matrix(8, 8, () => 2 ** 31 - 1),
    ] as const;
    expect(multiply(opcode(".satfinite"), ...large)[0]![0]).toBe(2 ** 31 - 1);
    expect(multiply(opcode(""), ...large)[0]![0]).toBe((2 ** 31 - 1 + 16 * 255 * 255) | 0);
  });

  it("rounds once, and propagates infinities and NaNs", () => {
    const opcode = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
    const ones = matrix(8, 8, () => 1);
    const a = matrix(16, 8, (row, column) => {
      if (row === 0) return column === 0 ? Infinity : 1;
      if (row === 1) return column < 2 ? [Infinity, -Infinity][column]! : 0;
      return row === 2 ? 2 ** -13 : 0;
    });
    const result = multiply(
      opcode,
      a,
      ones,
      matrix(16, 8, (row) => (row === 2 ? 2 ** 11 : row === 3 ? -0 : 0)),
    );
    expect(result[0]![0]).toBe(Infinity);
    expect(result[1]![0]).toBeNaN();
    // 2^11 plus eight times 2^-13: with a rounding after each addition to steps of 2^-12, some would be lost.
    expect(result[2]![0]).toBe(2 ** 11 + 2 ** -10);
    const half = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16";
    const big = multiply(
      half,
      matrix(16, 8, () => 256),
      matrix(8, 8, () => 256),
      matrix(16, 8, () => 0),
    );
    expect(big[5]![5]).toBe(Infinity);
  });

  it("ignores the low bits of a tf32", () => {
    const lanes = Array.from({ length: 32 }, () => [0x3f801fffn, 0n, 0x3f800000n, 0n, 0n, 0n, 0n]);
    const results = matrixOperation(operationOf("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"))!(
      lanes,
    );
    expect(results[0]).toEqual([0x40800000n, 0x40800000n, 0n, 0n]);
  });
});

it("mma rounds f64 as the instruction says", () => {
  const bits = (value: number) => new BigUint64Array(new Float64Array([value]).buffer)[0]!;
  // 1 + 2^-60 is between two f64.
  const operands = Array.from({ length: 32 }, (_, lane) => {
    const isFirst = lane % 4 === 0;
    return [bits(isFirst ? 2 ** -30 : 0), bits(isFirst ? 2 ** -30 : 0), bits(1), bits(-1)];
  });
  const first = (rounding: string) =>
    matrixOperation(operationOf(`mma.sync.aligned.m8n8k4.row.col${rounding}.f64.f64.f64.f64`))!(operands)[0];
  expect(first("")).toEqual([bits(1), bits(-1)]);
  expect(first(".rz")).toEqual([bits(1), bits(-1 + 2 ** -53)]);
  expect(first(".rp")).toEqual([bits(1 + 2 ** -52), bits(-1 + 2 ** -53)]);
  expect(first(".rm")).toEqual([bits(1), bits(-1)]);
});

describe("wmma with an accumulator of another type than the result", () => {
  it.each([
    ["f16.f32", Array<bigint>(8).fill(0x3f000000n), Array<bigint>(4).fill(0x4c204c20n)],
    ["f32.f16", Array<bigint>(4).fill(0x38003800n), Array<bigint>(8).fill(0x41840000n)],
  ])("%s adds 0.5 to sixteen products of ones", (types, accumulator, expected) => {
    const operation = operationOf(`wmma.mma.sync.aligned.row.col.m16n16k16.${types}`);
    const lane = [...Array<bigint>(16).fill(0x3c003c00n), ...accumulator];
    const results = tiledMatrixOperation(operation)!(Array<bigint[]>(32).fill(lane));
    expect(results).toEqual(Array<bigint[]>(32).fill(expected));
  });
});
