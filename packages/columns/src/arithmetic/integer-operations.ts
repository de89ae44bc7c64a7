// Integer instructions as operations: the function and the types of each. Common 32-bit instructions have fast
// versions.
import { dotProduct, INTEGER_FUNCTIONS, type IntegerFunction, type IntegerType, wrap } from "./integer.js";
import {
  bigints,
  bitsOf,
  type Evaluate,
  type Kind,
  kindOf,
  type Mnemonic,
  numbers,
  type ScalarOperation,
} from "./operation.js";

/** How many sources an integer instruction has, and their types where these differ from the instruction's. */
interface Family {
  readonly args: number;
  /** The types of sources that differ from the instruction's, by position. */
  readonly argTypes?: Readonly<Record<number, string>>;
  readonly result?: string;
}

const WORD = "u32";
const FAMILIES: Readonly<Record<string, Family>> = {
  add: { args: 2 },
  sub: { args: 2 },
  mul: { args: 2 },
  mad: { args: 3 },
  mul24: { args: 2 },
  mad24: { args: 3 },
  sad: { args: 3 },
  div: { args: 2 },
  rem: { args: 2 },
  neg: { args: 1 },
  abs: { args: 1 },
  min: { args: 2 },
  max: { args: 2 },
  and: { args: 2 },
  or: { args: 2 },
  xor: { args: 2 },
  not: { args: 1 },
  cnot: { args: 1 },
  shl: { args: 2, argTypes: { 1: WORD } },
  shr: { args: 2, argTypes: { 1: WORD } },
  popc: { args: 1, result: WORD },
  clz: { args: 1, result: WORD },
  bfind: { args: 1, result: WORD },
  brev: { args: 1 },
  bfe: { args: 3, argTypes: { 1: WORD, 2: WORD } },
  bfi: { args: 4, argTypes: { 2: WORD, 3: WORD } },
  fns: { args: 3 },
  bmsk: { args: 2 },
  szext: { args: 2, argTypes: { 1: WORD } },
  shf: { args: 3 },
  prmt: { args: 3 },
  lop3: { args: 4 },
};

/** Modifiers that select a function; instructions with others, such as `cc`, are not handled here. */
const CHOOSING = new Set(
  ["lo", "hi", "wide", "sat", "relu", "shiftamt", "clamp", "wrap", "l", "r"].concat([
    "f4e",
    "b4e",
    "rc8",
    "ecl",
    "ecr",
    "rc16",
  ]),
);

/** The operation of an integer instruction. */
export function integerOperation({ name, words: modifiers, types }: Mnemonic): ScalarOperation | undefined {
  const type = types[0] ?? "";
  if (name === "dp4a" || name === "dp2a") return dotOperation(name, modifiers, types);
  const family = FAMILIES[name];
  if (family === undefined || !/^([bus](8|16|32|64)|[us]16x2|pred)$/.test(type)) return undefined;
  const key = [name, ...[...modifiers].filter((word) => CHOOSING.has(word))].join(".");
  const apply = INTEGER_FUNCTIONS[key];
  if (apply === undefined || [...modifiers].some((word) => !CHOOSING.has(word))) return undefined;
  if (type.endsWith("x2")) return packedOperation(type, family.args, apply);

  const wide = modifiers.has("wide");
  const resultType = wide ? type.replace(/\d+/, (bits) => String(2 * Number(bits))) : (family.result ?? type);
  const argTypes = Array.from({ length: family.args }, (_, index) =>
    wide && index === 2 ? resultType : (family.argTypes?.[index] ?? type),
  );
  const shape = { args: argTypes.map(kindOf), result: kindOf(resultType), ...extension(resultType) };
  const quick = QUICK[`${key}.${type}`];
  if (quick !== undefined) return { ...shape, evaluate: quick };
  return { ...shape, evaluate: slow(integerType(type), argTypes, shape.args, shape.result, apply) };
}

/** The width and the signedness of a type such as `s32`. */
export function integerType(type: string): IntegerType {
  const bits = bitsOf(type);
  return { bits, width: BigInt(bits), signed: type.startsWith("s") };
}

const extension = (type: string) => ({ bits: bitsOf(type), signed: type.startsWith("s") });

/** Wraps a function of bigints as a function of values. */
function slow(
  type: IntegerType,
  argTypes: readonly string[],
  args: readonly Kind[],
  result: Kind,
  apply: IntegerFunction,
): Evaluate {
  const types = argTypes.map(integerType);
  const taken = (value: number | bigint | undefined, index: number): bigint =>
    index < args.length ? wrap(types[index]!, BigInt(value!)) : 0n;
  const resultBits = result === "i64" ? 64 : 32;
  return (a, b, c, d) => {
    const whole = apply(type, taken(a, 0), taken(b, 1), taken(c, 2), taken(d, 3));
    const bits = BigInt.asUintN(resultBits, whole);
    return result === "i64" ? bits : Number(bits);
  };
}

/** Applies a function to both halves separately. */
function packedOperation(type: string, args: number, apply: IntegerFunction): ScalarOperation {
  const half = integerType(type.replace("x2", ""));
  const lane = (value: number, shift: number) => wrap(half, BigInt(value >>> shift));
  const one = (a: number, b: number, shift: number) =>
    Number(BigInt.asUintN(16, apply(half, lane(a, shift), lane(b, shift), 0n, 0n)));
  return {
    args: Array.from({ length: args }, (): Kind => "i32"),
    result: "i32",
    bits: 32,
    signed: false,
    evaluate: numbers((a, b) => one(a, b, 0) | (one(a, b, 16) << 16)),
  };
}

function dotOperation(
  name: string,
  modifiers: ReadonlySet<string>,
  [a = "", b = ""]: readonly string[],
): ScalarOperation {
  const parts = name === "dp4a" ? 4 : 2;
  return {
    args: ["i32", "i32", "i32"],
    result: "i32",
    bits: 32,
    signed: a === "s32" || b === "s32",
    evaluate: numbers((x, y, z) =>
      Number(
        BigInt.asUintN(
          32,
          dotProduct(parts, modifiers.has("hi"), a === "s32", b === "s32", BigInt(x), BigInt(y), BigInt(z)),
        ),
      ),
    ),
  };
}

/** Frequent operations in machine words; tests compare them with the functions on bigints. */
export const QUICK: Readonly<Record<string, Evaluate>> = {
  ...both32({
    add: (a, b) => a + b,
    sub: (a, b) => a - b,
    "mul.lo": (a, b) => Math.imul(a, b),
    "mad.lo": (a, b, c) => Math.imul(a, b) + c,
    neg: (a) => -a,
  }),
  "min.u32": numbers((a, b) => Math.min(a, b)),
  "max.u32": numbers((a, b) => Math.max(a, b)),
  "min.s32": numbers((a, b) => Math.min(a | 0, b | 0)),
  "max.s32": numbers((a, b) => Math.max(a | 0, b | 0)),
  "div.u32": numbers((a, b) => (b === 0 ? -1 : Math.floor(a / b))),
  "rem.u32": numbers((a, b) => (b === 0 ? -1 : a % b)),
  "and.b32": numbers((a, b) => a & b),
  "or.b32": numbers((a, b) => a | b),
  "xor.b32": numbers((a, b) => a ^ b),
  "not.b32": numbers((a) => ~a),
  "and.pred": numbers((a, b) => a & b),
  "or.pred": numbers((a, b) => a | b),
  "xor.pred": numbers((a, b) => a ^ b),
  "not.pred": numbers((a) => a ^ 1),
  "shl.b32": numbers((a, b) => (b > 31 ? 0 : a << b)),
  "shr.u32": numbers((a, b) => (b > 31 ? 0 : a >>> b)),
  "shr.b32": numbers((a, b) => (b > 31 ? 0 : a >>> b)),
  "shr.s32": numbers((a, b) => a >> Math.min(b, 31)),
  "lop3.b32": numbers(chooseBits),
  "clz.b32": numbers((a) => Math.clz32(a)),
  "mul.wide.u32": bigintsOfWords((a, b) => BigInt(a) * BigInt(b)),
  "mul.wide.s32": bigintsOfWords((a, b) => BigInt(a | 0) * BigInt(b | 0)),
  ...both64({ add: (a, b) => a + b, sub: (a, b) => a - b, "mul.lo": (a, b) => a * b }),
  "and.b64": bigints((a, b) => a & b),
  "or.b64": bigints((a, b) => a | b),
  "xor.b64": bigints((a, b) => a ^ b),
};

/** Each bit of the result is the bit of `table` that the three bits of the operands choose. */
function chooseBits(a: number, b: number, c: number, table: number): number {
  const ofPair = (x: number, bit: number) =>
    x & (((table >>> bit) & 1 ? ~c : 0) | ((table >>> (bit + 1)) & 1 ? c : 0));
  return ofPair(~a & ~b, 0) | ofPair(~a & b, 2) | ofPair(a & ~b, 4) | ofPair(a & b, 6);
}

function both32(
  functions: Record<string, (a: number, b: number, c: number) => number>,
): Record<string, Evaluate> {
  return Object.fromEntries(
    Object.entries(functions).flatMap(([key, apply]) =>
      ["u32", "s32"].map((type) => [`${key}.${type}`, numbers(apply)] as const),
    ),
  );
}

function both64(functions: Record<string, (a: bigint, b: bigint) => bigint>): Record<string, Evaluate> {
  return Object.fromEntries(
    Object.entries(functions).flatMap(([key, apply]) =>
      ["u64", "s64"].map((type) => [`${key}.${type}`, bigints(apply)] as const),
    ),
  );
}

function bigintsOfWords(evaluate: (a: number, b: number) => bigint): Evaluate {
  return evaluate as unknown as Evaluate;
}
