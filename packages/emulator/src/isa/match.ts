// Finds the rows of the instruction table that match an opcode. Like ptxas, it accepts modifiers in any order, and
// types only in theirs.
import {
  type MatrixShape,
  NO_TRAITS,
  type Operation,
  type OperationSpace,
  type Traits,
} from "../program/operation.js";
import { type PtxType, TYPES } from "../program/types.js";
import { type Form, isType, type OperandForm } from "./notation.js";
import { GLOBAL_HINTS, VECTOR_BITS } from "./slots.js";
import { formsOf } from "./table.js";

/** An operand of a row, with the properties that the opcode determines. */
export interface MatchedOperand {
  readonly form: OperandForm;
  /** The type of the operand, or of the items of a vector; undefined for addresses, labels and constants. */
  readonly type: PtxType | undefined;
  /**
   * For an address, the state space that it points to; generic when undefined. For a value, the state space of the
   * variable whose address it may be.
   */
  readonly space: string | undefined;
  /** The number of items of a vector; 0 for other operands. */
  readonly items: number;
}

/** An opcode as an instance of a row. */
export interface Match {
  readonly form: Form;
  readonly operation: Operation;
  readonly operands: readonly MatchedOperand[];
  /** The least and the greatest number of values. Values with a bar between them count as one. */
  readonly least: number;
  readonly most: number;
}

/** The most opcodes whose rows are kept for later programs, which usually have the same ones. */
const MOST_KEPT = 4096;

const kept = new Map<string, readonly Match[]>();

/** The rows that match an opcode, usually one; empty when there is no such instruction. */
export function matchOpcode(opcode: string): readonly Match[] {
  let matches = kept.get(opcode);
  if (matches === undefined) {
    matches = findMatches(opcode);
    if (kept.size === MOST_KEPT) kept.clear();
    if (matches.length > 0) kept.set(opcode, matches);
  }
  return matches;
}

function findMatches(opcode: string): readonly Match[] {
  const [mnemonic, ...words] = opcode.split(".");
  const matches: Match[] = [];
  for (const form of formsOf(mnemonic!)) {
    const match = matchForm(form, opcode, words);
    if (match !== undefined && !matches.some((other) => haveSameOperands(match, other))) matches.push(match);
  }
  return matches;
}

/** The rows of the instruction that resemble an opcode most, at most two. */
export function nearestForms(opcode: string): readonly Form[] {
  const [mnemonic, ...words] = opcode.split(".");
  const likeness = ({ elements }: Form): number => {
    const held = elements.filter((element) => words.some((word) => element.words.has(word)));
    const missing = elements.filter((element) => !element.optional && !held.includes(element));
    const strange = words.filter((word) => !elements.some((element) => element.words.has(word)));
    return held.length - missing.length - 2 * strange.length;
  };
  return formsOf(mnemonic!)
    .map((form) => ({ form, score: likeness(form) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 2)
    .map(({ form }) => form);
}

function matchForm(form: Form, opcode: string, words: readonly string[]): Match | undefined {
  const { elements } = form;
  const filled: (string | undefined)[] = new Array(elements.length);
  let nextType = 0;
  for (const word of words) {
    const at = elements.findIndex(
      (element, index) =>
        filled[index] === undefined && element.words.has(word) && (!element.isType || index >= nextType),
    );
    if (at === -1) return undefined;
    filled[at] = elements[at]!.words.get(word)!;
    if (elements[at]!.isType) nextType = at + 1;
  }
  const modifiers: Record<string, string> = {};
  const types: PtxType[] = [];
  const bySlot = new Map<string, string>();
  for (let index = 0; index < elements.length; index++) {
    const { name, optional, isType } = elements[index]!;
    const word = filled[index];
    if (word === undefined) {
      if (!optional) return undefined;
      continue;
    }
    if (!bySlot.has(name)) bySlot.set(name, word);
    if (isType) types.push(word as PtxType);
    else modifiers[name] = word;
  }
  const isCached = modifiers.ss === undefined || modifiers.ss === "global";
  if (!isCached && GLOBAL_HINTS.some((hint) => Object.hasOwn(modifiers, hint))) return undefined;
  const operands: MatchedOperand[] = [];
  for (const operand of form.operands) {
    const isSlot = operand.optional && elements.some(({ name }) => name === operand.name);
    if (isSlot && !bySlot.has(operand.name)) continue;
    const matched = matchOperand(isSlot ? { ...operand, optional: false } : operand, bySlot);
    if (matched.form.vector === "vec" && matched.items * TYPES[matched.type!].bits > VECTOR_BITS)
      return undefined;
    operands.push(matched);
  }
  const single = operands.filter(({ form: { paired } }) => !paired);
  return {
    ...{ form, operands, operation: operationOf(form, opcode, modifiers, types, operands) },
    least: single.filter(({ form: { optional } }) => !optional).length,
    most: single.length,
  };
}

function operationOf(
  form: Form,
  opcode: string,
  modifiers: Readonly<Record<string, string>>,
  types: readonly PtxType[],
  operands: readonly MatchedOperand[],
): Operation {
  const words: ReadonlySet<string> = new Set(Object.values(modifiers));
  return Object.freeze({
    ...{
      opcode,
      name: form.mnemonic,
      modifiers: Object.freeze(modifiers),
      words,
      types: Object.freeze(types),
    },
    // The target of a branch is not an operand of the operation.
    operandTypes: Object.freeze(
      operands.filter(({ form: { kind } }) => kind !== "targets").map(({ type }) => type),
    ),
    results: operands.filter(({ form: { result } }) => result).length,
    space: SPACES.find((space) => words.has(space)) ?? "generic",
    shape: shapeOf(words),
    traits: traitsOf(form, modifiers, types),
  });
}

const SPACES: readonly OperationSpace[] = ["global", "const", "shared", "local", "param"];

function shapeOf(words: ReadonlySet<string>): MatrixShape | undefined {
  for (const word of words) {
    const size = /^m(\d+)n(\d+)k(\d+)$/.exec(word);
    if (size !== null) return Object.freeze({ m: Number(size[1]), n: Number(size[2]), k: Number(size[3]) });
  }
  return undefined;
}

function traitsOf(
  form: Form,
  modifiers: Readonly<Record<string, string>>,
  [type]: readonly PtxType[],
): Traits {
  const traits: Record<string, unknown> = { ...NO_TRAITS };
  for (const { name, value } of form.traits) {
    if (name === "waits" || name === "flow") traits[name] = value;
    else if (name === "commutes") {
      const isInteger = type !== undefined && TYPES[type].class !== "float";
      traits[name] = isInteger ? modifiers[value!] : undefined;
    } else traits[name] = value === undefined || Object.hasOwn(modifiers, value);
  }
  return Object.freeze(traits) as unknown as Traits;
}

/** Whether two rows differ only in their modifiers, so that either of them serves. */
function haveSameOperands(a: Match, b: Match): boolean {
  return (
    a.operands.length === b.operands.length &&
    a.operands.every(({ form, type, space, items }, index) => {
      const other = b.operands[index]!;
      return (
        type === other.type &&
        space === other.space &&
        items === other.items &&
        form.kind === other.form.kind &&
        form.optional === other.form.optional &&
        form.paired === other.form.paired
      );
    })
  );
}

function matchOperand(form: OperandForm, bySlot: ReadonlyMap<string, string>): MatchedOperand {
  const of = form.of === undefined ? undefined : (bySlot.get(form.of) ?? form.of);
  const { vector } = form;
  // Of the words of a slot, `v4` and `x4` give the number of items.
  const items = typeof vector === "string" ? Number(bySlot.get(vector)?.slice(1) ?? 0) : (vector ?? 0);
  if (form.kind === "address") {
    return { form, type: undefined, space: of === "ss" ? undefined : of, items };
  }
  // `cvta` takes the address of a variable in its own state space.
  const space = form.addressable ? bySlot.get("space") : undefined;
  return { form, type: of !== undefined && isType(of) ? of : undefined, space, items };
}
