// Reads and writes numbers of the text form as bytes. An f32 is written as a decimal when that reads back as its exact
// bits, and otherwise as bits in PTX's notation (`0f7FC00000`), so NaN payloads, infinities and -0 survive.
import { latin1 } from "../emit/string.js";
import { float32Bits, float32FromBits } from "../float32.js";

const enum Ascii {
  plus = 0x2b,
  minus = 0x2d,
  point = 0x2e,
  zero = 0x30,
  nine = 0x39,
  f = 0x66,
  x = 0x78,
  e = 0x65,
}

/**
 * Powers of ten that a double represents exactly: a whole number below 2^53 times or divided by one of them is rounded
 * once.
 */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const HIGHEST_POWER = 22;
/** The range that is written in decimal; in it, nine digits and their power of ten are exact. */
const LEAST_DECIMAL = 1e-14;
const MOST_DECIMAL = 1e22;
/** The numbers of digits to try: fewer rarely distinguish an f32 from its neighbours, and nine always do. */
const LEAST_DIGITS = 6;
const MOST_DIGITS = 9;
/** Decimals with more zeros than this before or after their digits are written with an exponent. */
const MOST_ZEROS = 5;
const LOG10_OF_2 = Math.log10(2);
/** The most bytes that any number takes. */
export const LONGEST_NUMBER = 24;

const HEX_DIGITS = Uint8Array.from("0123456789ABCDEF", (digit) => digit.charCodeAt(0));

/** Writes a whole number below 2^50 in decimal; returns the offset after it. */
export function writeDecimal(bytes: Uint8Array, at: number, value: number): number {
  return writeDigits(bytes, at, value, digitsOf(value));
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let power = 10; power <= value; power *= 10) digits++;
  return digits;
}

/** Writes a whole number with a fixed number of digits, padded with zeros. */
function writeDigits(bytes: Uint8Array, at: number, value: number, digits: number): number {
  const end = at + digits;
  let rest = value;
  for (let place = end - 1; place >= at; place--) {
    // This is `rest / 10` rounded down, but faster: the double 0.1 is slightly more than a tenth, so no product is too
    // small.
    const tenth = Math.floor(rest * 0.1);
    bytes[place] = Ascii.zero + (rest - tenth * 10);
    rest = tenth;
  }
  return end;
}

/** Writes `0x0000000A`, or with `letter` f `0f3F800000`. */
export function writeBits(bytes: Uint8Array, at: number, bits: number, letter: number = Ascii.x): number {
  bytes[at] = Ascii.zero;
  bytes[at + 1] = letter;
  for (let digit = 0; digit < 8; digit++) {
    bytes[at + 2 + digit] = HEX_DIGITS[(bits >>> (28 - 4 * digit)) & 15]!;
  }
  return at + 10;
}

/** Writes an s32. */
export function writeSigned(bytes: Uint8Array, at: number, bits: number): number {
  const value = bits | 0;
  if (value >= 0) return writeDecimal(bytes, at, value);
  bytes[at] = Ascii.minus;
  return writeDecimal(bytes, at + 1, -value);
}

/** Writes an f32 so that `readDecimal` returns the same bits. */
export function writeFloat(bytes: Uint8Array, at: number, bits: number): number {
  if (bits === 0) return writeDecimal(bytes, at, 0);
  const size = Math.abs(float32FromBits(bits));
  if (bits !== 0x80000000 && !(size >= LEAST_DECIMAL && size < MOST_DECIMAL)) {
    return writeBits(bytes, at, bits, Ascii.f);
  }
  let start = at;
  if (bits >>> 31 === 1) bytes[start++] = Ascii.minus;
  if (size === 0) return writeDecimal(bytes, start, 0);
  // Derives the decimal exponent from the binary one. It may be 1 too small, which adds one digit.
  const exponent = Math.floor((((bits >>> 23) & 0xff) - 127) * LOG10_OF_2);
  for (let digits = LEAST_DIGITS; digits <= MOST_DIGITS; digits++) {
    let scale = digits - 1 - exponent;
    if (scale > HIGHEST_POWER) break;
    let mantissa = Math.round(scale < 0 ? size / POWERS[-scale]! : size * POWERS[scale]!);
    if (Math.fround(scale < 0 ? mantissa * POWERS[-scale]! : mantissa / POWERS[scale]!) !== size) continue;
    for (let tenth = mantissa / 10; tenth === Math.floor(tenth); tenth = mantissa / 10) {
      mantissa = tenth;
      scale--;
    }
    return writeScaled(bytes, start, mantissa, -scale);
  }
  return writeBits(bytes, at, bits, Ascii.f);
}

/** Writes `mantissa` times ten to the power of `exponent`. */
function writeScaled(bytes: Uint8Array, at: number, mantissa: number, exponent: number): number {
  if (exponent >= 0 && exponent <= MOST_ZEROS) return writeDecimal(bytes, at, mantissa * POWERS[exponent]!);
  const digits = digitsOf(mantissa);
  if (exponent < 0 && -exponent - digits <= MOST_ZEROS) return writePoint(bytes, at, mantissa, -exponent);
  // One digit before the point.
  let next = writePoint(bytes, at, mantissa, digits - 1);
  const power = exponent + digits - 1;
  bytes[next++] = Ascii.e;
  if (power < 0) bytes[next++] = Ascii.minus;
  return writeDecimal(bytes, next, Math.abs(power));
}

/** Writes a whole number with a point before its last `places` digits. */
function writePoint(bytes: Uint8Array, at: number, value: number, places: number): number {
  if (places === 0) return writeDecimal(bytes, at, value);
  const whole = Math.floor(value / POWERS[places]!);
  const point = writeDecimal(bytes, at, whole);
  bytes[point] = Ascii.point;
  return writeDigits(bytes, point + 1, value - whole * POWERS[places]!, places);
}

/** Reads a whole number in decimal digits; returns -1 when it is not one or exceeds `most`. */
export function readIndex(bytes: Uint8Array, start: number, end: number, most: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - Ascii.zero;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
    if (value > most) return -1;
  }
  return value;
}

/** Reads `0x` and one to eight hex digits, or with `letter` f `0f` and eight of them; returns -1 for anything else. */
export function readBits(bytes: Uint8Array, start: number, end: number, letter: number = Ascii.x): number {
  const digits = end - start - 2;
  if (digits < 1 || digits > 8 || bytes[start] !== Ascii.zero || bytes[start + 1] !== letter) return -1;
  if (letter === Ascii.f && digits !== 8) return -1;
  let value = 0;
  for (let at = start + 2; at < end; at++) {
    const digit = hexDigit(bytes[at]!);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Like `readBits`, for an f32. */
export function readFloatBits(bytes: Uint8Array, start: number, end: number): number {
  return readBits(bytes, start, end, Ascii.f);
}

function hexDigit(letter: number): number {
  if (letter >= Ascii.zero && letter <= Ascii.nine) return letter - Ascii.zero;
  // Upper and lower case letters differ in one bit.
  const value = (letter | 0x20) - 0x61;
  return value >= 0 && value < 6 ? value + 10 : -1;
}

/** Reads a signed whole number as its 32 bits; returns -1 when it is not an s32. */
export function readSigned(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === Ascii.minus;
  const from = negative ? start + 1 : start;
  if (from === end) return -1;
  const size = readIndex(bytes, from, end, negative ? 0x80000000 : 0x7fffffff);
  if (size < 0) return -1;
  return (negative ? -size : size) >>> 0;
}

/**
 * Reads a decimal such as `-1.5e3`, rounded to f64 and then to f32 like `f32(-1.5e3)`, as its bits; returns -1 when it
 * is not a decimal or exceeds the range of f32.
 */
export function readFloat(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  const negative = bytes[at] === Ascii.minus;
  if (negative || bytes[at] === Ascii.plus) at++;
  let mantissa = 0;
  let digits = 0;
  let scale = 0;
  let point = false;
  for (; at < end; at++) {
    const letter = bytes[at]!;
    if (letter === Ascii.point && !point) {
      point = true;
      continue;
    }
    const digit = letter - Ascii.zero;
    if (digit < 0 || digit > 9) break;
    mantissa = mantissa * 10 + digit;
    digits++;
    if (point) scale--;
  }
  if (digits === 0) return -1;
  if (at < end) {
    if ((bytes[at]! | 0x20) !== Ascii.e) return -1;
    at++;
    const negativePower = bytes[at] === Ascii.minus;
    if (negativePower || bytes[at] === Ascii.plus) at++;
    if (at === end) return -1;
    let power = 0;
    for (; at < end; at++) {
      const digit = bytes[at]! - Ascii.zero;
      if (digit < 0 || digit > 9) return -1;
      power = Math.min(power * 10 + digit, 100_000);
    }
    scale += negativePower ? -power : power;
  }
  if (digits > 15 || scale > HIGHEST_POWER || scale < -HIGHEST_POWER) {
    const word = bytes.subarray(start, end);
    return finiteBits(Number(latin1(word, word.length)));
  }
  const size = scale < 0 ? mantissa / POWERS[-scale]! : mantissa * POWERS[scale]!;
  return finiteBits(negative ? -size : size);
}

function finiteBits(value: number): number {
  const bits = float32Bits(value);
  return (bits & 0x7fffffff) === 0x7f800000 ? -1 : bits;
}
