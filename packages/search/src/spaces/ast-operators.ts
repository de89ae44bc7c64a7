// The operators of an AST space: instructions of the table and functions, each with a number, and what functions consist of.
import { encodeOperation } from "@mm-ptx/types/code";
import type { AstTable } from "@mm-ptx/types/core";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { AstWord } from "./ast-layout.js";
import { type Template, templateOf } from "./ast-template.js";
import { INFIXES, parseFormula, type Vocabulary } from "./formula.js";
import { ARGUMENT_NAMES, type FunctionDefinitions, functions as standardFunctions } from "./functions.js";

/** A function: its formula, and what the formula consists of. */
export interface AstFunction {
  readonly name: string;
  readonly text: string;
  readonly args: number;
  /** The words of the routine. */
  readonly words: Uint32Array;
  readonly template: Template;
}

const SYMBOLS: ReadonlyMap<string, string> = new Map(INFIXES.map(({ symbol, name }) => [symbol, name]));
const NAME = /^[A-Za-z_$][\w$]*$/;

/** Instructions of the table by their indices, followed by functions in the order in which they were first used. */
export class AstOperators {
  readonly table: AstTable;
  readonly functions: AstFunction[] = [];
  /** By number. The first instruction of a name (`add`) has the short name; others are called by their mnemonics. */
  readonly names: string[] = [];
  readonly heads: number[] = [];
  /** The operation of each instruction on columns, or 0. */
  readonly operations: readonly number[];
  readonly #numbers = new Map<string, number>();
  readonly #definitions: FunctionDefinitions;

  constructor(table: AstTable, definitions: FunctionDefinitions) {
    this.table = table;
    this.#definitions = definitions;
    this.operations = table.instructions.map(({ ptx, args }) => encodeOperation(ptx, args));
    table.instructions.forEach(({ ptx, args }, number) => {
      const short = ptx.split(".", 1)[0]!;
      const name = this.#numbers.has(short) || this.operations[number] === 0 ? ptx : short;
      this.names.push(name);
      this.heads.push(AstWord.instruction | (args << AstWord.arityShift));
      if (!this.#numbers.has(name)) this.#numbers.set(name, number);
      if (!this.#numbers.has(ptx)) this.#numbers.set(ptx, number);
    });
    for (const name of Object.keys(definitions)) {
      if (!NAME.test(name))
        throw wrong(`expected names of functions that are identifiers, found ${quoted(name)}`);
      if (this.#numbers.has(name) && this.#numbers.get(name)! < this.instructionCount)
        throw wrong(`expected names of functions that no instruction has, found ${quoted(name)}`);
      this.number(name);
    }
  }

  get instructionCount(): number {
    return this.table.instructions.length;
  }

  /**
   * The number of an operator, by the name of an instruction, its mnemonic, the name of a function, or `+`, `-`, `*`, `/`. Functions that
   * are named for the first time get a number.
   * @throws SearchError INVALID_ARGUMENT for an unknown name, and for functions whose formula is wrong
   */
  number(name: string): number {
    const found = this.#find(SYMBOLS.get(name) ?? name, []);
    if (found >= 0) return found;
    throw wrong(
      `expected the name of an instruction or function, found ${quoted(name)}${didYouMean(name, this.known)}`,
    );
  }

  /** All names that could be used. */
  get known(): string[] {
    return [
      ...new Set([
        ...this.#numbers.keys(),
        ...Object.keys(this.#definitions),
        ...Object.keys(standardFunctions),
      ]),
    ];
  }

  #find(name: string, path: readonly string[]): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const text = textOf(this.#definitions, name) ?? textOf(standardFunctions, name);
    if (text === undefined) return -1;
    if (path.includes(name))
      throw wrong(`expected functions that do not use themselves, found ${quoted(name)}`);
    return this.#define(name, text, [...path, name]);
  }

  #define(name: string, text: string, path: readonly string[]): number {
    let args = 0;
    const vocabulary: Vocabulary = {
      subject: `function ${quoted(name)}`,
      operator: (each) => this.#find(each, path),
      head: (operator) => this.heads[operator]!,
      payload: (operator) => this.payload(operator),
      variableType: AstWord.argument,
      variable: (each) => {
        const index = ARGUMENT_NAMES.indexOf(each);
        args = Math.max(args, index + 1);
        return index;
      },
      operatorNames: this.known,
      variableNames: ARGUMENT_NAMES,
    };
    const words = parseFormula(text, vocabulary);
    const template = templateOf(words, args, this, name);
    const number = this.names.length;
    this.functions.push({ name, text, args, words, template });
    this.names.push(name);
    this.heads.push(AstWord.routine | (args << AstWord.arityShift));
    this.#numbers.set(name, number);
    return number;
  }

  /** The second word of an operator. */
  payload(number: number): number {
    return number < this.instructionCount ? number : number - this.instructionCount;
  }
}

const textOf = (definitions: FunctionDefinitions, name: string): string | undefined =>
  Object.hasOwn(definitions, name) ? definitions[name] : undefined;

const wrong = (message: string): SearchError => new SearchError("INVALID_ARGUMENT", message);
