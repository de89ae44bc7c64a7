// Finds the words of a genome that contain the constants of its code.
import type { RoutineLibrary } from "@mm-ptx/stack";
import { type CodeBuffer, codeType, constantOperation } from "@mm-ptx/types/code";
import { CodeWord } from "@mm-ptx/types/internal";
import { operandCount } from "./operand-counts.js";
import { CONSTANT, GENE, TYPE_MASK } from "./stack-words.js";

const F32_CONSTANT = constantOperation(codeType("f32"));
/** Numbers of genes fit below this bit, and marks are this number and more. */
const MARK_STEP = 2 ** 16;
const NOT_MARKED = -1;

/**
 * Finds where the f32 constants of codes are. A program does the same whatever its constants are: each is replaced by a number that says
 * which gene it is, and the code is compiled.
 */
export class ConstantFinder {
  /** What marks are above their lower 16 bits: no routine has such a constant. */
  readonly #mark: number;

  constructor(library: RoutineLibrary) {
    const taken = new Set<number>();
    for (const { words } of library.routines) {
      for (let word = 0; word < words.length; word += GENE) {
        if (this.isConstant(words[word]!)) taken.add(words[word + 1]! >>> 16);
      }
    }
    let mark = 1;
    while (taken.has(mark)) mark++;
    this.#mark = mark * MARK_STEP;
  }

  /** Whether this is the first word of a constant. */
  isConstant(head: number): boolean {
    return (head & TYPE_MASK) === CONSTANT;
  }

  /**
   * Writes the index of the word of each f32 constant.
   * @param words those of a program, which may be overwritten
   * @param compile appends the code of that program
   */
  find(
    words: Uint32Array,
    places: number[],
    codes: CodeBuffer,
    compile: (codes: CodeBuffer) => void,
  ): number {
    const mark = this.#mark;
    for (let word = 0; word < words.length; word += GENE) {
      if (this.isConstant(words[word]!)) words[word + 1] = mark + word / GENE;
    }
    codes.clear();
    compile(codes);
    const { room } = codes;
    let count = 0;
    let at = CodeWord.header;
    for (let item = room[CodeWord.itemCount]!; item > 0; item--) {
      const operation = room[at]!;
      if (operation === F32_CONSTANT) {
        const gene = room[at + 1]! - mark;
        places[count++] = gene >= 0 && gene < words.length / GENE ? gene * GENE + 1 : NOT_MARKED;
      }
      at += 1 + operandCount(operation);
    }
    return count;
  }
}
