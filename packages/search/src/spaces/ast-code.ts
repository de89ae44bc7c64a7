// Straight-line code of AST programs: the same that `AstCompiler.compileToCode` of @mm-ptx/ast writes, with functions as templates.
import { type CodeBuffer, codeType, inputOperation, StraightLineCode } from "@mm-ptx/types/code";
import { AstWord } from "./ast-layout.js";
import type { AstSymbols } from "./ast-symbols.js";
import { CONSTANT, type Template } from "./ast-template.js";

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
/** The most words of an item outside of functions: an operation with three operands. */
const USUAL_WORDS = 4;

/** The words of a function in a code. */
interface FunctionWords {
  /** The items. Operands that are items of the function count from its first item. */
  readonly words: Uint32Array;
  /** Where those operands are. */
  readonly items: Int32Array;
  /** Where operands are arguments, each followed by the number of the argument. */
  readonly args: Int32Array;
  readonly count: number;
  /** The value of the function: an item, or `-1 - k` for argument `k`. */
  readonly result: number;
}

function functionWords({ items, count, result }: Template): FunctionWords {
  const words: number[] = [];
  const itemPlaces: number[] = [];
  const argPlaces: number[] = [];
  for (let at = 0; at < items.length; ) {
    const operation = items[at]!;
    words.push(operation);
    if (operation === CONSTANT) {
      words.push(items[at + 2]!);
      at += 3;
      continue;
    }
    const end = at + 2 + items[at + 1]!;
    for (at += 2; at < end; at++) {
      const value = items[at]!;
      if (value < 0) argPlaces.push(words.length, -1 - value);
      else itemPlaces.push(words.length);
      words.push(Math.max(0, value));
    }
  }
  return {
    words: Uint32Array.from(words),
    items: Int32Array.from(itemPlaces),
    args: Int32Array.from(argPlaces),
    count,
    result,
  };
}

export class AstCodeWriter {
  readonly #symbols: AstSymbols;
  /** By symbol: the operation and the number of words of its item; 0 words for functions. */
  readonly #operations: Uint32Array;
  readonly #widths: Uint8Array;
  readonly #stack: Int32Array;
  readonly #functions: readonly FunctionWords[];
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
    this.#functions = functions.map(({ template }) => functionWords(template));
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
    const { inputs } = symbols;
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
        const {
          words: copied,
          items: itemPlaces,
          args: argPlaces,
          count,
          result,
        } = this.#functions[payload]!;
        for (let from = 0; from < copied.length; from++) room[to + from] = copied[from]!;
        for (let index = 0; index < itemPlaces.length; index++) room[to + itemPlaces[index]!]! += items;
        for (let index = 0; index < argPlaces.length; index += 2)
          room[to + argPlaces[index]!] = stack[first + argPlaces[index + 1]!]!;
        to += copied.length;
        stack[first] = result < 0 ? stack[first - 1 - result]! : items + result;
        items += count;
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
