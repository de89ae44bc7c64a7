// The operations that shrinking works with: instructions on single values of 32 bits and predicates.
import { readMnemonic, type ScalarOperation, scalarOperation } from "@mm-ptx/columns/arithmetic";
import { encodeOperation, operandsOf, operationText } from "@mm-ptx/types/code";
import { invalid } from "../options.js";
import { FAST_TEXTS } from "./scalar.js";

/** What a value is: 32 bits of an integer, 32 bits of an f32, or a predicate. Values of different classes are never mixed. */
export const ValueClass = { word: 0, float: 1, pred: 2 } as const;

/** An instruction. */
export interface WordOperation {
  /** As PTX writes it. */
  readonly text: string;
  /** As straight-line code writes it. */
  readonly word: number;
  /** The classes of the operands, and that of the result. */
  readonly args: readonly number[];
  readonly result: number;
  /** Whether the first two operands can be swapped. */
  readonly commutes: boolean;
  /** Whether (a, b), c and a, (b, c) give the same. */
  readonly associates: boolean;
  /** The number of the fast path in `evaluate`, or -1. */
  readonly fast: number;
  readonly scalar: ScalarOperation;
}

/** Instructions on 32-bit integers that most machines have: + - * & | ^ ~ << >> and negation. */
export const CORE_INSTRUCTIONS: readonly string[] =
  "add.u32 sub.u32 mul.lo.u32 and.b32 or.b32 xor.b32 not.b32 neg.s32 shl.b32 shr.u32 shr.s32".split(" ");

const TYPES = new Set(["u32", "s32", "b32", "f32", "pred", "u16x2", "s16x2"]);
const SYMMETRIC = new Set("add mul mad fma min max min3 max3 and or xor mul24 mad24 sad".split(" "));
const EQUALITY = /^set(p)?\.(eq|ne|equ|neu|num|nan)\./;

const ASSOCIATIVE = /^(add|mul\.lo|and|or|xor|min|max)\.([us]32|b32|pred)$/;

const known = new Map<string, WordOperation | undefined>();

/** The operation of an instruction such as `add.u32`, or undefined if it works on other types or on more than its operands. */
export function findOperation(text: string, sources?: number): WordOperation | undefined {
  const key = `${text}/${sources ?? ""}`;
  if (!known.has(key)) known.set(key, readOperation(text, sources));
  return known.get(key);
}

/** The operation of a word of straight-line code. */
export const operationOf = (word: number): WordOperation | undefined =>
  findOperation(operationText(word), operandsOf(word));

/** @throws SearchError INVALID_ARGUMENT */
export function requireOperation(text: string): WordOperation {
  const found = findOperation(text);
  if (found === undefined)
    throw invalid("instructions on single values of 32 bits, such as `add.u32`,", text);
  return found;
}

function readOperation(text: string, sources: number | undefined): WordOperation | undefined {
  const mnemonic = readMnemonic(text);
  const { name, types } = mnemonic;
  if (types.length === 0 || types.some((type) => !TYPES.has(type))) return undefined;
  const scalar = scalarOperation(mnemonic, sources);
  if (scalar === undefined || (scalar.result !== "i32" && scalar.result !== "f32")) return undefined;
  const word = encodeOperation(text, scalar.args.length);
  if (word === 0 || scalar.args.some((kind) => kind !== "i32" && kind !== "f32")) return undefined;
  const last = scalar.args.length - 1;
  const isPred = types[0] === "pred";
  const args = scalar.args.map((kind, index) => {
    const selects = name === "selp" && index === last;
    const combines = (name === "setp" || name === "set") && index === 2;
    if (isPred || selects || combines) return ValueClass.pred;
    return kind === "f32" ? ValueClass.float : ValueClass.word;
  });
  const result =
    isPred || name === "setp" || name === "testp"
      ? ValueClass.pred
      : scalar.result === "f32"
        ? ValueClass.float
        : ValueClass.word;
  return {
    text,
    word,
    args,
    result,
    commutes: args.length >= 2 && (SYMMETRIC.has(name) || EQUALITY.test(text)),
    associates: ASSOCIATIVE.test(text),
    fast: FAST_TEXTS.indexOf(text),
    scalar,
  };
}
