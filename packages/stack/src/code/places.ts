// Finds which instruction of a program made each constant of its code. A program does the same whatever its constants are,
// so each constant is replaced by the index of its instruction.
import { CodeBuffer, operandsOf } from "@mm-ptx/types/code";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { InstructionType, Packed } from "../layout.js";

/** The place of a constant that no instruction of the program itself made. */
const ELSEWHERE = -1;

/**
 * The index of the instruction that made each constant of a code, in their order, or -1 for constants of routines.
 * @param operation that of the constants that count; 0 for all
 * @param write appends the code of such a program, with all bits of its constants
 */
export function findConstants(
  program: Uint32Array,
  operation: number,
  write: (words: Uint32Array, out: CodeBuffer) => void,
): Int32Array {
  const out = new CodeBuffer();
  const constantsOf = (mark: (index: number) => number): number[] => {
    out.clear();
    write(marked(program, mark), out);
    return constantsIn(out.words, operation);
  };
  // A constant of a routine is the same both times.
  const inverted = constantsOf((index) => ~index);
  return Int32Array.from(
    constantsOf((index) => index),
    (index, constant) => (~index >>> 0 === inverted[constant] ? index : ELSEWHERE),
  );
}

/** A copy of the program in which each constant is a function of its index. */
function marked(program: Uint32Array, mark: (index: number) => number): Uint32Array {
  const words = program.slice();
  for (let at = 0; at < words.length; at += Packed.wordsPerInstruction) {
    const isConstant = (words[at]! & Packed.typeMask) === InstructionType.constant;
    if (isConstant) words[at + 1] = mark(at / Packed.wordsPerInstruction);
  }
  return words;
}

/** The low words of a code's constants, or of those with this operation. */
function constantsIn(words: Uint32Array, wanted: number): number[] {
  const constants: number[] = [];
  let at: number = CodeWord.header;
  for (let item = words[CodeWord.itemCount]!; item > 0; item--) {
    const operation = words[at]!;
    const isWanted = wanted === 0 || operation === wanted;
    const isConstant = (operation & OperationField.nameMask) === CodeName.constant;
    if (isConstant && isWanted) constants.push(words[at + 1]!);
    at += 1 + operandsOf(operation);
  }
  return constants;
}
