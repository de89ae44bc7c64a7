// Converts the words of a program of Stack PTX 1.0 to those of 1.1. In 1.0, the operand types of an instruction are
// part of its word; in 1.1, they are part of the table. A word is converted only if both agree.
import type { StackTable } from "@mm-ptx/types/core";
import { isAnything, isOneOf, quoted } from "@mm-ptx/types/internal";
import { checkOptionValues, checkTable, invalid } from "../arguments.js";
import { type LegacyReason, legacyError, outOfRangeText } from "../error.js";
import { InstructionType, Packed, packHead } from "../layout.js";
import { programWords } from "./dialect.js";
import { LEGACY_DIALECTS, Legacy, type LegacyDialect, LegacyMeta, LegacyType } from "./layout.js";

/** Options of `StackProgram.fromLegacy`. */
export interface FromLegacyOptions {
  /** The version of 1.0. It cannot be derived from the words, so it has to be stated. */
  readonly dialect: LegacyDialect;
  /** The table of the program, whose entries have the indices that they had in 1.0. */
  readonly table: StackTable;
}

const OPTIONS = { dialect: isOneOf(LEGACY_DIALECTS), table: isAnything };

/** An instruction that is not converted, and why. */
interface Refusal {
  readonly reason: LegacyReason;
  readonly message: string;
}

/**
 * The words of 1.1 for a program of 1.0.
 * @throws StackPtxError LEGACY_PROGRAM for an instruction that the table does not have, or not with these arguments and
 * results; INVALID_ARGUMENT when an argument is of the wrong kind
 */
export function convertLegacy(given: Uint32Array | Uint8Array, options: FromLegacyOptions): Uint32Array {
  checkOptionValues(options, OPTIONS, { required: ["dialect"] });
  const { dialect, table } = options;
  checkTable(table);
  for (const list of ["stackTypes", "argTypes"] as const) {
    const { length } = table[list];
    if (length > Legacy.mostTypes) {
      throw invalid(`a table of Stack PTX 1.0, with at most ${Legacy.mostTypes} ${list}`, length);
    }
  }
  const words = programWords(given);
  const converted = new Uint32Array(words.length);
  for (let at = 0; at < words.length; at += Packed.wordsPerInstruction) {
    const [first, payload] = [words[at]!, words[at + 1]!];
    const refusal = refusalOf(first, payload, table);
    if (refusal !== undefined) {
      throw legacyError(refusal.reason, refusal.message, at / Packed.wordsPerInstruction);
    }
    const [type, stack, newPayload] = convertedFields(first, payload, dialect, table);
    converted[at] = packHead(type, stack);
    converted[at + 1] = newPayload;
  }
  return converted;
}

type Fields = readonly [type: number, stack: number, payload: number];

/** The type, stack and payload in 1.1 of an instruction that is not rejected. */
function convertedFields(first: number, payload: number, dialect: LegacyDialect, table: StackTable): Fields {
  const stack = (first >>> Legacy.stackShift) & Legacy.stackMask;
  const index = first >>> Legacy.indexShift;
  switch (first & Legacy.typeMask) {
    case LegacyType.ptx:
      return [InstructionType.ptx, 0, index];
    case LegacyType.constant:
      return [InstructionType.constant, stack, payload];
    case LegacyType.input:
      return [InstructionType.input, 0, index];
    case LegacyType.special:
      return [InstructionType.special, 0, index];
    case LegacyType.meta:
      if (index !== LegacyMeta.constant) return [InstructionType.meta, stack, operationOf(index, dialect)];
      // A meta constant has no stack in 1.1; with one that does not exist, a meta operation ends in the same error.
      return stack < table.stackTypes.length
        ? [InstructionType.metaConstant, 0, payload]
        : [InstructionType.meta, stack, 0];
    case LegacyType.routine:
      return [InstructionType.routine, 0, index];
    case LegacyType.return:
      return [InstructionType.return, 0, 0];
    case LegacyType.store:
      return [InstructionType.store, stack, index];
    case LegacyType.load:
      return [InstructionType.load, 0, index];
    default:
      // Types that do not exist end in the same error in both versions.
      return [0, 0, 0];
  }
}

/** The payload of a meta operation in 1.1. Numbers that do not exist stay numbers that do not exist. */
function operationOf(number: number, dialect: LegacyDialect): number {
  if (dialect === "1.0-clear") return number <= LegacyMeta.reverseWithClear ? number - 1 : number;
  return number <= LegacyMeta.drop ? number - 1 : number;
}

function refusalOf(first: number, payload: number, table: StackTable): Refusal | undefined {
  const index = first >>> Legacy.indexShift;
  const type = first & Legacy.typeMask;
  if (type === LegacyType.ptx) return refusedInstruction(index, payload, table);
  return type === LegacyType.special ? refusedSpecial(index, payload, table) : undefined;
}

function refusedInstruction(index: number, payload: number, table: StackTable): Refusal | undefined {
  const entry = table.instructions[index];
  if (entry === undefined) return noEntry("instruction index", "ptx instruction", index, table.instructions);
  const args = argTypesOf(payload, 0, Legacy.args, table.argTypes.length);
  const results = argTypesOf(payload, Legacy.args, Legacy.results, table.argTypes.length);
  if (isSame(args, entry.args) && isSame(results, entry.results)) return undefined;
  const expected = `${namesOf(entry.args, table)} -> ${namesOf(entry.results, table)}`;
  return {
    reason: "instruction arguments",
    message: `expected ${quoted(entry.name)} as ${expected}, as in the table, found ${namesOf(args, table)} -> ${namesOf(results, table)}`,
  };
}

function refusedSpecial(index: number, payload: number, table: StackTable): Refusal | undefined {
  const entry = table.specialRegisters[index];
  if (entry === undefined) return noEntry("special index", "special register", index, table.specialRegisters);
  const argType = payload & Legacy.argTypeMask;
  if (argType === entry.argType) return undefined;
  return {
    reason: "special argument",
    message: `expected ${quoted(entry.name)} as ${namesOf([entry.argType], table)}, as in the table, found ${namesOf([argType], table)}`,
  };
}

function noEntry(reason: LegacyReason, what: string, index: number, list: readonly unknown[]): Refusal {
  return { reason, message: outOfRangeText(what, index, list.length) };
}

/**
 * A list of argument types in a payload.
 * @param start the field that it begins with
 * @param count the most entries that it has
 * @param none the number of argument types of the table, which ends a list. A field cannot hold 32.
 */
export function argTypesOf(payload: number, start: number, count: number, none: number): number[] {
  const fields = Array.from(
    { length: count },
    (_, field) => (payload >>> ((start + field) * Legacy.argTypeBits)) & Legacy.argTypeMask,
  );
  const end = fields.indexOf(none);
  return end === -1 ? fields : fields.slice(0, end);
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at]);

const namesOf = (argTypes: readonly number[], table: StackTable): string =>
  argTypes.length === 0
    ? "nothing"
    : argTypes.map((index) => table.argTypes[index]?.name ?? `argument type ${index}`).join(", ");
