// Products of matrices whose elements are distributed over the lanes of a warp (PTX ISA, Warp Level Matrix
// Multiply-Accumulate Instructions). The manual leaves the order of hardware additions open. Here, products of narrow
// formats are added in f64, starting with the accumulator and in order of k, and rounded once; f64 products are fused
// into the accumulator one by one.

import {
  bitsOf,
  bitsOfFloat64,
  clamp,
  decode,
  encode,
  FORMATS,
  float64OfBits,
  integerType,
  type Mnemonic,
  multiplyAdd64,
  nan64,
  type Rounding,
  roundingOf,
  roundTo,
  wrap,
} from "@mm-ptx/columns/arithmetic";
/** Maps the operands of all 32 lanes, in register order, to their results. */
export type WarpMatrix = (operands: readonly (readonly bigint[])[]) => readonly (readonly bigint[])[];

/** The mnemonic of a matrix instruction. */
export interface MatrixMnemonic extends Mnemonic {
  readonly shape: Shape | undefined;
}

interface Shape {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}

const LANES = 32;
/** Lanes per group: each group of four lanes holds one row at a time. */
const GROUP = 4;
const ROWS = 8;

/** How the elements of a matrix are distributed over the registers of lanes. */
interface Fragment {
  readonly type: string;
  /** Elements per register. */
  readonly elements: number;
  readonly registers: number;
}

type Fragments = readonly [a: Fragment, b: Fragment, c: Fragment];

function fragment(type: string, values: number): Fragment {
  const elements = Math.max(1, 32 / bitsOf(type));
  return { type, elements, registers: Math.ceil(values / (LANES * elements)) };
}

/** The function of an `mma`; undefined for unknown shapes and types. */
export function matrixOperation(operation: MatrixMnemonic): WarpMatrix | undefined {
  const product = readProduct(operation);
  if (product === undefined) return undefined;
  const { shape, types, compute } = product;
  const parts = fragmentsOf(shape, types);
  return (operands) => multiply(shape, parts, types[0], compute, operands);
}

/** The function of a `wmma.mma`, which consists of an `mma` for every eight columns. */
export function tiledMatrixOperation(operation: MatrixMnemonic): WarpMatrix | undefined {
  const product = readProduct(operation);
  if (product === undefined) return undefined;
  const { shape, types, compute } = product;
  const tile = { ...shape, n: ROWS };
  const parts = fragmentsOf(tile, types);
  const [a, b, c] = parts.map(({ registers }) => registers) as [number, number, number];
  const tiles = shape.n / ROWS;
  // f16 fragments have more registers than the elements need; the last ones are copies.
  const [inA, inB] = types[1] === "f16" ? [WIDE, WIDE] : [a, b * tiles];
  const ofTile = (registers: readonly bigint[], number: number): readonly bigint[] => {
    const right = inA + number * b;
    const sum = inA + inB + number * c;
    return [...registers.slice(0, a), ...registers.slice(right, right + b), ...registers.slice(sum, sum + c)];
  };
  return (operands) => {
    const products = Array.from({ length: tiles }, (_, number) => {
      const registers = operands.map((lane) => ofTile(lane, number));
      return multiply(tile, parts, types[0], compute, registers);
    });
    return operands.map((_, lane) => products.flatMap((product) => product[lane]!));
  };
}

/** Registers of a `wmma` fragment of f16, for every shape. */
const WIDE = 8;

type Types = readonly [d: string, a: string, b: string, c: string];

interface Product {
  readonly shape: Shape;
  readonly types: Types;
  readonly compute: Accumulate;
}

function readProduct({ words, types, shape }: MatrixMnemonic): Product | undefined {
  // `wmma` only names the types of factors that are not f16.
  const [d, a, b, c] = types.length === 2 ? [types[0], "f16", "f16", types[1]] : types;
  if (shape === undefined || d === undefined || a === undefined || b === undefined || c === undefined)
    return undefined;
  const product: Types = [d, a, b, c];
  const compute = accumulator(product, words.has("satfinite"), roundingOf(words));
  return { shape, types: product, compute };
}

const fragmentsOf = ({ m, n, k }: Shape, [, a, b, c]: Types): Fragments => [
  fragment(a, m * k),
  fragment(b, k * n),
  fragment(c, m * n),
];

/** Computes an element of the result from a row, a column and an accumulator, all as bits. */
type Accumulate = (row: readonly bigint[], column: readonly bigint[], start: bigint) => bigint;

function accumulator([d, a, b, c]: Types, saturates: boolean, rounding: Rounding): Accumulate {
  if (d === "s32") {
    const type = integerType("s32");
    const x = integerType(a);
    const y = integerType(b);
    const limit = saturates ? clamp : wrap;
    return (row, column, start) =>
      limit(
        type,
        row.reduce((sum, value, index) => sum + wrap(x, value) * wrap(y, column[index]!), wrap(type, start)),
      );
  }
  if (d === "f64") {
    return (row, column, start) =>
      row.reduce((sum, value, index) => {
        const factor = column[index]!;
        const [x, y, z] = [value, factor, sum].map(float64OfBits) as [number, number, number];
        const result = multiplyAdd64(x, y, z, rounding);
        return Number.isNaN(result) ? nan64([value, factor, sum]) : bitsOfFloat64(result);
      }, start);
  }
  const result = FORMATS[d]!;
  const read = (type: string) => (value: bigint) => {
    const word = Number(value);
    // The low bits of a tf32 are ignored.
    return decode(FORMATS[type]!, type === "tf32" ? (word & 0xffffe000) >>> 0 : word);
  };
  const x = read(a);
  const y = read(b);
  const z = read(c);
  return (row, column, start) => {
    const sum = row.reduce((sum, value, index) => sum + x(value) * y(column[index]!), z(start));
    return BigInt(encode(result, roundTo(result, sum, 0, "rn")));
  };
}

function multiply(
  { m, n, k }: Shape,
  [a, b, c]: Fragments,
  d: string,
  compute: Accumulate,
  operands: readonly (readonly bigint[])[],
): readonly (readonly bigint[])[] {
  const rows = Array.from({ length: m }, () => new Array<bigint>(k).fill(0n));
  const columns = Array.from({ length: n }, () => new Array<bigint>(k).fill(0n));
  const halves = m / ROWS;
  operands.forEach((registers, lane) => {
    const group = Math.floor(lane / GROUP);
    const within = lane % GROUP;
    for (let register = 0; register < a.registers; register++) {
      const row = group + ROWS * (register % halves);
      const first = Math.floor(register / halves) * GROUP * a.elements + within * a.elements;
      place(rows[row]!, first, registers[register]!, a);
    }
    for (let register = 0; register < b.registers; register++) {
      const first = register * GROUP * b.elements + within * b.elements;
      place(columns[group]!, first, registers[a.registers + register]!, b);
    }
  });
  const result = fragment(d, m * n);
  return operands.map((registers, lane) => {
    const starts = unpack(registers.slice(a.registers + b.registers), c);
    const values = starts.map((start, index) => {
      const row = Math.floor(lane / GROUP) + ROWS * Math.floor(index / 2);
      const column = (lane % GROUP) * 2 + (index % 2);
      return compute(rows[row]!, columns[column]!, start);
    });
    return pack(values, result);
  });
}

/** Writes the elements of a register, starting at an index. */
function place(to: bigint[], first: number, register: bigint, { type, elements }: Fragment): void {
  const width = bitsOf(type);
  for (let element = 0; element < elements; element++) {
    to[first + element] = BigInt.asUintN(width, register >> BigInt(width * element));
  }
}

function unpack(registers: readonly bigint[], { type, elements }: Fragment): readonly bigint[] {
  const width = bitsOf(type);
  return registers.flatMap((register) =>
    Array.from({ length: elements }, (_, element) =>
      BigInt.asUintN(width, register >> BigInt(width * element)),
    ),
  );
}

function pack(values: readonly bigint[], { type, elements }: Fragment): readonly bigint[] {
  const width = bitsOf(type);
  return Array.from({ length: values.length / elements }, (_, register) =>
    values
      .slice(register * elements, (register + 1) * elements)
      .reduce((word, value, element) => word | (BigInt.asUintN(width, value) << BigInt(width * element)), 0n),
  );
}
