// Instructions that straight-line code can have: those of the default descriptions and those of the emulator's table, with the
// types of their operands.

import { type Match, matchOpcode } from "../../../packages/emulator/src/isa/match.js";
import { formsOf, instructionRows } from "../../../packages/emulator/src/isa/table.js";
import { type PtxType, TYPES } from "../../../packages/emulator/src/program/types.js";
import { CODE_NAMES, encodeOperation } from "../../../packages/types/dist/code/index.js";

/** An instruction as straight-line code has it. */
export interface Operation {
  readonly opcode: string;
  readonly word: number;
  readonly sources: readonly Source[];
  /** The number of bits of the register that receives the result. */
  readonly resultBits: number;
  /** Whether it can also write a second predicate. */
  readonly paired: boolean;
}

export interface Source {
  readonly type: PtxType;
  /** The number of bits of its register. */
  readonly bits: number;
  /** Whether PTX only has a constant here. */
  readonly constant: boolean;
}

/** The operations of an opcode: `min` and others have several numbers of operands. */
export function operationsOf(opcode: string): readonly Operation[] {
  const found = new Map<number, Operation>();
  for (const match of matchOpcode(opcode)) {
    for (const whole of [false, true]) {
      const operation = operationOf(opcode, match, whole);
      if (operation !== undefined && !found.has(operation.word)) found.set(operation.word, operation);
    }
  }
  return [...found.values()];
}

function operationOf(opcode: string, match: Match, whole: boolean): Operation | undefined {
  const taken = match.operands.filter(({ form }) => whole || !form.optional);
  const results = match.operands.filter(({ form }) => form.result);
  const sources = taken.filter(({ form }) => !form.result);
  if (taken.some(({ form, items }) => items > 0 || (form.kind !== "value" && form.kind !== "constant")))
    return undefined;
  const word = encodeOperation(opcode, sources.length);
  const result = results[0]?.type;
  if (word === 0 || result === undefined) return undefined;
  return {
    opcode,
    word,
    sources: sources.map(({ form, type = "u32" }) => ({
      ...{ type, bits: registerBits(type, form.relaxed), constant: form.kind === "constant" },
    })),
    resultBits: registerBits(result, results[0]!.form.relaxed),
    paired: results.length > 1 && results[1]!.form.paired,
  };
}

/** How many words a slot of an instruction takes at most, unless they are types. */
export type Thoroughness = "each word once" | "all together";

/** The opcodes of the emulator's table whose names straight-line code has. */
export function tableOpcodes(thoroughness: Thoroughness): readonly string[] {
  const names = new Set(CODE_NAMES);
  const opcodes = [...instructionRows().keys()]
    .filter((name) => names.has(name))
    .flatMap(formsOf)
    .flatMap((form) => {
      const lists = form.elements.map(({ words, optional }) => [
        ...(optional ? [undefined] : []),
        ...words.keys(),
      ]);
      const chosen = thoroughness === "all together" ? product(lists) : oneAfterTheOther(lists);
      return chosen.map((words) => [form.mnemonic, ...words.filter((word) => word !== undefined)].join("."));
    });
  return [...new Set(opcodes)];
}

type Words = readonly (string | undefined)[];

const product = (lists: readonly Words[]): readonly Words[] =>
  lists.reduce<readonly Words[]>(
    (all, list) => all.flatMap((words) => list.map((word) => [...words, word])),
    [[]],
  );

/** Each word of each slot with the first words of the other slots. */
const oneAfterTheOther = (lists: readonly Words[]): readonly Words[] =>
  lists.length === 0
    ? [[]]
    : lists.flatMap((list, slot) =>
        list.map((word) => lists.map((other, index) => (index === slot ? word : other[0]))),
      );

/** The number of bits of the register of a value; some instructions accept wider registers than their type. */
const registerBits = (type: PtxType, relaxed: boolean): number =>
  relaxed ? Math.max(32, TYPES[type].bits) : TYPES[type].bits;
