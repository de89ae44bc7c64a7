// The numbers that assembly/index.ts repeats are those of the sources: AssemblyScript can't import them, and one that
// differs would be found only by programs that happen to need it.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ConstantForm, Pair } from "../src/emit/constants.js";
import { Chunk } from "../src/emit/operand-texts.js";
import { Word } from "../src/emit/words.js";
import { InstructionType, Packed } from "../src/layout.js";
import * as memory from "../src/loops/memory.js";
import { Node, Stack, Text } from "../src/workspace.js";

const ASSEMBLY = readFileSync(new URL("../assembly/index.ts", import.meta.url), "utf8");

/** The assembly's constants of a type, by name. */
function constants(type: string): Map<string, string> {
  const declared = ASSEMBLY.matchAll(new RegExp(`^const (\\w+): ${type} = (.+);$`, "gm"));
  return new Map(Array.from(declared, (match): [string, string] => [match[1]!, match[2]!]));
}

/** `lastAst` is `LAST_AST` there. */
const constantName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

it("has the words of the control block in their order", () => {
  const { Control } = memory as unknown as { Control: Record<string, number | string> };
  // The assembly is told where in the program it starts, so it needs no address of it.
  const words = Object.entries(Control).filter(
    ([name, word]) => typeof word === "number" && name !== "words",
  );
  expect(words.length).toBeGreaterThan(20);
  expect(Object.fromEntries(constants("usize"))).toEqual(
    Object.fromEntries(words.map(([name, word]) => [constantName(name), `${word} << 2`])),
  );
});

it("has the other constants, and each is compared here", () => {
  const values = Array.from(constants("i32"), ([name, value]) => [name, Number(value)]);
  expect(Object.fromEntries(values)).toEqual({
    PTX: InstructionType.ptx,
    CONSTANT: InstructionType.constant,
    INPUT: InstructionType.input,
    STACK_PAD: Stack.pad,
    FIRST_INPUT: Node.firstInput,
    SHAPED_WORDS: Node.shapedWords,
    TEXT_NUMBER: Text.number,
    CHUNK_REGISTERS: Chunk.registers,
    PIECE_BYTES: Word.perPiece * Word.bytes,
  });
  expect(ASSEMBLY.match(/^const /gm)).toHaveLength(constants("i32").size + constants("usize").size);
});

/** The address of an argument in a node. */
const argumentAt = (index: number): number => (Node.head + index) * Int32Array.BYTES_PER_ELEMENT;

// What stands in the middle of an expression: the place, and the numbers there.
it.each<[string, RegExp, ...number[]]>([
  ["the type of an instruction", /head & (\w+)/g, Packed.typeMask],
  ["the stack of a constant", />head >>> (\w+)/g, Packed.auxShift],
  ["the length of an instruction", /\n {4}at \+= (\d+);\n {2}\}\n/g, Packed.bytesPerInstruction],
  ["a result that is pending", /, 4\) [!=]== (\d+)/g, Text.pending],
  ["the first argument", /first = load<i32>\(node, (\d+)\)/g, argumentAt(0)],
  ["the second argument", /second = load<i32>\(node, (\d+)\)/g, argumentAt(1)],
  ["the third argument", /third = load<i32>\(node, (\d+)\)/g, argumentAt(2)],
  ["the index of a text", /\btext\d? >> (\d+)/g, Text.indexShift],
  ["the index of a new text", /\(text << (\d+)\)/g, Text.indexShift],
  ["the length of a text", /\btext\d? & (\d+)/g, Text.lengthMask],
  ["the chunks of a stack", /chunks, stack \* (\d+)/g, Chunk.perStack],
  ["the chunk of a register", /number >> (\d+)/g, Chunk.shift],
  ["the place in a chunk", /number & (\d+)/g, Chunk.size - 1],
  ["a float constant", /form === (\d+)/g, ConstantForm.float],
  ["an unsigned constant", /form !== (\d+)/g, ConstantForm.unsigned],
  ["the pairs of characters", /(0x[0-9a-f]{4})[,) ]/g, Pair.zeroF, Pair.zeroX, Pair.comma, Pair.endOfLine],
])("has %s", (_, place, ...expected) => {
  const found = Array.from(ASSEMBLY.matchAll(place), (match) => Number(match[1]));
  expect(new Set(found)).toEqual(new Set(expected));
});
