// Straight-line code of AST programs: the same that `AstCompiler.compileToCode` of @mm-ptx/ast writes, with functions as templates.
import { type CodeBuffer, codeType, inputOperation, StraightLineCode } from "@mm-ptx/types/code";
import { AstWord } from "./ast-layout.js";
import type { AstSymbols } from "./ast-symbols.js";
import { CONSTANT } from "./ast-template.js";

const F32 = codeType("f32");
const INPUT = inputOperation(F32);
const {
  magic: MAGIC,
  headerWords: HEADER,
  itemCount: ITEM_COUNT,
  arity: ARITY,
  outputShift,
  typeShift,
} = StraightLineCode;
/** The most words of an item that is no function: an operation with three operands. */
const USUAL_WORDS = 4;

export class AstCodeWriter {
  readonly #symbols: AstSymbols;
  /** By symbol: the operation and the number of words of its item; 0 words for functions. */
  readonly #operations: Uint32Array;
  readonly #widths: Uint8Array;
  readonly #stack: Int32Array;
  /** The numbers of the items of a function. */
  readonly #values: Int32Array;
  /** The most words that an instruction becomes. */
  readonly #mostWords: number;

  constructor(symbols: AstSymbols, maxLength: number) {
    this.#symbols = symbols;
    this.#operations = new Uint32Array(symbols.count);
    this.#operations.set(symbols.operators.operations);
    this.#operations.fill(INPUT, symbols.firstInput, symbols.constant);
    this.#operations[symbols.constant] = CONSTANT;
    this.#widths = Uint8Array.from(symbols.arity, (arity) => 1 + Math.max(arity, 1));
    this.#widths.fill(0, symbols.firstFunction, symbols.firstInput);
    this.#stack = new Int32Array(maxLength + USUAL_WORDS);
    const { functions } = symbols.operators;
    this.#values = new Int32Array(
      functions.reduce((most, { template }) => Math.max(most, template.count), 0),
    );
    const mostOperands = symbols.arity.reduce((most, arity) => Math.max(most, arity), 0);
    this.#mostWords = functions.reduce(
      (most, { template }) => Math.max(most, template.size),
      Math.max(USUAL_WORDS, 1 + mostOperands),
    );
  }

  /** Appends the code of the program from word `start` up to `end`. */
  write(words: Uint32Array, start: number, end: number, out: CodeBuffer): void {
    const stack = this.#stack;
    const symbols = this.#symbols;
    const { operators, inputs } = symbols;
    const operations = this.#operations;
    const widths = this.#widths;
    const begin = out.end;
    const room = out.reserve(
      HEADER + USUAL_WORDS + ((end - start) / AstWord.perInstruction) * this.#mostWords,
    );
    let to = begin + HEADER;
    let items = 0;
    let size = 0;
    for (let at = start; at < end; at += AstWord.perInstruction) {
      const head = words[at]!;
      const payload = words[at + 1]!;
      const number = symbols.numberOf(head, payload);
      const first = size - (head >>> AstWord.arityShift);
      const width = widths[number]!;
      if (width > 0) {
        // The operand of an input or constant is its payload, which has the place of its value until then. Words after the last operand
        // are overwritten by the next item.
        stack[size] = payload;
        room[to] = operations[number]!;
        room[to + 1] = stack[first]!;
        room[to + 2] = stack[first + 1]!;
        room[to + 3] = stack[first + 2]!;
        for (let operand = 4; operand < width; operand++) room[to + operand] = stack[first + operand - 1]!;
        to += width;
        stack[first] = items++;
        size = first + 1;
      } else {
        const { template } = operators.functions[payload]!;
        const values = this.#values;
        const source = template.items;
        let number = 0;
        for (let from = 0; from < source.length; ) {
          const operation = source[from]!;
          const operands = source[from + 1]!;
          from += 2;
          room[to++] = operation;
          if (operation === CONSTANT) room[to++] = source[from++]!;
          else {
            for (const stop = from + operands; from < stop; from++) {
              const value = source[from]!;
              room[to++] = value < 0 ? stack[first - 1 - value]! : values[value]!;
            }
          }
          values[number++] = items++;
        }
        const { result } = template;
        stack[first] = result < 0 ? stack[first - 1 - result]! : values[result]!;
        size = first + 1;
      }
    }
    room[begin] = MAGIC;
    room[begin + ITEM_COUNT] = items;
    room[begin + ARITY] = inputs.length | (1 << outputShift);
    room[to++] = stack[0]! | (F32 << typeShift);
    out.append(to);
  }

  /** See `ProgramSpace.constantPlaces`. */
  places(words: Uint32Array, start: number, end: number, places: number[]): number {
    let count = 0;
    for (let at = start; at < end; at += AstWord.perInstruction) {
      const type = words[at]! & AstWord.typeMask;
      if (type === AstWord.constant) places[count++] = at + 1 - start;
      else if (type === AstWord.routine) {
        const { constants } = this.#symbols.operators.functions[words[at + 1]!]!.template;
        for (let index = 0; index < constants; index++) places[count++] = -1;
      }
    }
    return count;
  }
}
