// Finds the rows of the instruction table that an opcode is of. As ptxas does, modifiers are taken in any order, types in theirs.
import { type PtxType, TYPES } from "../program/types.js";
import { type Form, isType, type OperandForm } from "./notation.js";
import { GLOBAL_HINTS, VECTOR_BITS } from "./slots.js";
import { formsOf } from "./table.js";

/** An operand of a row with what the opcode says about it. */
export interface MatchedOperand {
  readonly form: OperandForm;
  /** Of its items for a vector; undefined for addresses, labels and constants. */
  readonly type: PtxType | undefined;
  /** Of an address, where it points; generic when undefined. Of a value, where the variable lives whose address it may be. */
  readonly space: string | undefined;
  /** Number of items; 0 when it is no vector. */
  readonly items: number;
}

/** An opcode as an instance of a row. */
export interface Match {
  readonly form: Form;
  readonly modifiers: Readonly<Record<string, string>>;
  readonly types: readonly PtxType[];
  readonly operands: readonly MatchedOperand[];
  /** How many values they are at least and at most; those with a bar between them are one. */
  readonly least: number;
  readonly most: number;
  readonly results: number;
}

/** The rows that an opcode is of, most often one; none when there is no such instruction. */
export function matchOpcode(opcode: string): readonly Match[] {
  const [mnemonic, ...words] = opcode.split(".");
  const matches: Match[] = [];
  for (const form of formsOf(mnemonic!)) {
    const match = matchForm(form, words);
    if (match !== undefined && !matches.some((other) => haveSameOperands(match, other))) matches.push(match);
  }
  return matches;
}

/** The rows of the instruction that are most like an opcode, at most two. */
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

function matchForm(form: Form, words: readonly string[]): Match | undefined {
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
    ...{ form, modifiers: Object.freeze(modifiers), types: Object.freeze(types), operands },
    least: single.filter(({ form: { optional } }) => !optional).length,
    most: single.length,
    results: operands.filter(({ form: { result } }) => result).length,
  };
}

/** Whether two rows differ in their modifiers only, so that either serves. */
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
  // Of the words of a slot, `v4` and `x4` say how many.
  const items = typeof vector === "string" ? Number(bySlot.get(vector)?.slice(1) ?? 0) : (vector ?? 0);
  if (form.kind === "address") {
    return { form, type: undefined, space: of === "ss" ? undefined : of, items };
  }
  // The address of a variable that `cvta` takes is one in its space.
  const space = form.addressable ? bySlot.get("space") : undefined;
  return { form, type: of !== undefined && isType(of) ? of : undefined, space, items };
}
