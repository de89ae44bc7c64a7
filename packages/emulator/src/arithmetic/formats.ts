// Binary floating point formats, and rounding to them. Values of all of them are JavaScript numbers; only NaNs need care,
// because a number has but one. What a number can't tell of an exact value, a residue does: the sign of exact - x.

const float = new Float32Array(1);
const floatWord = new Uint32Array(float.buffer);
const double = new Float64Array(1);
const doubleWords = new Uint32Array(double.buffer);
const doubleBits = new BigUint64Array(double.buffer);

/** A format whose values are f64 values, too. */
export interface FloatFormat {
  readonly bits: number;
  /** Bits of the fraction, without the leading one. */
  readonly fraction: number;
  /** Exponents of the least and of the greatest normal numbers. */
  readonly leastExponent: number;
  readonly greatest: number;
  /** The exponent field is biased by this. */
  readonly bias: number;
  /** The only NaN that arithmetic gives (PTX ISA, Floating Point Instructions). */
  readonly nan: number;
  /** Bits of infinity; undefined where there is none. */
  readonly infinity: number | undefined;
}

const ieee = (bits: number, fraction: number, bias: number, nan: number): FloatFormat => ({
  bits,
  fraction,
  bias,
  leastExponent: 1 - bias,
  greatest: (2 - powerOfTwo(-fraction)) * powerOfTwo(bias),
  nan,
  infinity: (2 * bias + 1) * powerOfTwo(fraction),
});

export const F16 = ieee(16, 10, 15, 0x7fff);
export const BF16 = ieee(16, 7, 127, 0x7fff);
export const F32 = ieee(32, 23, 127, 0x7fffffff);
export const E5M2 = ieee(8, 2, 15, 0x7f);
/** No infinities, and one NaN of each sign; 448 is the greatest. */
export const E4M3: FloatFormat = { ...ieee(8, 3, 7, 0x7f), greatest: 448, infinity: undefined };
/** f32 with a fraction of 10 bits: its bits are those of the f32. */
export const TF32: FloatFormat = { ...F32, fraction: 10, greatest: (2 - powerOfTwo(-10)) * powerOfTwo(127) };

export const FORMATS: Readonly<Record<string, FloatFormat>> = {
  f16: F16,
  bf16: BF16,
  f32: F32,
  tf32: TF32,
  e4m3: E4M3,
  e5m2: E5M2,
};

/** To nearest even, toward zero, down, up, to nearest with ties away from zero. */
export type Rounding = "rn" | "rz" | "rm" | "rp" | "rna";

const DIRECTED: readonly Rounding[] = ["rz", "rm", "rp", "rna"];

/** How an instruction with these modifiers rounds. */
export function roundingOf(modifiers: ReadonlySet<string>): Rounding {
  return DIRECTED.find((word) => modifiers.has(word)) ?? "rn";
}

export function bitsOfFloat32(value: number): number {
  float[0] = value;
  return Number.isNaN(value) ? F32.nan : floatWord[0]!;
}

export function float32OfBits(bits: number): number {
  floatWord[0] = bits;
  return float[0]!;
}

/** The bits of a number; of a NaN any. */
export function bitsOfFloat64(value: number): bigint {
  double[0] = value;
  return doubleBits[0]!;
}

export function float64OfBits(bits: bigint): number {
  doubleBits[0] = bits;
  return double[0]!;
}

/** floor(log2 |x|) of a finite number that is not 0. */
export function exponentOf(x: number): number {
  double[0] = x;
  const field = (doubleWords[1]! >>> 20) & 0x7ff;
  return field === 0 ? exponentOf(x * 2 ** 64) - 64 : field - 1023;
}

/** 2 to the power of an integer from -1074 to 1023, exactly, which engines promise of no other way. */
export function powerOfTwo(exponent: number): number {
  const normal = exponent >= -1022;
  doubleWords[0] = !normal && exponent + 1074 < 32 ? 2 ** (exponent + 1074) : 0;
  doubleWords[1] = normal ? (exponent + 1023) << 20 : exponent + 1074 < 32 ? 0 : 1 << (exponent + 1042);
  return double[0]!;
}

/** The value with these bits. */
export function decode(format: FloatFormat, bits: number): number {
  if (format.bits === 32) return float32OfBits(bits);
  const { fraction, bias, nan } = format;
  const sign = bits >>> (format.bits - 1) === 0 ? 1 : -1;
  const rest = bits & (2 ** (format.bits - 1) - 1);
  if (rest === format.infinity) return sign * Infinity;
  if (format.infinity === undefined ? rest === nan : rest > format.infinity) return NaN;
  const field = rest >>> fraction;
  const significand = rest & (2 ** fraction - 1);
  return field === 0
    ? sign * significand * powerOfTwo(1 - bias - fraction)
    : sign * (2 ** fraction + significand) * powerOfTwo(field - bias - fraction);
}

/** The bits of a value that the format has. */
export function encode(format: FloatFormat, value: number): number {
  if (format.bits === 32) return bitsOfFloat32(value);
  const { fraction, bias, leastExponent, infinity, nan } = format;
  if (Number.isNaN(value)) return nan;
  const sign = value < 0 || Object.is(value, -0) ? 2 ** (format.bits - 1) : 0;
  const size = Math.abs(value);
  if (size === Infinity) return sign + (infinity ?? nan);
  if (size === 0) return sign;
  const exponent = Math.max(exponentOf(size), leastExponent);
  const units = size * powerOfTwo(fraction - exponent);
  return sign + (exponent + bias - 1) * 2 ** fraction + units;
}

/**
 * Rounds to a format the exact value of which `x` is the nearest f64 and `residue` has the sign of what is missing.
 * @returns a value of the format
 */
export function roundTo(format: FloatFormat, x: number, residue: number, rounding: Rounding): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const { fraction, leastExponent, greatest } = format;
  const negative = x < 0;
  const size = Math.abs(x);
  const beyond = negative ? -residue : residue;
  let exponent = Math.max(exponentOf(size), leastExponent);
  // An exact value just below a power of two has finer neighbours than the power.
  if (beyond < 0 && exponent > leastExponent && size === powerOfTwo(exponent)) exponent--;
  const units = size * powerOfTwo(fraction - exponent);
  let lower = Math.floor(units);
  const rest = units - lower;
  // Where the exact value is between `lower` and `lower + 1`: below, at or above the middle, which is 0.
  let middle = rest !== 0.5 ? rest - 0.5 : beyond;
  let exact = rest === 0 && beyond === 0;
  if (rest === 0 && beyond < 0) {
    lower--;
    middle = 1;
    exact = false;
  }
  const up = !exact && UP[rounding](middle, lower, negative);
  const result = (up ? lower + 1 : lower) * powerOfTwo(exponent - fraction);
  if (result > greatest)
    return negative ? -overflow(greatest, rounding, true) : overflow(greatest, rounding, false);
  return negative ? -result : result;
}

/** Whether a rounding takes the neighbour that is farther from zero. */
const UP: Readonly<Record<Rounding, (middle: number, lower: number, negative: boolean) => boolean>> = {
  rn: (middle, lower) => middle > 0 || (middle === 0 && lower % 2 === 1),
  rna: (middle) => middle >= 0,
  rz: () => false,
  rm: (_middle, _lower, negative) => negative,
  rp: (_middle, _lower, negative) => !negative,
};

/** What is too large for a format becomes, in size. */
function overflow(greatest: number, rounding: Rounding, negative: boolean): number {
  const toInfinity = rounding === "rn" || rounding === "rna" || rounding === (negative ? "rm" : "rp");
  return toInfinity ? Infinity : greatest;
}
