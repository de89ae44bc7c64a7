// An instruction without memory access, warp communication or control flow, as a function of values. Values have
// WebAssembly's kinds: integers of at most 32 bits, f16, pairs of f16 and predicates are `i32` (unsigned numbers); then
// there are `i64` (unsigned bigints), `f32` and `f64` (numbers). Only the low bits of integer results count. Whoever
// writes a value is responsible for its NaN (see ./nan.js).

/** The form in which a value is passed. */
export type Kind = "i32" | "i64" | "f32" | "f64";

/** A value in one of the forms of `Kind`: 64-bit integers are bigints, the others numbers. */
export type Value = number | bigint;

/** Called with as many arguments as the operation has. */
export type Evaluate = (a: Value, b: Value, c: Value, d: Value) => Value;

/** The computation of an instruction on single values. */
export interface ScalarOperation {
  /** The kind of each source operand. */
  readonly args: readonly Kind[];
  readonly result: Kind;
  /** The number of significant result bits; wider registers are filled by extending them. */
  readonly bits: number;
  /** Whether results are sign-extended. */
  readonly signed: boolean;
  readonly evaluate: Evaluate;
  /** The second result of `setp` with `p|q`. */
  readonly second?: Evaluate;
}

/** The parts of an opcode that select an operation; operations of a checked program have them, too. */
export interface Mnemonic {
  readonly name: string;
  /** The modifiers after the name that are not types: `rn`, `ftz`, `lo`. */
  readonly words: ReadonlySet<string>;
  /** The types, in order. */
  readonly types: readonly string[];
}

/** A mnemonic with these words and types. */
export const mnemonicOf = (
  name: string,
  words: readonly string[],
  ...types: readonly string[]
): Mnemonic => ({
  ...{ name, words: new Set(words), types },
});

const TYPE = /^([busf]\d+|bf16|tf32|e4m3|e5m2)(x2)?$|^pred$/;

/** The mnemonic of an instruction as PTX writes it: `add.rn.ftz.f32`. */
export function readMnemonic(text: string): Mnemonic {
  const [name = "", ...rest] = text.split(".");
  const isType = (word: string) => TYPE.test(word);
  return { name, words: new Set(rest.filter((word) => !isType(word))), types: rest.filter(isType) };
}

/** Types a function of numbers as an evaluator. */
export const numbers = (evaluate: (a: number, b: number, c: number, d: number) => number): Evaluate =>
  evaluate as unknown as Evaluate;

/** Types a function of bigints as an evaluator. */
export const bigints = (evaluate: (a: bigint, b: bigint, c: bigint, d: bigint) => bigint): Evaluate =>
  evaluate as unknown as Evaluate;

/** The kind in which values of a type are passed. */
export function kindOf(type: string): Kind {
  if (type === "f32" || type === "tf32") return "f32";
  if (type === "f64") return "f64";
  return type.endsWith("64") || type === "f32x2" ? "i64" : "i32";
}

/** The number of bits of a type. */
export function bitsOf(type: string): number {
  if (type === "pred") return 1;
  const lanes = type.endsWith("x2") ? 2 : 1;
  const own = type.startsWith("e") ? 8 : Number(/\d+/.exec(type)![0]);
  return lanes * own;
}
