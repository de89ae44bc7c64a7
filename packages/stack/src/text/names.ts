// The names of a table in the text form. A name that cannot be a word there, or that already means another entry, is
// written as an index, which is always accepted.
import type { StackTable } from "@mm-ptx/types/core";
import { checkTable } from "../arguments.js";
import { BARE_BITS, CONSTANT_FORMS, type ConstantForm } from "./constants.js";
import { DIRECTIVES, isWord, MNEMONICS } from "./syntax.js";
import { WordIndex } from "./word-index.js";

/** First words of lines: mnemonics, then directives, then PTX instructions, which start at this number. */
export const FIRST_INSTRUCTION = MNEMONICS.length + DIRECTIVES.length;

/** One kind of entry that instructions refer to by index. */
export interface Names {
  /** The word for each index; `undefined` where the index itself must be written. */
  readonly written: readonly (string | undefined)[];
  readonly words: WordIndex;
}

export interface TableNames {
  /** The first words of lines, numbered from 0 in the order above. */
  readonly firstWords: WordIndex;
  readonly instructions: Names;
  readonly specials: Names;
  readonly stacks: Names;
  /** The text format of each stack's constants. */
  readonly constants: readonly ConstantForm[];
}

export function namesOf(names: readonly string[]): Names {
  const words = new WordIndex();
  const written = names.map((name, index) =>
    isWord(name) && words.add(name, index) === index ? name : undefined,
  );
  return { written, words };
}

/** The result of `make` for a table, computed once for each table, since tables never change. */
export function perTable<T extends object>(make: (table: StackTable) => T): (table: StackTable) => T {
  const made = new WeakMap<StackTable, T>();
  return (table) => {
    const known = made.get(table);
    if (known !== undefined) return known;
    checkTable(table);
    const fresh = make(table);
    made.set(table, fresh);
    return fresh;
  };
}

export const tableNames = perTable((table): TableNames => {
  const instructions = namesOf(table.instructions.map(({ name }) => name));
  const firstWords = new WordIndex();
  for (const [index, word] of [...MNEMONICS.map(({ word }) => word), ...DIRECTIVES].entries()) {
    firstWords.add(word, index);
  }
  instructions.written.forEach((name, index) => {
    if (name !== undefined) firstWords.add(name, FIRST_INSTRUCTION + index);
  });
  return {
    firstWords,
    instructions,
    specials: namesOf(table.specialRegisters.map(({ name }) => name)),
    stacks: namesOf(table.stackTypes.map(({ name }) => name)),
    constants: table.stackTypes.map(({ constantType }) =>
      constantType === undefined ? BARE_BITS : CONSTANT_FORMS[constantType],
    ),
  };
});

/** First words that take precedence over a PTX instruction of the same name. */
export const RESERVED: ReadonlySet<string> = new Set([...MNEMONICS.map(({ word }) => word), ...DIRECTIVES]);
