// Finds the rows of the instruction table that an opcode is of. As ptxas does, modifiers are taken in any order, types in theirs.
import type { PtxType } from "../program/types.js";
import { type Form, isType, type OperandForm } from "./notation.js";
import { formsOf } from "./table.js";

/** An operand of a row with what the opcode says about it. */
export interface MatchedOperand {
  readonly form: OperandForm;
  /** Of its items for a vector; undefined for addresses, labels and constants. */
  readonly type: PtxType | undefined;
  /** Of an address: where it points; generic when undefined. */
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
  readonly results: number;
  /** Operands that must be there. */
  readonly required: number;
}

/** The rows that an opcode is of, most often one; none when there is no such instruction. */
export function matchOpcode(opcode: string): readonly Match[] {
  const [mnemonic, ...words] = opcode.split(".");
  const matches: Match[] = [];
  for (const form of formsOf(mnemonic!)) {
    const match = matchForm(form, words);
    if (match !== undefined) matches.push(match);
  }
  return matches;
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
  return {
    form,
    modifiers: Object.freeze(modifiers),
    types: Object.freeze(types),
    operands: form.operands.map((operand) => matchOperand(operand, bySlot)),
    results: form.operands.filter(({ result }) => result).length,
    required: form.operands.filter(({ optional }) => !optional).length,
  };
}

function matchOperand(form: OperandForm, bySlot: ReadonlyMap<string, string>): MatchedOperand {
  const of = form.of === undefined ? undefined : (bySlot.get(form.of) ?? form.of);
  const { vector } = form;
  // Of the words of a slot, `v4` and `x4` say how many.
  const items = typeof vector === "string" ? Number(bySlot.get(vector)?.slice(1) ?? 0) : (vector ?? 0);
  if (form.kind === "address") {
    return { form, type: undefined, space: of === "ss" ? undefined : of, items };
  }
  return { form, type: of !== undefined && isType(of) ? of : undefined, space: undefined, items };
}
