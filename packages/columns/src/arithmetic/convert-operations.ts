// `cvt` as operations, between all types (PTX ISA, Data Movement and Conversion Instructions: cvt).
import { flusher, rectify, saturate } from "./float-functions.js";
import { reader, writer } from "./float-operations.js";
import {
  bitsOfFloat32,
  bitsOfFloat64,
  F32,
  type FloatFormat,
  FORMATS,
  float64OfBits,
  type Rounding,
  roundingOf,
  roundTo,
} from "./formats.js";
import { clamp, type IntegerType, wrap } from "./integer.js";
import { integerType } from "./integer-operations.js";
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

const isFloat = (type: string): boolean => FORMATS[type] !== undefined || type === "f64";

/** The operation of a `cvt`. */
export function convertOperation({ words: modifiers, types }: Mnemonic): ScalarOperation | undefined {
  const [to = "", from = ""] = types;
  if (modifiers.has("pack")) return packOperation(types);
  if (modifiers.has("rs")) return undefined;
  if (to.endsWith("x2")) return pairConversion(to, from, modifiers);
  const shape = {
    args: [kindOf(from)],
    // A tf32 result is passed as raw bits.
    result: to === "tf32" ? ("i32" as const) : kindOf(to),
    bits: to === "tf32" ? 32 : bitsOf(to),
    signed: to.startsWith("s"),
  };
  if (isFloat(to)) {
    if (!isFloat(from)) return { ...shape, evaluate: integerToFloat(to, integerType(from), modifiers) };
    const read = reader(from);
    const write = to === "tf32" ? bitsOfFloat32 : writer(to);
    const convert = floatToFloat(to, from, modifiers);
    return convert === undefined
      ? undefined
      : { ...shape, evaluate: numbers((x) => write(convert(read(x)))) };
  }
  if (isFloat(from)) return { ...shape, evaluate: floatToInteger(integerType(to), from, modifiers) };
  return { ...shape, evaluate: integerToInteger(integerType(to), integerType(from), modifiers.has("sat")) };
}

/** Converts an integer of a type to the form in which it is passed. */
const asValue = ({ bits }: IntegerType, x: bigint): Value =>
  bits === 64 ? BigInt.asUintN(64, x) : Number(BigInt.asUintN(32, x));

function integerToInteger(to: IntegerType, from: IntegerType, saturates: boolean): Evaluate {
  const limit = saturates ? clamp : wrap;
  return (a) => asValue(to, limit(to, wrap(from, BigInt(a))));
}

function integerToFloat(to: string, from: IntegerType, modifiers: ReadonlySet<string>): Evaluate {
  const rounding = roundingOf(modifiers);
  const format = FORMATS[to];
  const write = writer(to);
  return (a) => {
    const exact = wrap(from, BigInt(a));
    const nearest = Number(exact);
    const residue = Number(exact - BigInt(nearest));
    const rounded =
      format === undefined
        ? roundInteger64(nearest, residue, rounding)
        : roundTo(format, nearest, residue, rounding);
    return write(modifiers.has("sat") ? saturate(rounded) : rounded);
  };
}

/** Rounds an integer to f64, given the nearest f64 and the residue. */
function roundInteger64(nearest: number, residue: number, rounding: Rounding): number {
  if (rounding === "rn" || residue === 0) return nearest;
  const below = residue < 0;
  const inward = below === nearest > 0;
  const moves = rounding === "rz" ? inward : rounding === (below ? "rm" : "rp");
  return moves ? float64OfBits(bitsOfFloat64(nearest) + (inward ? -1n : 1n)) : nearest;
}

/** Roundings to an integral value. */
const INTEGRAL: Readonly<Record<string, (x: number) => number>> = {
  rni: roundHalfToEven,
  rzi: Math.trunc,
  rmi: Math.floor,
  rpi: Math.ceil,
};

function roundHalfToEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return rest < 0.5 ? keepSign(floor, x) : keepSign(floor + 1, x);
  return keepSign(floor % 2 === 0 ? floor : floor + 1, x);
}

/** A result of zero keeps the sign of the value that was rounded to it. */
const keepSign = (zero: number, x: number): number => (zero === 0 && (x < 0 || Object.is(x, -0)) ? -0 : zero);

const integralOf = (modifiers: ReadonlySet<string>): ((x: number) => number) | undefined =>
  INTEGRAL[["rni", "rzi", "rmi", "rpi"].find((word) => modifiers.has(word)) ?? ""];

/**
 * Values out of range become the nearest integer; a NaN becomes 0, or only the highest bit set if f64 or 64-bit types
 * are involved.
 */
function floatToInteger(to: IntegerType, from: string, modifiers: ReadonlySet<string>): Evaluate {
  const read = reader(from);
  const integral = integralOf(modifiers) ?? Math.trunc;
  const flush = flushOf(from, modifiers);
  const ofNaN = from === "f64" || to.bits === 64 ? 1n << BigInt(to.bits - 1) : 0n;
  const least = clamp(to, -(1n << 64n));
  const greatest = clamp(to, 1n << 64n);
  return numbers((x) => {
    const value = integral(flush(read(x)));
    if (Number.isNaN(value)) return asValue(to, ofNaN) as number;
    if (value <= Number(least)) return asValue(to, least) as number;
    return asValue(to, value >= Number(greatest) ? greatest : BigInt(value)) as number;
  });
}

function flushOf(from: string, modifiers: ReadonlySet<string>): (x: number) => number {
  return modifiers.has("ftz") && from === "f32" ? flusher(F32) : (x) => x;
}

function floatToFloat(
  to: string,
  from: string,
  modifiers: ReadonlySet<string>,
): ((x: number) => number) | undefined {
  const format = FORMATS[to];
  const rounding = roundingOf(modifiers);
  const integral = integralOf(modifiers);
  const flush = flushOf(from, modifiers);
  const flushResult = modifiers.has("ftz") && to === "f32" ? flusher(F32) : (x: number) => x;
  const limits = limitsOf(format, modifiers);
  return (x) => {
    const value = flush(x);
    const whole = integral === undefined ? value : integral(value);
    const rounded = format === undefined ? whole : roundTo(format, whole, 0, rounding);
    return limits(flushResult(rounded));
  };
}

/** Applies `.sat`, `.relu` and `.satfinite` to a result. */
function limitsOf(format: FloatFormat | undefined, modifiers: ReadonlySet<string>): (x: number) => number {
  const steps: ((x: number) => number)[] = [];
  if (modifiers.has("sat")) steps.push(saturate);
  if (modifiers.has("relu")) steps.push(rectify);
  if (modifiers.has("satfinite") && format !== undefined) {
    const { greatest } = format;
    steps.push((x) => Math.min(greatest, Math.max(-greatest, x)));
  }
  return (x) => steps.reduce((value, step) => step(value), x);
}

/**
 * Conversions to a pair, either from two f32 values, the first of which becomes the upper half, or from another pair.
 */
function pairConversion(
  to: string,
  from: string,
  modifiers: ReadonlySet<string>,
): ScalarOperation | undefined {
  const lane = to.replace("x2", "");
  const convert = floatToFloat(lane, from.replace("x2", ""), modifiers);
  if (convert === undefined) return undefined;
  const write = writer(lane);
  const width = bitsOf(lane);
  const shape = { result: "i32" as const, bits: 2 * width, signed: false };
  const pack = (upper: number, lower: number) => (write(convert(upper)) << width) | write(convert(lower));
  if (from === "f32") return { ...shape, args: ["f32", "f32"], evaluate: numbers((a, b) => pack(a, b)) };
  const read = reader(from.replace("x2", ""));
  const sourceWidth = bitsOf(from) / 2;
  const mask = 2 ** sourceWidth - 1;
  return {
    ...shape,
    args: ["i32"],
    evaluate: numbers((a) => pack(read((a >>> sourceWidth) & mask), read(a & mask))),
  };
}

/** `cvt.pack.sat.to.s32{.b32} d, a, b{, c}`: packs two integers; c supplies the upper bits. */
function packOperation([to = "", from = "", shifted]: readonly string[]): ScalarOperation {
  const type = integerType(to);
  const source = integerType(from);
  const mask = (1n << type.width) - 1n;
  const packed = (x: number) => Number(clamp(type, wrap(source, BigInt(x))) & mask);
  const args: Kind[] = ["i32", "i32", ...(shifted === undefined ? [] : ["i32" as const])];
  return {
    args,
    result: "i32",
    bits: 32,
    signed: false,
    evaluate: numbers((a, b, c) => {
      const pair = (packed(a) << type.bits) | packed(b);
      return shifted === undefined ? pair : (c << (2 * type.bits)) | pair;
    }),
  };
}
