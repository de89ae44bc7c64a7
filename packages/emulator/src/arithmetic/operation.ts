// An instruction without memory, warps and control as a function of values. Values are what WebAssembly has: integers of
// at most 32 bits, f16, pairs of f16 and predicates are `i32` (numbers, taken as unsigned), then `i64` (bigints, taken as
// unsigned), `f32` and `f64` (numbers). Of integer results the low bits count. NaNs are for who writes a value to make
// (see ./nan.js).

/** How a value travels. */
export type Kind = "i32" | "i64" | "f32" | "f64";

export type Value = number | bigint;

/** As many arguments as the operation has. */
export type Evaluate = (a: Value, b: Value, c: Value, d: Value) => Value;

export interface ScalarOperation {
  /** Of each source operand. */
  readonly args: readonly Kind[];
  readonly result: Kind;
  /** The bits of the result that count: wider registers are filled by extending these. */
  readonly bits: number;
  /** Whether they are extended with copies of their sign. */
  readonly signed: boolean;
  readonly evaluate: Evaluate;
  /** The second result of `setp` with `p|q`. */
  readonly second?: Evaluate;
}

/** A mnemonic, split. */
export interface Mnemonic {
  readonly name: string;
  /** What stands behind the name and is no type: `rn`, `ftz`, `lo`. */
  readonly modifiers: ReadonlySet<string>;
  /** The types in their order. */
  readonly types: readonly string[];
}

/** An evaluator of numbers. */
export const numbers = (evaluate: (a: number, b: number, c: number, d: number) => number): Evaluate =>
  evaluate as unknown as Evaluate;

/** An evaluator of bigints. */
export const bigints = (evaluate: (a: bigint, b: bigint, c: bigint, d: bigint) => bigint): Evaluate =>
  evaluate as unknown as Evaluate;

const TYPE = /^(pred|[busf](8|16|32|64|128)|bf16|tf32|(f16|bf16|u16|s16|f32|e4m3|e5m2)x2|e4m3|e5m2)$/;

/** Splits a mnemonic: `fma.rn.ftz.f32`. */
export function splitMnemonic(opcode: string): Mnemonic {
  const [name = "", ...words] = opcode.split(".");
  return {
    name,
    modifiers: new Set(words.filter((word) => !TYPE.test(word))),
    types: words.filter((word) => TYPE.test(word)),
  };
}

/** How values of a type travel. */
export function kindOf(type: string): Kind {
  if (type === "f32" || type === "tf32") return "f32";
  if (type === "f64") return "f64";
  return type.endsWith("64") || type === "f32x2" ? "i64" : "i32";
}

/** Bits of a type. */
export function bitsOf(type: string): number {
  if (type === "pred") return 1;
  const lanes = type.endsWith("x2") ? 2 : 1;
  const own = type.startsWith("e") ? 8 : Number(/\d+/.exec(type)![0]);
  return lanes * own;
}
