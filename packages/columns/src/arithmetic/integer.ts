// The functions of integer instructions (PTX ISA, Integer Arithmetic, Logic and Shift Instructions), on integers of any
// width. Functions receive operands with the sign of the instruction's type and may return any integer; its low bits
// are the result.

/** The type of an instruction; `width` is its number of bits as a bigint, for shifts. */
export interface IntegerType {
  readonly bits: number;
  readonly width: bigint;
  readonly signed: boolean;
}

export type IntegerFunction = (type: IntegerType, a: bigint, b: bigint, c: bigint, d: bigint) => bigint;

/** Wraps an integer to a type. */
export const wrap = ({ bits, signed }: IntegerType, x: bigint): bigint =>
  signed ? BigInt.asIntN(bits, x) : BigInt.asUintN(bits, x);

const unsigned = ({ bits }: IntegerType, x: bigint): bigint => BigInt.asUintN(bits, x);
const absolute = (x: bigint): bigint => (x < 0n ? -x : x);
export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The integer of a type that is nearest to x. */
export function clamp({ bits, signed }: IntegerType, x: bigint): bigint {
  const least = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const greatest = signed ? (1n << BigInt(bits - 1)) - 1n : (1n << BigInt(bits)) - 1n;
  return greater(least, lesser(greatest, x));
}

/** The low 24 bits, which `mul24` and `mad24` use. */
const low24 = ({ signed }: IntegerType, x: bigint): bigint =>
  signed ? BigInt.asIntN(24, x) : BigInt.asUintN(24, x);

/** The index of the highest significant bit, or -1 if there is none. */
function highestBit(type: IntegerType, a: bigint): number {
  const telling = a < 0n ? ~a : a;
  return telling === 0n ? -1 : unsigned(type, telling).toString(2).length - 1;
}

function countOnes(x: bigint): number {
  let ones = 0;
  for (let rest = x; rest > 0n; rest &= rest - 1n) ones++;
  return ones;
}

function reverse(bits: number, x: bigint): bigint {
  let result = 0n;
  for (let bit = 0, rest = x; bit < bits; bit++, rest >>= 1n) result = (result << 1n) | (rest & 1n);
  return result;
}

function bitField(type: IntegerType, a: bigint, position: bigint, length: bigint): bigint {
  const start = Number(position & 0xffn);
  const count = Number(length & 0xffn);
  if (count === 0) return 0n;
  const field = unsigned(type, a) >> BigInt(start);
  if (!type.signed) return BigInt.asUintN(count, field);
  const highest = Math.min(start + count - 1, type.bits - 1);
  const sign = (unsigned(type, a) >> BigInt(highest)) & 1n;
  const present = BigInt.asUintN(Math.max(0, highest - start + 1), field);
  return sign === 1n ? present | (-1n << BigInt(Math.max(0, highest - start + 1))) : present;
}

function insertField(type: IntegerType, a: bigint, b: bigint, position: bigint, length: bigint): bigint {
  const start = position & 0xffn;
  const mask = BigInt.asUintN(Number(length & 0xffn), -1n) << start;
  return (b & ~mask) | ((unsigned(type, a) << start) & mask);
}

/** The n-th set bit, counted from a base in one direction. */
function findNthSet(mask: bigint, base: bigint, offset: bigint): bigint {
  const none = 0xffffffffn;
  const isSet = (bit: number) => ((mask >> BigInt(bit)) & 1n) === 1n;
  let bit = Number(BigInt.asUintN(32, base));
  if (offset === 0n) return bit < 32 && isSet(bit) ? BigInt(bit) : none;
  const step = offset > 0n ? 1 : -1;
  for (let left = Number(absolute(offset)); bit >= 0 && bit < 32; bit += step) {
    if (isSet(bit) && --left === 0) return BigInt(bit);
  }
  return none;
}

/** Division by zero yields all ones, as on NVIDIA hardware; the manual leaves it undefined. */
export const INTEGER_FUNCTIONS: Readonly<Record<string, IntegerFunction>> = {
  add: (_, a, b) => a + b,
  sub: (_, a, b) => a - b,
  "add.sat": (type, a, b) => clamp(type, a + b),
  "sub.sat": (type, a, b) => clamp(type, a - b),
  "mul.lo": (_, a, b) => a * b,
  "mul.hi": ({ width }, a, b) => (a * b) >> width,
  "mul.wide": (_, a, b) => a * b,
  "mad.lo": (_, a, b, c) => a * b + c,
  "mad.hi": ({ width }, a, b, c) => ((a * b) >> width) + c,
  "mad.hi.sat": (type, a, b, c) => clamp(type, ((a * b) >> type.width) + c),
  "mad.wide": (_, a, b, c) => a * b + c,
  "mul24.lo": (type, a, b) => low24(type, a) * low24(type, b),
  "mul24.hi": (type, a, b) => (low24(type, a) * low24(type, b)) >> 16n,
  "mad24.lo": (type, a, b, c) => low24(type, a) * low24(type, b) + c,
  "mad24.hi": (type, a, b, c) => ((low24(type, a) * low24(type, b)) >> 16n) + c,
  "mad24.hi.sat": (type, a, b, c) =>
    clamp(type, BigInt.asIntN(32, (low24(type, a) * low24(type, b)) >> 16n) + c),
  sad: (_, a, b, c) => c + absolute(a - b),
  div: (_, a, b) => (b === 0n ? -1n : a / b),
  rem: (_, a, b) => (b === 0n ? -1n : a % b),
  neg: (_, a) => -a,
  abs: (_, a) => absolute(a),
  min: (_, a, b) => lesser(a, b),
  max: (_, a, b) => greater(a, b),
  "min.relu": (_, a, b) => greater(0n, lesser(a, b)),
  "max.relu": (_, a, b) => greater(0n, greater(a, b)),
  and: (_, a, b) => a & b,
  or: (_, a, b) => a | b,
  xor: (_, a, b) => a ^ b,
  not: (_, a) => ~a,
  cnot: (_, a) => (a === 0n ? 1n : 0n),
  shl: ({ width }, a, b) => (b >= width ? 0n : a << b),
  shr: ({ width }, a, b) => a >> lesser(b, width),
  popc: (_, a) => BigInt(countOnes(a)),
  clz: ({ bits }, a) => BigInt(bits - (a === 0n ? 0 : a.toString(2).length)),
  bfind: (type, a) => BigInt(highestBit(type, a)),
  "bfind.shiftamt": (type, a) => {
    const highest = highestBit(type, a);
    return BigInt(highest < 0 ? -1 : type.bits - 1 - highest);
  },
  brev: ({ bits }, a) => reverse(bits, a),
  bfe: bitField,
  bfi: insertField,
  fns: (_, a, b, c) => findNthSet(a, b, BigInt.asIntN(32, c)),
  "bmsk.clamp": (_, a, b) => (a > 31n ? 0n : BigInt.asUintN(Number(lesser(b, 32n)), -1n) << a),
  "bmsk.wrap": (_, a, b) => BigInt.asUintN(Number(b & 31n), -1n) << (a & 31n),
  "szext.clamp": ({ signed }, a, b) => extend(signed, a, Number(lesser(b, 32n))),
  "szext.wrap": ({ signed }, a, b) => extend(signed, a, Number(b & 31n)),
  // The operands are two words and a shift amount; the result is a word.
  "shf.l.clamp": (_, a, b, c) => (((b << 32n) | a) << lesser(c, 32n)) >> 32n,
  "shf.l.wrap": (_, a, b, c) => (((b << 32n) | a) << (c & 31n)) >> 32n,
  "shf.r.clamp": (_, a, b, c) => ((b << 32n) | a) >> lesser(c, 32n),
  "shf.r.wrap": (_, a, b, c) => ((b << 32n) | a) >> (c & 31n),
  lop3: (type, a, b, c, table) => {
    let result = 0n;
    for (let row = 0n; row < 8n; row++) {
      if (((table >> row) & 1n) === 0n) continue;
      const pick = (x: bigint, bit: bigint) => ((row >> bit) & 1n ? x : unsigned(type, ~x));
      result |= pick(a, 2n) & pick(b, 1n) & pick(c, 0n);
    }
    return result;
  },
  prmt: (_, a, b, c) => permute(a, b, (byte) => (c >> BigInt(4 * byte)) & 15n),
  "prmt.f4e": (_, a, b, c) => permute(a, b, (byte) => (c & 3n) + BigInt(byte)),
  "prmt.b4e": (_, a, b, c) => permute(a, b, (byte) => ((c & 3n) - BigInt(byte)) & 7n),
  "prmt.rc8": (_, a, b, c) => permute(a, b, () => c & 3n),
  "prmt.ecl": (_, a, b, c) => permute(a, b, (byte) => greater(c & 3n, BigInt(byte))),
  "prmt.ecr": (_, a, b, c) => permute(a, b, (byte) => lesser(c & 3n, BigInt(byte))),
  "prmt.rc16": (_, a, b, c) => permute(a, b, (byte) => ((c & 1n) << 1n) | BigInt(byte & 1)),
};

/**
 * Selects four bytes of {b, a}: each selector holds a byte index in its low three bits and, above them, a bit that
 * replicates the byte's sign.
 */
function permute(a: bigint, b: bigint, selector: (byte: number) => bigint): bigint {
  const all = (b << 32n) | a;
  let result = 0n;
  for (let byte = 0; byte < 4; byte++) {
    const select = selector(byte);
    const value = (all >> (8n * (select & 7n))) & 0xffn;
    const chosen = (select & 8n) === 0n ? value : value >> 7n ? 0xffn : 0n;
    result |= chosen << BigInt(8 * byte);
  }
  return result;
}

const extend = (signed: boolean, a: bigint, bits: number): bigint =>
  signed ? BigInt.asIntN(bits, a) : BigInt.asUintN(bits, a);

/** Sums of products of the parts of two words: four bytes each, or two halves and two bytes. */
export function dotProduct(
  parts: 2 | 4,
  upper: boolean,
  aSigned: boolean,
  bSigned: boolean,
  a: bigint,
  b: bigint,
  c: bigint,
): bigint {
  const aBits = 32 / parts;
  const shift = upper ? 16 : 0;
  let sum = c;
  for (let part = 0; part < parts; part++) {
    const x = extend(aSigned, a >> BigInt(aBits * part), aBits);
    const y = extend(bSigned, b >> BigInt(8 * part + shift), 8);
    sum += x * y;
  }
  return sum;
}
