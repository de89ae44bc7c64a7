// Reads the rows of the instruction table, which are written in the manual's own notation:
//   add{.rnd}{.ftz}.f32 d, a, b ; repeatable cheap ; rnd = rn rz ; sm_90 8.0
// A word after a dot is either itself or the name of a slot, which holds one of several words. Braces mark optional parts.
// After the semicolons come the traits of the row, which every row states, its slots, and the least target and PTX version
// where they matter. A trait is a name of `Traits`: `name:slot` holds where that slot is filled, `waits:…` and `flow:…` name
// the kind, and `commutes:slot` takes the contents of the slot. Types are counted, whether written directly or as slots.
// Operands:
//   d, p, q first  results           a:type   in that type; by default the opcode's first type, and predicates for p and q
//   [a:ss]         an address        d*4, d*vec, d*num  a vector whose length is the number or the word in the slot
//   {!}a           may be negated    {, b} {|p}         optional; present if the slot of the same name is filled, if any
//   [t:u64, c*2:b32]  a handle with coordinates
//   n:#, n:#4/8    a constant, or one of those listed  t:label, t:targets
//   <N constants are less than N
//   ~ accepts wider registers   % accepts no constants   ? may be `_`   $ may be a special register   & may be an address
import { type Flow, NO_TRAITS, type Traits, type Waiting } from "../program/operation.js";
import { type PtxType, TYPES } from "../program/types.js";
import { SLOTS } from "./slots.js";

/** A position in an opcode that holds one of several words. */
export interface Element {
  /** The slot's name, or the word itself. */
  readonly name: string;
  /** The words that are allowed here, each with its meaning: `shared::cta` means `shared`. */
  readonly words: ReadonlyMap<string, string>;
  readonly optional: boolean;
  readonly isType: boolean;
}

/** An operand of a row. */
export interface OperandForm {
  readonly name: string;
  readonly kind: "value" | "address" | "constant" | "label" | "targets";
  /**
   * A type, or the name of the type slot that holds it. For an address, its state space or the slot that holds that.
   */
  readonly of: string | undefined;
  readonly result: boolean;
  /** Whether it is a value in brackets with the operand after it: `[t, {x, y}]`. */
  readonly handle: boolean;
  readonly optional: boolean;
  /** Whether it is the second of a pair `a|b`. */
  readonly paired: boolean;
  readonly negatable: boolean;
  /** The number of items, or the slot that gives it; undefined when it is not a vector. */
  readonly vector: number | string | undefined;
  /** The accepted constants; any constant when empty. */
  readonly constants: readonly bigint[];
  /** Constants must be less than this. */
  readonly limit: bigint | undefined;
  readonly relaxed: boolean;
  /** Whether it must be a register. */
  readonly register: boolean;
  readonly sink: boolean;
  readonly special: boolean;
  readonly addressable: boolean;
}

/** A trait that a row states. */
export interface FormTrait {
  readonly name: keyof Traits;
  /** The text after its colon. */
  readonly value: string | undefined;
}

/** A row of the table. */
export interface Form {
  /** The instruction as in the manual: without slots, requirements and the notation that only this table uses. */
  readonly text: string;
  readonly mnemonic: string;
  readonly elements: readonly Element[];
  readonly operands: readonly OperandForm[];
  readonly traits: readonly FormTrait[];
  /** The least target and PTX version as numbers: 90 for `sm_90`, 7.8. */
  readonly target: number;
  readonly version: number;
}

/**
 * Parses a row.
 *
 * @throws Error when a row states no traits or an unknown one
 */
export function readForm(row: string): Form {
  const [text, ...rest] = row.split(" ; ").map((part) => part.trim());
  const slots = new Map<string, ReadonlyMap<string, string>>();
  let target = 0;
  let version = 0;
  const traits: FormTrait[] = [];
  for (const part of rest) {
    const [name, words] = part.split(" = ");
    if (words !== undefined) slots.set(name!, wordsOf(words));
    else {
      for (const word of part.split(" ")) {
        if (word.startsWith("sm_")) target = Number(word.slice(3));
        else if (/^\d/.test(word)) version = Number(word);
        else traits.push(readTrait(word, row));
      }
    }
  }
  if (traits.length === 0) throw new Error(`expected traits, found none in the row \`${row}\``);
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
    traits,
    target,
    version,
  };
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  waits: ["barrier", "lanes", "active", "phase"] satisfies Waiting[],
  flow: ["jump", "call", "return", "exit", "trap"] satisfies Flow[],
};

function readTrait(word: string, row: string): FormTrait {
  const [name, value] = word.split(":");
  const choices = CHOICES[name!];
  const needsValue = choices !== undefined || name === "commutes";
  const isRight =
    Object.hasOwn(NO_TRAITS, name!) &&
    needsValue <= (value !== undefined) &&
    (choices === undefined || choices.includes(value!));
  if (!isRight) throw new Error(`expected a trait, found \`${word}\` in the row \`${row}\``);
  return { name: name as keyof Traits, value };
}

/** Marks that the manual's notation of operands does not have. */
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
    // A handle before coordinates in brackets is a value.
    const isHandle = bracket !== undefined && type !== undefined && isType(type);
    const kind = isHandle
      ? "value"
      : isConstant
        ? "constant"
        : type === "label" || type === "targets"
          ? type
          : undefined;
    operands.push({
      name: name!,
      kind: bracket === undefined || isHandle ? (kind ?? "value") : "address",
      of:
        kind === undefined || isHandle
          ? (type ?? defaultOf(name!, bracket !== undefined, firstType))
          : undefined,
      result: onlyResults,
      handle: isHandle,
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
