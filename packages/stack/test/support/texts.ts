// Tables, labels and words for tests of the text form: names that are hard to write, and instructions of every kind.
import type { StackTable } from "@mm-ptx/types/core";
import type { Random } from "./random.js";
import { randomTable } from "./random-table.js";
import { SMALL_TABLE } from "./small-table.js";

const HARD_NAMES = [
  "input",
  "dup",
  "ptx",
  "const",
  ".word",
  ".registers",
  "17",
  "0",
  "0x10",
  "_",
  "a;b",
  ";",
  "two words",
  "line\nbreak",
  "",
  "ümlaut",
  "-1",
  "yank_dup",
  "add.f32",
  "__proto__",
  "constructor",
  "return",
  "1.5",
  "%x",
  "a_rather_long_name_that_no_table_would_have_but_one_may",
] as const;

const name = (random: Random, usual: string): string => (random.once(3) ? random.pick(HARD_NAMES) : usual);

/**
 * A random table whose names may be reserved, repeated or not words at all, with constants on some stacks.
 */
export function hardTable(random: Random): StackTable {
  const table = randomTable(random);
  return {
    ...table,
    stackTypes: table.stackTypes.map((type) => ({
      name: name(random, type.name),
      literalPrefix: type.literalPrefix,
      ...(random.once(4) ? {} : { constantType: random.pick(["f32", "s32", "u32"] as const) }),
    })),
    instructions: table.instructions.map((entry) => ({ ...entry, name: name(random, entry.name) })),
    specialRegisters: table.specialRegisters.map((entry) => ({ ...entry, name: name(random, entry.name) })),
  };
}

export function hardLabels(random: Random): string[] {
  return random.list(random.below(6), (index) => name(random, `x${index}`));
}

/** Words of every kind: in range and out of it, with ignored bits set, and senseless ones. */
export function anyWords(random: Random, count: number): Uint32Array {
  const words = new Uint32Array(2 * count);
  for (let word = 0; word < words.length; word += 2) {
    const aux = random.once(6) ? random.below(65536) : random.below(random.once(3) ? 4 : 1);
    words[word] = random.once(10) ? random.word() : random.below(14) + aux * 65536;
    words[word + 1] = random.once(3) ? random.word() : random.below(20);
  }
  return words;
}

/** A table with two more stacks: of signed integers, and without constants. */
export const S32_AND_BITS = {
  ...SMALL_TABLE,
  stackTypes: [
    ...SMALL_TABLE.stackTypes,
    { name: "S32", literalPrefix: "s32", constantType: "s32" as const },
    { name: "PRED", literalPrefix: "pred" },
  ],
};

/** The names of registers and routines in the tests' own texts. */
export const LABELS = { registers: ["x", "y"], routines: ["square"] };
