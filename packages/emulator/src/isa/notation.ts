// Reads the rows of the instruction table, which are written in the manual's own notation:
//   add{.rnd}{.ftz}.f32 d, a, b ; rnd = rn rz ; sm_90 8.0
// A word behind a dot is itself, or one of the words of a slot of that name; braces: may be absent. What stands behind the
// semicolons are the slots of the row, and the least target and PTX version where they matter. A type, written as such or as
// a slot of types, is counted. Operands:
//   d, p, q first  results           a:type   in that type; without one in the first of the opcode, p and q as predicates
//   [a:ss]         an address        d*4, d*vec, d*num  a vector of as many items as it says or as the slot's word does
//   {!}a           may be negated    {, b} {|p}         may be absent; is there when the slot of its name is, if one is
//   n:#, n:#4/8    only a constant, of these          t:label, t:targets
//   <N constants are less than N
//   ~ wider registers are taken   % no constants   ? may be `_`   $ may be a special register      & may be a variable's address
import { type PtxType, TYPES } from "../program/types.js";
import { SLOTS } from "./slots.js";

/** A place of an opcode that holds one of some words. */
export interface Element {
  /** The slot's name, or the word itself. */
  readonly name: string;
  /** What can stand here, and what it means: `shared::cta` means `shared`. */
  readonly words: ReadonlyMap<string, string>;
  readonly optional: boolean;
  readonly isType: boolean;
}

/** An operand of a row. */
export interface OperandForm {
  readonly name: string;
  readonly kind: "value" | "address" | "constant" | "label" | "targets";
  /** A type, or the name of the type slot that says it; for an address its state space, or the slot that says it. */
  readonly of: string | undefined;
  readonly result: boolean;
  readonly optional: boolean;
  /** Whether it is the second of a pair `a|b`. */
  readonly paired: boolean;
  readonly negatable: boolean;
  /** Number of items, or the slot that says it; undefined when it is no vector. */
  readonly vector: number | string | undefined;
  /** The constants that are taken; any when empty. */
  readonly constants: readonly bigint[];
  /** Constants are less than this. */
  readonly limit: bigint | undefined;
  readonly relaxed: boolean;
  /** Whether it must be a register. */
  readonly register: boolean;
  readonly sink: boolean;
  readonly special: boolean;
  readonly addressable: boolean;
}

/** A row of the table. */
export interface Form {
  /** As in the manual: without slots, requirement and what only this table says. */
  readonly text: string;
  readonly mnemonic: string;
  readonly elements: readonly Element[];
  readonly operands: readonly OperandForm[];
  /** The least target and PTX version, as numbers: 90 for `sm_90`, 7.8. */
  readonly target: number;
  readonly version: number;
}

/** Reads a row. */
export function readForm(row: string): Form {
  const [text, ...rest] = row.split(" ; ").map((part) => part.trim());
  const slots = new Map<string, ReadonlyMap<string, string>>();
  let target = 0;
  let version = 0;
  for (const part of rest) {
    const [name, words] = part.split(" = ");
    if (words !== undefined) slots.set(name!, wordsOf(words));
    else {
      for (const word of part.split(" ")) {
        if (word.startsWith("sm_")) target = Number(word.slice(3));
        else version = Number(word);
      }
    }
  }
  const space = text!.indexOf(" ");
  const opcode = space === -1 ? text! : text!.slice(0, space);
  const elements = [...opcode.matchAll(/\{?\.([\w:]+)\}?/g)].map(([whole, name]) => {
    const words = slots.get(name!) ?? GLOBAL.get(name!) ?? new Map([[name!, name!]]);
    const isType = [...words.keys()].every((word) => Object.hasOwn(TYPES, word));
    return { name: name!, words, optional: whole.startsWith("{"), isType };
  });
  const operands = space === -1 ? "" : text!.slice(space + 1);
  return {
    text: `${opcode} ${operands.replace(MARKS, "")}`.trim(),
    mnemonic: /^\w+/.exec(opcode)![0],
    elements,
    operands: readOperands(operands, elements),
    target,
    version,
  };
}

/** What the manual's notation of operands has not. */
const MARKS = /[*:][\w#/]+|<\d+|[~%?$&]/g;

const wordsOf = (words: string): ReadonlyMap<string, string> =>
  new Map(
    words.split(" ").map((word) => {
      const [written, meaning = written] = word.split("=");
      return [written!, meaning!];
    }),
  );

const GLOBAL: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(SLOTS).map(([name, words]) => [name, wordsOf(words)]),
);

const RESULTS: ReadonlySet<string> = new Set(["d", "p", "q"]);
const PREDICATES: ReadonlySet<string> = new Set(["p", "q"]);
/** `{, `, or `, `, or `{|`, or `|`; `{!}`; `[`; name; `*count`; `:type`; marks. */
const OPERAND =
  /(\{, |, |\{\||\|)?(\{!\})?(\[)?(\w+)(?:\*(\w+))?(?::(#[\d/]*|label|targets|\w+))?(?:<(\d+))?([~%?$&]*)\]?\}?/gy;

function readOperands(text: string, elements: readonly Element[]): OperandForm[] {
  const firstType = elements.find(({ isType }) => isType)?.name;
  const operands: OperandForm[] = [];
  let onlyResults = true;
  for (const match of text.matchAll(OPERAND)) {
    const [, separator = "", negation, bracket, name, count, type, limit, marks] = match;
    onlyResults &&= bracket === undefined && RESULTS.has(name!);
    const isConstant = type?.startsWith("#") === true;
    const kind = isConstant ? "constant" : type === "label" || type === "targets" ? type : undefined;
    operands.push({
      name: name!,
      kind: bracket === undefined ? (kind ?? "value") : "address",
      of: kind === undefined ? (type ?? defaultOf(name!, bracket !== undefined, firstType)) : undefined,
      result: onlyResults,
      optional: separator.startsWith("{"),
      paired: separator.endsWith("|"),
      negatable: negation !== undefined,
      vector: count === undefined ? undefined : /^\d/.test(count) ? Number(count) : count,
      constants: isConstant ? type.slice(1).split("/").filter(Boolean).map(BigInt) : [],
      limit: limit === undefined ? undefined : BigInt(limit),
      relaxed: marks!.includes("~"),
      register: onlyResults || marks!.includes("%"),
      sink: marks!.includes("?"),
      special: marks!.includes("$"),
      addressable: marks!.includes("&"),
    });
  }
  return operands;
}

function defaultOf(name: string, isAddress: boolean, firstType: string | undefined): string | undefined {
  if (isAddress) return undefined;
  return PREDICATES.has(name) ? "pred" : firstType;
}

/** Whether a name of `OperandForm.of` is a type. */
export function isType(name: string): name is PtxType {
  return Object.hasOwn(TYPES, name);
}
