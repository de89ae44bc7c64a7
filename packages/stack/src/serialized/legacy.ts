// Tables and programs of serialized state of Stack PTX 1.0: the operand types of instructions are found in the words of
// the programs, and the programs are converted with the resulting table.
import type { StackTable } from "@mm-ptx/types/core";
import { invalid } from "../arguments.js";
import { legacyError, outOfRangeText } from "../error.js";
import { Packed } from "../layout.js";
import { argTypesOf } from "../legacy/convert.js";
import { Legacy, LegacyType } from "../legacy/layout.js";
import { StackProgram } from "../program.js";
import type { SerializedNames } from "./names.js";
import { type EntryOperands, MOST_SPECIAL_ELEMENTS, type Operands, tableOf } from "./table.js";
import type { SerializedTable } from "./values.js";

/** A table of 1.0 and programs that were converted for it. */
export interface LegacyParts {
  readonly table: StackTable;
  readonly programs: readonly StackProgram[];
}

/**
 * Every text of the table keeps its index. One that programs use with several lists of operands gets an entry for each,
 * the others at the end. An instruction that no program uses has no arguments and no results, and an unused special
 * register has the first argument type that is possible for special registers.
 * @throws StackPtxError LEGACY_PROGRAM for an instruction or special register that the table does not have;
 * INVALID_ARGUMENT for more entries than a table can have
 */
export function legacyParts(
  serialized: SerializedTable,
  programs: readonly Uint32Array[],
  names: SerializedNames,
): LegacyParts {
  const types = serialized.arg_types.length;
  const nothing = { args: [], results: [] };
  const instructions = new Entries(serialized.instructions.length, nothing);
  // Without an argument type for them, no program can use special registers.
  const scalar = serialized.arg_types.findIndex(({ num_vec_elems: count }) => count <= MOST_SPECIAL_ELEMENTS);
  const specials = new Entries(scalar === -1 ? 0 : serialized.special_registers.length, {
    args: [],
    results: [scalar],
  });
  const renumbered = programs.map((words) => {
    const copy = words.slice();
    for (let at = 0; at < copy.length; at += Packed.wordsPerInstruction) {
      const [first, payload] = [copy[at]!, copy[at + 1]!];
      const type = first & Legacy.typeMask;
      if (type !== LegacyType.ptx && type !== LegacyType.special) continue;
      const [entries, operands] =
        type === LegacyType.ptx
          ? [instructions, operandsOf(payload, types)]
          : [specials, { args: [], results: [payload & Legacy.argTypeMask] }];
      const text = first >>> Legacy.indexShift;
      if (text >= entries.texts) {
        const [reason, what] =
          type === LegacyType.ptx
            ? (["instruction index", "ptx instruction"] as const)
            : (["special index", "special register"] as const);
        throw legacyError(reason, outOfRangeText(what, text, entries.texts), at / Packed.wordsPerInstruction);
      }
      // The converter rejects what no table can have.
      if ([...operands.args, ...operands.results].some((argType) => argType >= types)) continue;
      const entry = entries.find(text, operands);
      copy[at] = ((first & Legacy.headMask) | (entry << Legacy.indexShift)) >>> 0;
    }
    return copy;
  });
  const table = tableOf(serialized, names, { instructions: instructions.list, specials: specials.list });
  const { dialect = "1.0" } = names;
  return {
    table,
    programs: renumbered.map((words) => StackProgram.fromLegacy(words, { dialect, table })),
  };
}

function operandsOf(payload: number, types: number): Operands {
  return {
    args: argTypesOf(payload, 0, Legacy.args, types),
    results: argTypesOf(payload, Legacy.args, Legacy.results, types),
  };
}

/** The entries of a list of the table. */
class Entries {
  readonly list: EntryOperands[];
  /** The entry of each text and its operands. */
  readonly #known = new Map<string, number>();
  readonly #used = new Set<number>();

  /** @param unused the operands of an entry that no program uses */
  constructor(
    readonly texts: number,
    unused: Operands,
  ) {
    this.list = Array.from({ length: texts }, (_, text) => ({ text, ...unused }));
  }

  /** The index of the entry with this text and these operands, which is added if the list lacks it. */
  find(text: number, operands: Operands): number {
    const key = JSON.stringify([text, operands]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const entry = this.#used.has(text) ? this.list.length : text;
    if (entry > Packed.auxMax) throw invalid(`at most ${Packed.auxMax + 1} entries in a table`, entry + 1);
    this.#used.add(text);
    this.#known.set(key, entry);
    this.list[entry] = { text, ...operands };
    return entry;
  }
}
