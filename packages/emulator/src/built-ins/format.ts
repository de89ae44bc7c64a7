// Formats text like C's printf, with exact digits at every precision.

/** The values for a format, in order. */
export interface PrintValues {
  /** Reads an integer of 4 or 8 bytes. */
  integer(bytes: 4 | 8): bigint;
  double(): number;
  /** Reads the text at the address given by the next value. */
  text(): string;
}

interface Conversion {
  readonly flags: string;
  readonly width: number;
  /** Negative if not specified. */
  readonly precision: number;
  /** The width of an integer. */
  readonly bits: 8 | 16 | 32 | 64;
  readonly letter: string;
}

const CONVERSION = /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L)?([diouxXcspfFeEgGaA%])/g;

/** Widths of integers by the length modifier; 32 without one. */
const BITS: Readonly<Record<string, Conversion["bits"]>> = {
  hh: 8,
  h: 16,
  l: 64,
  ll: 64,
  j: 64,
  z: 64,
  t: 64,
};

/**
 * The number of characters per conversion that C guarantees (C11, 7.21.6.1); larger widths and precisions are capped at
 * it.
 */
const MOST_CHARACTERS = 4095;

/** The text of a `printf` call. Anything that is not a conversion is copied. */
export function formatPrintf(format: string, values: PrintValues): string {
  return format.replace(
    CONVERSION,
    (_, flags: string, width = "", precision, length = "", letter: string) => {
      if (letter === "%") return "%";
      const number = (text: string) =>
        text === "*" ? Number(BigInt.asIntN(32, values.integer(4))) : Number(text);
      const wanted = number(width);
      const digits = precision === undefined ? -1 : number(precision);
      return convert(
        {
          flags: wanted < 0 ? `${flags}-` : flags,
          width: Math.min(Math.abs(wanted), MOST_CHARACTERS),
          precision: Math.min(digits, MOST_CHARACTERS),
          bits: BITS[length] ?? 32,
          letter,
        },
        values,
      );
    },
  );
}

function convert(conversion: Conversion, values: PrintValues): string {
  const { letter, precision, bits } = conversion;
  switch (letter) {
    case "c":
      return pad(String.fromCharCode(Number(values.integer(4) & 0xffn)), "", conversion, false);
    case "s": {
      const text = values.text();
      return pad(precision < 0 ? text : text.slice(0, precision), "", conversion, false);
    }
    case "p":
      return pad(`0x${values.integer(8).toString(16)}`, "", conversion, false);
    case "d":
    case "i": {
      const value = BigInt.asIntN(bits, values.integer(bits === 64 ? 8 : 4));
      return padInteger((value < 0n ? -value : value).toString(), signOf(value < 0n, conversion), conversion);
    }
    case "u":
    case "o":
    case "x":
    case "X":
      return unsigned(BigInt.asUintN(bits, values.integer(bits === 64 ? 8 : 4)), conversion);
    default:
      return double(values.double(), conversion);
  }
}

function unsigned(value: bigint, conversion: Conversion): string {
  const { letter } = conversion;
  const digits = value.toString(letter === "u" ? 10 : letter === "o" ? 8 : 16);
  const text = padInteger(digits, prefixOf(value, digits, conversion), conversion);
  return letter === "X" ? text.toUpperCase() : text;
}

/** The prefix that `#` adds to digits. An octal number must begin with 0, which the precision may already provide. */
function prefixOf(value: bigint, digits: string, { letter, flags, precision }: Conversion): string {
  if (!flags.includes("#") || letter === "u") return "";
  if (letter !== "o") return value === 0n ? "" : "0x";
  if (value === 0n) return precision === 0 ? "0" : "";
  return precision > digits.length ? "" : "0";
}

function padInteger(digits: string, sign: string, conversion: Conversion): string {
  const { precision } = conversion;
  const all = precision === 0 && digits === "0" ? "" : digits.padStart(precision, "0");
  return pad(all, sign, conversion, precision < 0);
}

function signOf(negative: boolean, { flags }: Conversion): string {
  return negative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function pad(text: string, sign: string, { flags, width }: Conversion, zeros: boolean): string {
  if (flags.includes("-")) return (sign + text).padEnd(width);
  if (zeros && flags.includes("0")) return sign + text.padStart(width - sign.length, "0");
  return (sign + text).padStart(width);
}

function double(value: number, conversion: Conversion): string {
  const { letter, precision } = conversion;
  const negative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  const finite = Number.isFinite(size);
  const text = finite
    ? digitsOf(size, letter.toLowerCase(), precision, conversion.flags)
    : size === Infinity
      ? "inf"
      : "nan";
  const prefix = finite && letter.toLowerCase() === "a" ? "0x" : "";
  const padded = pad(text, signOf(negative, conversion) + prefix, conversion, finite);
  return letter === letter.toUpperCase() ? padded.toUpperCase() : padded;
}

function digitsOf(size: number, letter: string, precision: number, flags: string): string {
  const text = plainDigits(size, letter, precision, flags);
  return flags.includes("#") && !text.includes(".") ? text.replace(/(?=e[-+]|p|$)/, ".") : text;
}

function plainDigits(size: number, letter: string, precision: number, flags: string): string {
  switch (letter) {
    case "f":
      return fixed(size, precision < 0 ? 6 : precision);
    case "e":
      return exponential(size, precision < 0 ? 6 : precision);
    case "a":
      return hexadecimal(size, precision);
    default: {
      const significant = precision < 0 ? 6 : Math.max(1, precision);
      const scientific = exponential(size, significant - 1);
      const exponent = Number(scientific.slice(scientific.indexOf("e") + 1));
      const text =
        exponent < -4 || exponent >= significant ? scientific : fixed(size, significant - 1 - exponent);
      return flags.includes("#") ? text : text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "");
    }
  }
}

const words = new BigUint64Array(1);
const numbers = new Float64Array(words.buffer);

/** A number as an integer multiple of a power of two. */
function exactUnits(size: number): { units: bigint; exponent: number } {
  numbers[0] = size;
  const field = Number(words[0]! >> 52n);
  const fraction = words[0]! & 0xfffffffffffffn;
  return field === 0
    ? { units: fraction, exponent: -1074 }
    : { units: fraction | (1n << 52n), exponent: field - 1075 };
}

/** size * 10^power as a fraction */
function fraction(size: number, power: number): readonly [above: bigint, below: bigint] {
  const { units, exponent } = exactUnits(size);
  const above = units * 10n ** BigInt(Math.max(0, power)) * (1n << BigInt(Math.max(0, exponent)));
  const below = 10n ** BigInt(Math.max(0, -power)) * (1n << BigInt(Math.max(0, -exponent)));
  return [above, below];
}

/** size * 10^power as an integer, with ties to even */
const scaled = (size: number, power: number): bigint => quotient(...fraction(size, power));

/** a / b as an integer, with ties to even */
function quotient(a: bigint, b: bigint): bigint {
  const whole = a / b;
  const twice = 2n * (a - whole * b);
  return twice > b || (twice === b && whole % 2n === 1n) ? whole + 1n : whole;
}

function fixed(size: number, precision: number): string {
  const digits = scaled(size, precision)
    .toString()
    .padStart(precision + 1, "0");
  const point = digits.length - precision;
  return precision === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function exponential(size: number, precision: number): string {
  let exponent = size === 0 ? 0 : Number(/e(.*)$/.exec(size.toExponential())![1]);
  // The shortest digits may represent the next higher power of ten.
  const [above, below] = fraction(size, -exponent);
  if (above < below && size !== 0) exponent--;
  let digits = scaled(size, precision - exponent)
    .toString()
    .padEnd(precision + 1, "0");
  if (digits.length > precision + 1) {
    exponent++;
    digits = digits.slice(0, -1);
  }
  const sign = exponent < 0 ? "-" : "+";
  const decimals = precision === 0 ? "" : `.${digits.slice(1)}`;
  return `${digits[0]}${decimals}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** The digits of `%a` after `0x`; without a precision, all of them. */
function hexadecimal(size: number, precision: number): string {
  const { units, exponent } = exactUnits(size);
  const digits = precision < 0 ? 13 : Math.min(precision, 13);
  const rounded = quotient(units, 1n << BigInt(52 - 4 * digits));
  const text = rounded.toString(16).padStart(digits + 1, "0");
  const point = text.length - digits;
  const all = text.slice(point);
  const decimals = precision < 0 ? all.replace(/0+$/, "") : all.padEnd(precision, "0");
  const power = size === 0 ? 0 : exponent + 52;
  return `${text.slice(0, point)}${decimals === "" ? "" : `.${decimals}`}p${power < 0 ? "" : "+"}${power}`;
}
