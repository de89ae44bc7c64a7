// Comparisons and selections as operations: `set`, `setp`, `selp`, `slct`, `testp` and `copysign`.
import { flusher } from "./float-functions.js";
import { reader } from "./float-operations.js";
import { BF16, F16, F32, powerOfTwo } from "./formats.js";
import { wrap } from "./integer.js";
import { integerType } from "./integer-operations.js";
import {
  bigints,
  bitsOf,
  type Evaluate,
  type Kind,
  kindOf,
  type Mnemonic,
  numbers,
  type ScalarOperation,
  type Value,
} from "./operation.js";

type Comparison = (a: Value, b: Value) => boolean;

/**
 * Comparisons of numbers or bigints. Ordered comparisons with a NaN are false, as in JavaScript, except that `!=` is
 * true.
 */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a < b || a > b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  equ: (a, b) => !(a < b || a > b),
  neu: (a, b) => a !== b,
  ltu: (a, b) => !(a >= b),
  leu: (a, b) => !(a > b),
  gtu: (a, b) => !(a <= b),
  geu: (a, b) => !(a < b),
  num: (a, b) => !Number.isNaN(a) && !Number.isNaN(b),
  nan: (a, b) => Number.isNaN(a) || Number.isNaN(b),
  lo: (a, b) => a < b,
  ls: (a, b) => a <= b,
  hi: (a, b) => a > b,
  hs: (a, b) => a >= b,
};

/** How the result of a comparison is combined with the predicate operand. */
const COMBINATIONS: Readonly<Record<string, (result: number, c: number) => number>> = {
  and: (result, c) => result & c,
  or: (result, c) => result | c,
  xor: (result, c) => result ^ c,
};

/** The value that `set` writes for true. */
const TRUE: Readonly<Record<string, number>> = {
  u32: 0xffffffff,
  s32: 0xffffffff,
  u16: 0xffff,
  s16: 0xffff,
  f32: 1,
  f16: 0x3c00,
  bf16: 0x3f80,
};

const FLUSHED = { f16: F16, bf16: BF16, f32: F32 };

/** The comparison of an instruction, on values of a type in their passed form. */
function comparisonOf(type: string, modifiers: ReadonlySet<string>): Comparison | undefined {
  const name = [...modifiers].find((word) => COMPARISONS[word] !== undefined);
  if (name === undefined) return undefined;
  const compare = COMPARISONS[name]!;
  if (/^[bu]\d/.test(type)) {
    if (bitsOf(type) >= 32) return compare;
    const low = (x: Value) => (x as number) & 0xffff;
    return (a, b) => compare(low(a), low(b));
  }
  if (type.startsWith("s")) {
    const integer = integerType(type);
    if (integer.bits === 64) return (a, b) => compare(wrap(integer, a as bigint), wrap(integer, b as bigint));
    const shift = 32 - integer.bits;
    const signed = (x: Value) => ((x as number) << shift) >> shift;
    return (a, b) => compare(signed(a), signed(b));
  }
  const read = reader(type) as (value: Value) => number;
  const format = FLUSHED[type as keyof typeof FLUSHED];
  if (!modifiers.has("ftz") || format === undefined) return (a, b) => compare(read(a), read(b));
  const flush = flusher(format);
  return (a, b) => compare(flush(read(a)), flush(read(b)));
}

/** `setp{.ftz}.cmp{.bool}.type p|q, a, b{, c}` */
function setPredicate({ words: modifiers, types: [type = ""] }: Mnemonic): ScalarOperation | undefined {
  const lane = type.replace("x2", "");
  const compare = comparisonOf(lane, modifiers);
  if (compare === undefined) return undefined;
  const combine = combinationOf(modifiers);
  const shape = {
    args: [kindOf(type), kindOf(type), ...(combine === undefined ? [] : ["i32" as const])],
    result: "i32" as const,
    bits: 1,
    signed: false,
  };
  const combined = (result: number, c: Value) => combine?.(result, c as number) ?? result;
  if (lane !== type) {
    // The first predicate compares the low halves, the second the high halves.
    const of = (shift: number): Evaluate =>
      ((a: number, b: number, c: Value) =>
        combined(Number(compare((a >>> shift) & 0xffff, (b >>> shift) & 0xffff)), c)) as Evaluate;
    return { ...shape, evaluate: of(0), second: of(16) };
  }
  return {
    ...shape,
    evaluate: (a, b, c) => combined(Number(compare(a, b)), c),
    second: (a, b, c) => combined(Number(!compare(a, b)), c),
  };
}

function combinationOf(modifiers: ReadonlySet<string>): ((result: number, c: number) => number) | undefined {
  return COMBINATIONS[["and", "or", "xor"].find((word) => modifiers.has(word)) ?? ""];
}

/** `set.cmp{.bool}{.ftz}.dtype.stype d, a, b{, c}` */
function setValue({
  words: modifiers,
  types: [result = "", type = ""],
}: Mnemonic): ScalarOperation | undefined {
  const lane = type.replace("x2", "");
  const compare = comparisonOf(lane, modifiers);
  // For pairs, each half holds its own result: all ones for true where the result is an integer.
  const yes = TRUE[lane === type ? result : result.replace("32", "16").replace("x2", "")];
  if (compare === undefined || yes === undefined) return undefined;
  const combine = combinationOf(modifiers);
  const value = (holds: boolean, c: Value) =>
    (combine?.(Number(holds), c as number) ?? Number(holds)) === 1 ? yes : 0;
  const evaluate: Evaluate =
    lane === type
      ? (a, b, c) => value(compare(a, b), c)
      : (numbers((a, b, c) => {
          const half = (shift: number) => value(compare((a >>> shift) & 0xffff, (b >>> shift) & 0xffff), c);
          return half(0) | (half(16) << 16);
        }) as Evaluate);
  return {
    args: [kindOf(type), kindOf(type), ...(combine === undefined ? [] : ["i32" as const])],
    result: kindOf(result),
    bits: bitsOf(result),
    signed: result.startsWith("s"),
    evaluate,
  };
}

/** The kind in which the bits of a type are passed when their meaning is irrelevant. */
const bitKind = (type: string): Kind => (bitsOf(type) === 64 ? "i64" : "i32");

/** `selp.type d, a, b, p` */
function select({ types: [type = ""] }: Mnemonic): ScalarOperation {
  const kind = bitKind(type);
  return {
    args: [kind, kind, "i32"],
    result: kind,
    bits: bitsOf(type),
    signed: false,
    evaluate: (a, b, p) => (p === 1 ? a : b),
  };
}

/** `slct{.ftz}.dtype.ctype d, a, b, c`: a if c is not negative, b otherwise. */
function selectBySign({ words: modifiers, types: [type = "", by = ""] }: Mnemonic): ScalarOperation {
  const kind = bitKind(type);
  const flush = modifiers.has("ftz") ? flusher(F32) : (x: number) => x;
  const takesFirst =
    by === "s32" ? (c: Value) => ((c as number) | 0) >= 0 : (c: Value) => flush(c as number) >= 0;
  return {
    args: [kind, kind, kindOf(by)],
    result: kind,
    bits: bitsOf(type),
    signed: false,
    evaluate: (a, b, c) => (takesFirst(c) ? a : b),
  };
}

/** The tests of `testp`; `least` is the smallest normal number of the type. */
const TESTS: Readonly<Record<string, (x: number, least: number) => boolean>> = {
  finite: (x) => Number.isFinite(x),
  infinite: (x) => Math.abs(x) === Infinity,
  number: (x) => !Number.isNaN(x),
  notanumber: (x) => Number.isNaN(x),
  normal: (x, least) => Number.isFinite(x) && Math.abs(x) >= least,
  subnormal: (x, least) => Math.abs(x) < least && x !== 0,
};

function testProperty({ words: modifiers, types: [type = ""] }: Mnemonic): ScalarOperation | undefined {
  const test = TESTS[[...modifiers][0] ?? ""];
  if (test === undefined) return undefined;
  const least = type === "f64" ? 2.2250738585072014e-308 : powerOfTwo(F32.leastExponent);
  return {
    args: [kindOf(type)],
    result: "i32",
    bits: 1,
    signed: false,
    evaluate: numbers((x) => Number(test(x, least))),
  };
}

/** The magnitude of b with the sign of a; the payload of a NaN is kept. */
function copySign({ types: [type = ""] }: Mnemonic): ScalarOperation {
  const shape = { bits: bitsOf(type), signed: false };
  if (bitKind(type) === "i64") {
    const sign = 1n << 63n;
    const evaluate = bigints((a, b) => (a & sign) | (b & ~sign));
    return { ...shape, args: ["i64", "i64"], result: "i64", evaluate };
  }
  const evaluate = numbers((a, b) => (a & 0x80000000) | (b & 0x7fffffff));
  return { ...shape, args: ["i32", "i32"], result: "i32", evaluate };
}

export const COMPARING: Readonly<Record<string, (mnemonic: Mnemonic) => ScalarOperation | undefined>> = {
  setp: setPredicate,
  set: setValue,
  selp: select,
  slct: selectBySign,
  testp: testProperty,
  copysign: copySign,
};
