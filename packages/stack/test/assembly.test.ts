// The constants that the assembly repeats equal those of the sources: AssemblyScript can't import them, and a
// wrong one would be noticed only by programs that happen to need it.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Label } from "../src/analysis/labels.js";
import { Observed } from "../src/analysis/observed.js";
import { Pair } from "../src/emit/constants.js";
import { Word } from "../src/emit/words.js";
import { InstructionType, MetaOperation, Packed } from "../src/layout.js";
import * as memory from "../src/loops/memory.js";
import * as states from "../src/loops/state.js";
import { Shape } from "../src/machine/table.js";
import { Node, Stack, Text, What } from "../src/nodes.js";

const ASSEMBLY = ["layout", "run", "walk", "print", "analysis", "code"]
  .map((name) => readFileSync(new URL(`../assembly/${name}.ts`, import.meta.url), "utf8"))
  .join("\n");

const enums = { ...memory, ...states };

/** The assembly's constants of a type, by name. */
function constants(type: string): Map<string, string> {
  const declared = ASSEMBLY.matchAll(new RegExp(`^export const (\\w+): ${type} = (.+);$`, "gm"));
  return new Map(Array.from(declared, (match): [string, string] => [match[1]!, match[2]!]));
}

/** `Number` accepts a sign only before decimal digits. */
const numberOf = (text: string): number => (text.startsWith("-") ? -Number(text.slice(1)) : Number(text));

/** `lastAst` is `LAST_AST` in the assembly. */
const constantName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The numbers of an enum of src/loops, by their names in the assembly. */
function enumeration(name: keyof typeof enums, ...without: string[]): [string, number][] {
  const numbers = enums[name] as unknown as Record<string, number | string>;
  return Object.entries(numbers).flatMap(([key, value]): [string, number][] =>
    typeof value === "number" && !without.includes(key) ? [[constantName(key), value]] : [],
  );
}

it("has the addresses", () => {
  const bytes = (word: number): number => word * Int32Array.BYTES_PER_ELEMENT;
  const found = Array.from(constants("usize"), ([name, value]): [string, number] => {
    const [, word, shift] = /^(\w+)(?: << (\d))?$/.exec(value)!;
    return [name, Number(word) << Number(shift ?? 0)];
  });
  expect(Object.fromEntries(found)).toEqual({
    ...Object.fromEntries(enumeration("Control", "count").map(([name, word]) => [name, bytes(word)])),
    ...Object.fromEntries(enumeration("LineState").map(([name, word]) => [`LINES_${name}`, bytes(word)])),
    ...Object.fromEntries(enumeration("ObservedState").map(([name, word]) => [`STATE_${name}`, bytes(word)])),
    ...Object.fromEntries(
      enumeration("Place", "parts", "state", "forms", "mnemonicWords", "operations", "constantOperations"),
    ),
    STACK_PAD: bytes(Stack.pad),
    LENGTH_WORD: bytes(Text.lengthWord),
    WHAT: bytes(Node.what),
    NEXT: bytes(Node.next),
    LEAF: bytes(Node.leaf),
    BITS: bytes(Node.bits),
    FIRST: bytes(Node.args),
    SECOND: bytes(Node.args + 1),
    THIRD: bytes(Node.args + 2),
    DEPTH: bytes(Observed.depth),
    COUNTED: bytes(Observed.counted),
    LABEL: bytes(Text.lengthWord),
    LENGTH: Text.bytes - 1,
  });
});

it("has the other constants, each of which is compared here", () => {
  const values = Array.from(constants("i32"), ([name, value]) => [name, numberOf(value)]);
  expect(Object.fromEntries(values)).toEqual({
    PTX: InstructionType.ptx,
    CONSTANT: InstructionType.constant,
    INPUT: InstructionType.input,
    META: InstructionType.meta,
    DUP: MetaOperation.dup,
    SWAP: MetaOperation.swap,
    ROTATE: MetaOperation.rotate,
    MIXED: Shape.mixed,
    NONE: Node.none,
    FIRST_INPUT: Node.firstInput,
    LEAF_WORDS: Node.words,
    SHAPED_WORDS: Node.shapedWords,
    WHAT_CONSTANT: What.constant,
    TEXT_LONG: Text.long,
    MOST_CHARACTERS: Text.mostCharacters,
    PIECE_BYTES: Word.perPiece * Word.bytes,
    OBSERVED_WORDS: Observed.words,
    LIVE: Observed.live,
    NUMBER_BITS: Text.lengthShift,
    LABEL_TEXT: Label.text,
    LABEL_CONSTANT: Label.constant | 0,
  });
  expect(ASSEMBLY.match(/^(?:export )?const /gm)).toHaveLength(
    constants("i32").size + constants("usize").size,
  );
});

// Numbers inside expressions: where they are, and their values.
it.each<[string, RegExp, ...number[]]>([
  ["the stack of an instruction", /load<u16>\(next, (\d)\)/g, Packed.auxShift / 8],
  ["the payload of an instruction", /payload = load<i32>\(next, (\d)\)/g, Packed.bytesPerInstruction / 2],
  ["the length of an instruction", /next \+= (\d+)\)/g, Packed.bytesPerInstruction],
  ["a result that is pending", /, LENGTH_WORD\) [!=]== (\d+)/g, Text.pending],
  ["a node without a leaf", /store<i32>\(node, (\d), LEAF\)/g, Node.none],
  ["the size of texts", /<< (\d)(?=, (?:CONSTANTS|DIGITS)|\);\n {2}const number)/g, Math.log2(Text.bytes)],
  ["the end of a line", /store<u16>\(end - 2, (\w+)\)/g, Pair.endOfLine],
  ["the end of an operand", /length - 1, (\w+)\)/g, Pair.comma],
])("has %s", (_, place, ...expected) => {
  const found = Array.from(ASSEMBLY.matchAll(place), (match) => Number(match[1]));
  expect(new Set(found)).toEqual(new Set(expected));
});
