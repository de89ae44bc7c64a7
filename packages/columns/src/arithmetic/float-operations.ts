// Floating-point instructions as operations: a table of what each computes, wrapped with the effects of `.ftz`, `.sat`,
// `.relu`, pairs of values and mixed types.
import {
  approximateQuotient,
  cosine,
  exp2,
  greater,
  lesser,
  log2,
  sine,
  tanh,
} from "@mm-ptx/types/internal/floats";
import { type FloatArithmetic, floatArithmetic, rectify, saturate } from "./float-functions.js";
import {
  bitsOfFloat32,
  bitsOfFloat64,
  decode,
  encode,
  FORMATS,
  float32OfBits,
  float64OfBits,
  roundingOf,
} from "./formats.js";
import {
  bitsOf,
  type Evaluate,
  type Kind,
  kindOf,
  type Mnemonic,
  numbers,
  type ScalarOperation,
  type Value,
} from "./operation.js";

type FloatFunction = (a: number, b: number, c: number) => number;

interface Family {
  readonly args: number;
  /** The function in an arithmetic; undefined if the instruction does not exist for it. */
  readonly make: (
    arithmetic: FloatArithmetic,
    modifiers: ReadonlySet<string>,
    type: string,
  ) => FloatFunction | undefined;
}

const family = (args: number, make: Family["make"]): Family => ({ args, make });

/** A function that a GPU approximates; this returns the nearest value. */
const approximated = (exact: (x: number) => number): Family =>
  family(
    1,
    ({ round }) =>
      (a) =>
        round(exact(a)),
  );

const FAMILIES: Readonly<Record<string, Family>> = {
  add: family(2, ({ add }) => add),
  sub: family(
    2,
    ({ add }) =>
      (a, b) =>
        add(a, -b),
  ),
  mul: family(2, ({ multiply }) => multiply),
  fma: family(3, ({ multiplyAdd }) => multiplyAdd),
  mad: family(3, ({ multiplyAdd }) => multiplyAdd),
  div: family(2, ({ divide, round }, modifiers) =>
    modifiers.has("approx") ? (a, b) => round(approximateQuotient(a, b)) : divide,
  ),
  neg: family(1, () => (a) => -a),
  abs: family(1, () => Math.abs),
  min: family(2, (_, modifiers) => extremum(lesser, modifiers)),
  max: family(2, (_, modifiers) => extremum(greater, modifiers)),
  rcp: family(1, ({ divide }, modifiers, type) =>
    modifiers.has("approx") && type === "f64" ? (a) => truncated(a, (x) => 1 / x) : (a) => divide(1, a),
  ),
  sqrt: family(1, ({ root }) => root),
  rsqrt: family(1, ({ round }, modifiers, type) =>
    modifiers.has("ftz") && type === "f64"
      ? (a) => truncated(a, (x) => 1 / Math.sqrt(x))
      : (a) => round(1 / Math.sqrt(a)),
  ),
  sin: approximated(sine),
  cos: approximated(cosine),
  lg2: approximated(log2),
  ex2: approximated(exp2),
  tanh: approximated(tanh),
};

/** The minimum or maximum of two values, or of their magnitudes. */
function extremum(choose: (a: number, b: number) => number, modifiers: ReadonlySet<string>): FloatFunction {
  const plain: FloatFunction = modifiers.has("NaN")
    ? (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? NaN : choose(a, b))
    : choose;
  return modifiers.has("abs") ? (a, b) => plain(Math.abs(a), Math.abs(b), 0) : plain;
}

/**
 * `min` and `max` with `.xorsign.abs`: the minimum or maximum of the magnitudes, with the XOR of both sign bits, even
 * for a NaN. Numbers do not expose the sign of a NaN, so these functions work on bits.
 */
function signedExtremum(resultType: string, type: string, evaluate: FloatFunction): ScalarOperation {
  const format = FORMATS[type]!;
  const { bits } = format;
  const mask = 2 ** (bits - 1) - 1;
  const lane = (a: number, b: number, shift: number): number => {
    const [x, y] = [a >>> shift, b >>> shift];
    const size = encode(format, evaluate(decode(format, x & mask), decode(format, y & mask), 0));
    const signed = size === format.nan ? size : size | ((x ^ y) & ~mask);
    return (signed & (2 * mask + 1)) << shift;
  };
  return {
    args: ["i32", "i32"],
    result: "i32",
    bits: bitsOf(resultType),
    signed: false,
    evaluate: numbers((a, b) => (type === resultType ? lane(a, b, 0) : lane(a, b, 0) | lane(a, b, 16))),
  };
}

/** `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64` read and write only the upper 32 bits of an f64. */
function truncated(a: number, compute: (x: number) => number): number {
  const upper = (x: number) => float64OfBits((bitsOfFloat64(x) >> 32n) << 32n);
  if (Number.isNaN(a)) return NaN;
  const result = compute(upper(a));
  return Number.isFinite(result) ? upper(float64OfBits(bitsOfFloat64(result) + 0x80000000n)) : result;
}

/** The operation of a floating-point instruction with one or two types. */
export function floatOperation(
  { name, words: modifiers, types }: Mnemonic,
  sources?: number,
): ScalarOperation | undefined {
  const rows = FAMILIES[name];
  const [resultType = "", second] = types;
  const type = resultType.replace("x2", "");
  const rounding = roundingOf(modifiers);
  const arithmetic = floatArithmetic(type, rounding);
  if (rows === undefined || arithmetic === undefined) return undefined;
  const plain = rows.make(arithmetic, modifiers, type);
  if (plain === undefined) return undefined;
  const three = (name === "min" || name === "max") && sources === 3;
  const chosen: FloatFunction = three ? (a, b, c) => plain(plain(a, b, 0), c, 0) : plain;
  const evaluate = decorated(chosen, arithmetic, modifiers, name);
  if (modifiers.has("xorsign")) return signedExtremum(resultType, type, evaluate);
  const args = three ? 3 : rows.args;
  // add.f32.f16 d, a, c: all sources but the last have the second type.
  const argTypes = Array.from({ length: args }, (_, index) =>
    second !== undefined && index < args - 1 ? second : type,
  );
  return resultType.endsWith("x2")
    ? pairOperation(resultType, type, args, evaluate)
    : singleOperation(type, argTypes, evaluate);
}

/** Adds the effects of modifiers to a function. */
function decorated(
  plain: FloatFunction,
  { flush }: FloatArithmetic,
  modifiers: ReadonlySet<string>,
  name: string,
): FloatFunction {
  let result = plain;
  if (modifiers.has("ftz")) {
    const inner = result;
    result = (a, b, c) => flush(inner(flush(a), flush(b), flush(c)));
  }
  if (modifiers.has("sat")) {
    const inner = result;
    result = (a, b, c) => saturate(inner(a, b, c));
  }
  if (modifiers.has("relu") && (name === "fma" || name === "min" || name === "max")) {
    const inner = result;
    result = (a, b, c) => rectify(inner(a, b, c));
  }
  return result;
}

/** Converts from the passed form of a value to its number. */
export function reader(type: string): (value: number) => number {
  const format = FORMATS[type];
  if (format === undefined || kindOf(type) !== "i32") return (value) => value;
  const mask = 2 ** format.bits - 1;
  return (value) => decode(format, value & mask);
}

/** Converts from a number to the passed form of its value. */
export function writer(type: string): (value: number) => number {
  const format = FORMATS[type];
  return format === undefined || kindOf(type) !== "i32" ? (value) => value : (value) => encode(format, value);
}

function singleOperation(
  type: string,
  argTypes: readonly string[],
  evaluate: FloatFunction,
): ScalarOperation {
  const args = argTypes.map(kindOf);
  const shape = { args, result: kindOf(type), bits: bitsOf(type), signed: false };
  if (!args.includes("i32") && shape.result !== "i32") return { ...shape, evaluate: numbers(evaluate) };
  const [a, b, c] = [0, 1, 2].map((index) => reader(argTypes[index] ?? "f32")) as [Reader, Reader, Reader];
  const write = writer(type);
  return { ...shape, evaluate: numbers((x, y, z) => write(evaluate(a(x), b(y), c(z)))) };
}

type Reader = (value: number) => number;

/** Two values in one register, the first in the low half. */
function pairOperation(pair: string, type: string, args: number, evaluate: FloatFunction): ScalarOperation {
  const kind: Kind = kindOf(pair);
  const shape = {
    args: Array.from({ length: args }, () => kind),
    result: kind,
    bits: bitsOf(pair),
    signed: false,
  };
  if (kind === "i64") return { ...shape, evaluate: pairOfFloats(evaluate) };
  const read = reader(type);
  const write = writer(type);
  const half = (a: number, b: number, c: number, shift: number) =>
    write(evaluate(read((a >>> shift) & 0xffff), read((b >>> shift) & 0xffff), read((c >>> shift) & 0xffff)));
  return { ...shape, evaluate: numbers((a, b, c) => half(a, b, c, 0) | (half(a, b, c, 16) << 16)) };
}

function pairOfFloats(evaluate: FloatFunction): Evaluate {
  // Operands that the instruction does not have are passed as the number 0 or omitted.
  const part = (value: Value | undefined, shift: bigint) =>
    float32OfBits(Number((BigInt(value ?? 0) >> shift) & 0xffffffffn));
  const half = (a: Value, b: Value, c: Value, shift: bigint) =>
    BigInt(bitsOfFloat32(evaluate(part(a, shift), part(b, shift), part(c, shift))));
  return (a, b, c) => half(a, b, c, 0n) | (half(a, b, c, 32n) << 32n);
}
