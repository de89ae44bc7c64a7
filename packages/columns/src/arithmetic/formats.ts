// Binary floating-point formats and rounding to them. All values are JavaScript numbers; only NaNs need care, because
// JavaScript has a single NaN. Where a number cannot represent an exact value, a residue holds the sign of exact - x.

const float = new Float32Array(1);
const floatWord = new Uint32Array(float.buffer);
const double = new Float64Array(1);
const doubleWords = new Uint32Array(double.buffer);
const doubleBits = new BigUint64Array(double.buffer);

/** A format whose values are all representable as f64. */
export interface FloatFormat {
  readonly bits: number;
  /** Bits of the fraction, without the implicit leading one. */
  readonly fraction: number;
  /** The exponent of the smallest normal number; `greatest` is the largest finite value. */
  readonly leastExponent: number;
  readonly greatest: number;
  /** The bias of the exponent field. */
  readonly bias: number;
  /** The only NaN that arithmetic produces (PTX ISA, Floating Point Instructions). */
  readonly nan: number;
  /** The bits of infinity; undefined for formats without infinities. */
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

/** IEEE half precision. */
export const F16 = ieee(16, 10, 15, 0x7fff);
/** The upper half of an f32. */
export const BF16 = ieee(16, 7, 127, 0x7fff);
/** IEEE single precision. */
export const F32 = ieee(32, 23, 127, 0x7fffffff);
/** f8 with five bits of exponent. */
export const E5M2 = ieee(8, 2, 15, 0x7f);
/** Has no infinities and one NaN per sign; the largest value is 448. */
export const E4M3: FloatFormat = { ...ieee(8, 3, 7, 0x7f), greatest: 448, infinity: undefined };
/** f32 with a 10-bit fraction; a value has the same bits as an f32. */
export const TF32: FloatFormat = { ...F32, fraction: 10, greatest: (2 - powerOfTwo(-10)) * powerOfTwo(127) };

/** The formats by the names of their types in PTX. */
export const FORMATS: Readonly<Record<string, FloatFormat>> = {
  f16: F16,
  bf16: BF16,
  f32: F32,
  tf32: TF32,
  e4m3: E4M3,
  e5m2: E5M2,
};

/** To nearest even, toward zero, down, up, and to nearest with ties away from zero. */
export type Rounding = "rn" | "rz" | "rm" | "rp" | "rna";

const DIRECTED: readonly Rounding[] = ["rz", "rm", "rp", "rna"];

/** The rounding mode that an instruction's modifiers select. */
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

/** The bits of a number; for NaN, the bits of some NaN. */
export function bitsOfFloat64(value: number): bigint {
  double[0] = value;
  return doubleBits[0]!;
}

/** The f64 that has these bits. */
export function float64OfBits(bits: bigint): number {
  doubleBits[0] = bits;
  return double[0]!;
}

/** floor(log2 |x|) of a nonzero finite number. */
export function exponentOf(x: number): number {
  double[0] = x;
  const field = (doubleWords[1]! >>> 20) & 0x7ff;
  return field === 0 ? exponentOf(x * 2 ** 64) - 64 : field - 1023;
}

/** 2 to the power of an integer from -1074 to 1023, exactly. `Math.pow` is not guaranteed to be exact. */
export function powerOfTwo(exponent: number): number {
  const normal = exponent >= -1022;
  doubleWords[0] = !normal && exponent + 1074 < 32 ? 2 ** (exponent + 1074) : 0;
  doubleWords[1] = normal ? (exponent + 1023) << 20 : exponent + 1074 < 32 ? 0 : 1 << (exponent + 1042);
  return double[0]!;
}

/** The value that has these bits. */
export function decode(format: FloatFormat, bits: number): number {
  if (format.bits === 32) return float32OfBits(bits);
  const { fraction, bias, nan } = format;
  const sign = bits >>> (format.bits - 1) === 0 ? 1 : -1;
  // Shifts, because powers of two take longer than all the rest.
  const rest = bits & ((1 << (format.bits - 1)) - 1);
  if (rest === format.infinity) return sign * Infinity;
  if (format.infinity === undefined ? rest === nan : rest > format.infinity) return NaN;
  const field = rest >>> fraction;
  const significand = rest & ((1 << fraction) - 1);
  return field === 0
    ? sign * significand * powerOfTwo(1 - bias - fraction)
    : sign * ((1 << fraction) + significand) * powerOfTwo(field - bias - fraction);
}

/** The bits of a value of the format. */
export function encode(format: FloatFormat, value: number): number {
  if (format.bits === 32) return bitsOfFloat32(value);
  const { fraction, bias, leastExponent, infinity, nan } = format;
  if (Number.isNaN(value)) return nan;
  const sign = value < 0 || Object.is(value, -0) ? 1 << (format.bits - 1) : 0;
  const size = Math.abs(value);
  if (size === Infinity) return sign + (infinity ?? nan);
  if (size === 0) return sign;
  const exponent = Math.max(exponentOf(size), leastExponent);
  const units = size * powerOfTwo(fraction - exponent);
  return sign + (exponent + bias - 1) * (1 << fraction) + units;
}

/**
 * Rounds an exact value to a format. `x` is the f64 nearest to the exact value, and `residue` has the sign of the
 * difference.
 * @returns a value of the format
 */
export function roundTo(format: FloatFormat, x: number, residue: number, rounding: Rounding): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const { fraction, leastExponent, greatest } = format;
  const negative = x < 0;
  const size = Math.abs(x);
  const beyond = negative ? -residue : residue;
  let exponent = Math.max(exponentOf(size), leastExponent);
  // Just below a power of two, neighbors are closer together than above it.
  if (beyond < 0 && exponent > leastExponent && size === powerOfTwo(exponent)) exponent--;
  const units = size * powerOfTwo(fraction - exponent);
  let lower = Math.floor(units);
  const rest = units - lower;
  // The position of the exact value between `lower` and `lower + 1`: below the midpoint if negative, above it if
  // positive.
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

/** Whether a rounding mode chooses the neighbor farther from zero. */
const UP: Readonly<Record<Rounding, (middle: number, lower: number, negative: boolean) => boolean>> = {
  rn: (middle, lower) => middle > 0 || (middle === 0 && lower % 2 === 1),
  rna: (middle) => middle >= 0,
  rz: () => false,
  rm: (_middle, _lower, negative) => negative,
  rp: (_middle, _lower, negative) => !negative,
};

/** The magnitude of a result that is too large for the format. */
function overflow(greatest: number, rounding: Rounding, negative: boolean): number {
  const toInfinity = rounding === "rn" || rounding === "rna" || rounding === (negative ? "rm" : "rp");
  return toInfinity ? Infinity : greatest;
}
