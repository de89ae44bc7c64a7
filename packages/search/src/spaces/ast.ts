// The space of AST PTX programs: formulas of inputs, constants, instructions of a table, and functions.
import { AstCompiler, AstProgram } from "@mm-ptx/ast";
import type { CodeBuffer } from "@mm-ptx/types/code";
import type { AstTable } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import type { Draws } from "../draws.js";
import { SearchError } from "../error.js";
import { invalid } from "../options.js";
import type { Plain } from "../plain.js";
import { AstVariation } from "../variation/ast/variation.js";
import { AstCodeWriter } from "./ast-code.js";
import type { AstConstraints } from "./ast-constraints.js";
import { astEnumerable } from "./ast-enumerable.js";
import { AstWord } from "./ast-layout.js";
import type { AstSpaceOptions } from "./ast-options.js";
import { astSettings } from "./ast-settings.js";
import { AstSignature } from "./ast-signature.js";
import type { AstSymbols } from "./ast-symbols.js";
import type { EnumerablePrograms, EnumerableSpace, EnumeratedConstants } from "./enumerable.js";
import { constantText, parseFormula, printFormula } from "./formula.js";
import type { Formula, Genome, ProgramRegister, VariationOperator } from "./space.js";
import { unusedName } from "./unused-name.js";

/** The space of AST PTX programs; `astSpace` makes one. */
export class AstSpace implements EnumerableSpace {
  readonly kind = "ast";
  readonly description: Plain;
  readonly mostWords: number;
  readonly operators: readonly VariationOperator[];
  readonly inputs: readonly string[];
  readonly inputRegisters: readonly ProgramRegister[];
  readonly outputRegisters: readonly ProgramRegister[];
  readonly table: AstTable;
  /** The most instructions of a program. */
  readonly maxLength: number;
  /** The functions of programs, as AST PTX compilers take them in the option `routines`. */
  readonly routines: readonly AstProgram[];
  /** @internal */
  readonly symbols: AstSymbols;
  readonly #constraints: AstConstraints;
  readonly #variation: AstVariation;
  readonly #codes: AstCodeWriter;
  readonly #signature: AstSignature;
  /** Made for the first stub. */
  #compiler: AstCompiler | undefined;

  /** @throws SearchError INVALID_ARGUMENT */
  constructor(table: AstTable, options: AstSpaceOptions) {
    const settings = astSettings(table, options);
    const { symbols, constraints, maxLength, description } = settings;
    this.table = table;
    this.inputs = symbols.inputs;
    this.inputRegisters = this.inputs.map((name) => ({ name, type: "f32" }));
    this.outputRegisters = [{ name: unusedName("result", this.inputs), type: "f32" }];
    this.maxLength = maxLength;
    this.mostWords = AstWord.perInstruction * maxLength;
    this.routines = symbols.operators.functions.map(({ words }) => AstProgram.fromWords(words));
    this.description = { kind: this.kind, ...description };
    this.symbols = symbols;
    this.#constraints = constraints;
    this.#codes = new AstCodeWriter(symbols, maxLength);
    this.#signature = new AstSignature(symbols, maxLength);
    this.#variation = new AstVariation(settings);
    this.operators = this.#variation.operators.map(({ name, parents }) => Object.freeze({ name, parents }));
  }

  sample(draws: Draws, out: CodeBuffer): void {
    this.#variation.sample(draws, out);
  }

  vary(operator: number, parent: Genome, other: Genome, draws: Draws, out: CodeBuffer): void {
    this.#variation.vary(operator, parent, other, draws, out);
  }

  signature({ words, start, end }: Genome, hash: Uint32Array): void {
    this.#signature.write(words, start, end, hash);
  }

  /** What `enumerate` makes programs of. */
  /** @internal */
  enumerable(constants: EnumeratedConstants): EnumerablePrograms {
    return astEnumerable(this.symbols, this.maxLength, this.#constraints, constants);
  }

  compile({ words, start, end }: Genome, codes: CodeBuffer): void {
    this.#codes.write(words, start, end, codes);
  }

  constantPlaces({ words, start, end }: Genome, places: number[]): number {
    return this.#codes.places(words, start, end, places);
  }

  complexity({ words, start, end }: Genome): number {
    const { costs } = this.#constraints;
    let sum = 0;
    for (let at = start; at < end; at += AstWord.perInstruction)
      sum += costs[this.symbols.numberOf(words[at]!, words[at + 1]!)]!;
    return sum;
  }

  check({ words, start, end }: Genome): void {
    const length = (end - start) / AstWord.perInstruction;
    if (!(words instanceof Uint32Array) || !(start >= 0 && end <= words.length))
      throw invalid("a genome within its words", words);
    if (!Number.isInteger(length) || length < 1 || length > this.maxLength)
      throw wrong(`expected 1 to ${this.maxLength} instructions, found ${length}`);
    const symbols = this.symbols;
    let size = 0;
    for (let at = start, index = 0; at < end; at += AstWord.perInstruction, index++) {
      const head = words[at]!;
      const payload = words[at + 1]!;
      const number = symbols.numberOf(head, payload);
      if (symbols.isAllowed[number] !== 1 || symbols.heads[number] !== head)
        throw wrong(`instruction ${index}: expected one of this space, found ${hex(head)} ${hex(payload)}`);
      size -= symbols.arity[number]!;
      if (size < 0)
        throw wrong(
          `instruction ${index}: expected operands before ${quoted(symbols.name(number))}, found too few`,
        );
      size++;
    }
    if (size !== 1) throw wrong(`expected a program with one value, found ${size}`);
    const problem = this.#constraints.problem(words, start, end);
    if (problem !== undefined)
      throw wrong(`expected a program within \`constraints.${problem}\`, found one beyond`);
  }

  /** Whether a well-formed program is short enough and satisfies all constraints. @internal */
  fits(words: Uint32Array, start: number, end: number): boolean {
    return end - start <= this.mostWords && this.#constraints.problem(words, start, end) === undefined;
  }

  text({ words, start, end }: Genome): string {
    const { operators } = this.symbols;
    return printFormula(words, start, end, {
      operatorName: (head, payload) => operators.names[this.symbols.numberOf(head, payload)]!,
      variableName: (payload) => this.inputs[payload]!,
    });
  }

  parse(text: string): Uint32Array {
    if (typeof text !== "string") throw invalid("a formula as text", text);
    const { byName, heads, payloads, firstInput } = this.symbols;
    const words = parseFormula(text, {
      subject: "formula",
      operator: (name) => {
        const number = byName.get(name);
        return number === undefined || number >= firstInput ? -1 : number;
      },
      head: (operator) => heads[operator]!,
      payload: (operator) => payloads[operator]!,
      variableType: AstWord.input,
      variable: (name) => this.inputs.indexOf(name),
      operatorNames: [...byName.keys()],
      variableNames: this.inputs,
    });
    this.check({ words, start: 0, end: words.length });
    return words;
  }

  formula({ words, start, end }: Genome): Formula {
    const { operators } = this.symbols;
    const stack: Formula[] = [];
    for (let at = start; at < end; at += AstWord.perInstruction) {
      const head = words[at]!;
      const payload = words[at + 1]!;
      if (head === AstWord.input) stack.push({ kind: "variable", name: this.inputs[payload]! });
      else if (head === AstWord.constant) stack.push({ kind: "number", text: constantText(payload) });
      else {
        const operands = stack.splice(stack.length - (head >>> AstWord.arityShift));
        const name = operators.names[this.symbols.numberOf(head, payload)]!;
        stack.push({ kind: "operation", name, operands });
      }
    }
    return stack[0]!;
  }

  stub(genome: Genome): string {
    this.#compiler ??= new AstCompiler(this.table, { routines: this.routines });
    const output = this.outputRegisters[0]!.name;
    return this.#compiler.compile(this.program(genome), { inputs: this.inputs, output });
  }

  /** The genome as a program for the compilers of @mm-ptx/ast, which need `routines`. */
  program({ words, start, end }: Genome): AstProgram {
    return AstProgram.fromWords(words.slice(start, end));
  }
}

/**
 * The space of the AST PTX programs of a table: formulas of inputs, constants, instructions and functions. Genomes are AST PTX programs,
 * two words an instruction with operands first, and texts are formulas such as `x * sin(y + 1.5)`.
 * @throws SearchError INVALID_ARGUMENT
 */
export function astSpace(table: AstTable, options: AstSpaceOptions): AstSpace {
  return new AstSpace(table, options);
}

const hex = (word: number): string => `0x${word.toString(16).padStart(8, "0")}`;

const wrong = (message: string): SearchError => new SearchError("INVALID_ARGUMENT", message);
