// The space of AST PTX programs: formulas of inputs, constants, instructions of a table, and functions.
import { AstCompiler, AstProgram } from "@mm-ptx/ast";
import { CodeBuffer } from "@mm-ptx/types/code";
import type { AstTable } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import { Draws } from "../draws.js";
import { SearchError } from "../error.js";
import { invalid } from "../options.js";
import type { Plain } from "../plain.js";
import { Draft } from "../variation/ast/draft.js";
import type { AstMaterial } from "../variation/ast/operator.js";
import { AST_OPERATORS, type AstOperator } from "../variation/ast/operators.js";
import { TreeSampler } from "../variation/ast/sampler.js";
import { replaceNode } from "../variation/ast/structure.js";
import { AstCodeWriter } from "./ast-code.js";
import { AstConstants, readConstants } from "./ast-constants.js";
import { AstConstraints } from "./ast-constraints.js";
import { astEnumerable } from "./ast-enumerable.js";
import { AstWord } from "./ast-layout.js";
import { AstOperators } from "./ast-operators.js";
import { type AstSpaceOptions, readAstOptions } from "./ast-options.js";
import { AstSignature } from "./ast-signature.js";
import { AstSymbols } from "./ast-symbols.js";
import { unitStarts } from "./ast-unit-starts.js";
import type { EnumerablePrograms, EnumerableSpace, EnumeratedConstants } from "./enumerable.js";
import { constantText, parseFormula, printFormula } from "./formula.js";
import type { Formula, Genome, ProgramRegister, VariationOperator } from "./space.js";

const DEFAULT_LENGTH = 30;
/** How often an operator tries to make a program that satisfies the constraints, and how often one is drawn at random. */
const TRIES = 4;
const SAMPLE_TRIES = 16;
/** The same for programs with units, of which fewer are correct, and how many changes a random one has had at most. */
const UNIT_TRIES = 64;
const UNIT_CHANGES = 8;
/** How many programs are drawn in search of the first that satisfies the constraints, and the greatest length of those. */
const FIRST_TRIES = 20_000;
const FIRST_LENGTH = 12;

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
  readonly #codes: AstCodeWriter;
  readonly #signature: AstSignature;
  readonly #material: AstMaterial;
  readonly #changes: readonly AstOperator[];
  /** Programs that satisfy all constraints. */
  readonly #starts: readonly Genome[];
  readonly #changed = new CodeBuffer();
  /** Made for the first stub. */
  #compiler: AstCompiler | undefined;

  /** @throws SearchError INVALID_ARGUMENT */
  constructor(table: AstTable, options: AstSpaceOptions) {
    if (table?.kind !== "ast") throw invalid("an AST PTX table", table);
    const read = readAstOptions(options);
    const { inputs, functions = {}, maxLength = DEFAULT_LENGTH, weights = {}, constraints = {} } = read;
    const hasConstants = read.constants !== false;
    const constants = readConstants(hasConstants ? read.constants : { share: 0 });
    const operators = new AstOperators(table, functions);
    const all = operators.names.filter((_, number) => operators.operations[number] !== 0);
    const allowed = [...new Set((read.operators ?? all).map((name) => operators.number(name)))];
    const unknown = allowed.find((number) => operators.operations[number] === 0);
    if (unknown !== undefined)
      throw wrong(`expected operators that columns compute, found ${quoted(operators.names[unknown]!)}`);
    this.table = table;
    this.inputs = Object.freeze([...inputs]);
    this.inputRegisters = this.inputs.map((name) => ({ name, type: "f32" }));
    this.outputRegisters = [{ name: newName("result", this.inputs), type: "f32" }];
    this.maxLength = maxLength;
    this.mostWords = AstWord.perInstruction * maxLength;
    this.routines = operators.functions.map(({ words }) => AstProgram.fromWords(words));
    const symbols = new AstSymbols(operators, this.inputs, allowed, hasConstants);
    this.symbols = symbols;
    this.#constraints = new AstConstraints(symbols, constraints, maxLength);
    this.#codes = new AstCodeWriter(symbols, maxLength);
    this.#signature = new AstSignature(symbols, maxLength);
    const frequencies = new Float64Array(symbols.count).fill(1);
    for (const [name, weight] of Object.entries(weights))
      frequencies[symbols.numberOfName(name, "weights")] = weight;
    const drawn = new AstConstants(constants.sources);
    this.#material = {
      symbols,
      constants: drawn,
      sampler: new TreeSampler(symbols, frequencies, drawn, constants.share, maxLength),
      draft: new Draft(this.mostWords),
      maxLength,
    };
    this.#changes = AST_OPERATORS.filter((operator) => hasConstants || operator.constants !== true);
    this.operators = this.#changes.map(({ name, parents }) => Object.freeze({ name, parents }));
    this.description = {
      kind: this.kind,
      table: table.fingerprint,
      inputs: this.inputs,
      operators: allowed.map((number) => operators.names[number]!),
      functions: Object.fromEntries(operators.functions.map(({ name, text }) => [name, text])),
      maxLength,
      constants: hasConstants ? { share: constants.share, sources: constants.sources.map(plain) } : false,
      weights,
      constraints: plain(constraints),
    };
    this.#starts = this.#findStarts();
  }

  sample(draws: Draws, out: CodeBuffer): void {
    const { sampler, draft } = this.#material;
    if (this.#constraints.units !== undefined) {
      this.#sampleWithUnits(draws, out);
      return;
    }
    for (let attempt = 0; attempt < SAMPLE_TRIES; attempt++) {
      draft.begin(out);
      const size = 1 + draws.below(this.maxLength);
      draft.end += AstWord.perInstruction * sampler.writeTree(size, draws, draft.room, draft.start);
      if (this.#append(out)) return;
    }
    draft.begin(out);
    draft.copyAll(this.#starts[0]!);
    out.append(draft.end);
  }

  vary(operator: number, parent: Genome, other: Genome, draws: Draws, out: CodeBuffer): void {
    const { draft } = this.#material;
    const { constants, change } = this.#changes[operator]!;
    const used = constants === true && !hasConstant(parent) ? replaceNode : change;
    const tries = this.#constraints.units === undefined ? TRIES : UNIT_TRIES;
    for (let attempt = 0; attempt < tries; attempt++) {
      draft.begin(out);
      if (used(this.#material, parent, other, draws) && this.#append(out)) return;
    }
    draft.begin(out);
    draft.copyAll(parent);
    out.append(draft.end);
  }

  signature({ words, start, end }: Genome, hash: Uint32Array): void {
    this.#signature.write(words, start, end, hash);
  }

  /** What `enumerate` makes programs of. */
  enumerable(constants: EnumeratedConstants): EnumerablePrograms {
    return astEnumerable(this.symbols, this.maxLength, constants);
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

  /** Makes the draft a program of the buffer if it satisfies the constraints. */
  #append(out: CodeBuffer): boolean {
    const { room, start, end } = this.#material.draft;
    if (this.#constraints.problem(room, start, end) !== undefined) return false;
    out.append(end);
    return true;
  }

  /** Appends one of the starts after a few random changes. */
  #sampleWithUnits(draws: Draws, out: CodeBuffer): void {
    const changed = this.#changed;
    const { draft } = this.#material;
    let genome = this.#starts[draws.below(this.#starts.length)]!;
    for (let change = draws.below(UNIT_CHANGES); change > 0; change--) {
      changed.clear();
      const other = this.#starts[draws.below(this.#starts.length)]!;
      this.vary(draws.below(this.operators.length), genome, other, draws, changed);
      genome = { words: changed.words.slice(), start: 0, end: changed.end };
    }
    draft.begin(out);
    draft.copyAll(genome);
    out.append(draft.end);
  }

  /** @throws SearchError INVALID_ARGUMENT */
  #findStarts(): Genome[] {
    if (this.#constraints.units !== undefined) {
      const starts = unitStarts(this.symbols, this.#constraints, this.#constraints.units, this.maxLength);
      if (starts.length > 0) return starts;
      throw wrong("option `constraints.units`: expected units that a short program can have, found others");
    }
    const draws = new Draws();
    const words = new Uint32Array(this.mostWords);
    for (let attempt = 0; attempt < FIRST_TRIES; attempt++) {
      draws.start(0, 0, attempt);
      const size = 1 + (attempt % Math.min(this.maxLength, FIRST_LENGTH));
      const end = AstWord.perInstruction * this.#material.sampler.writeTree(size, draws, words, 0);
      if (this.#constraints.problem(words, 0, end) === undefined) return [{ words, start: 0, end }];
    }
    throw wrong(`expected constraints that programs satisfy, found none among ${FIRST_TRIES} that does`);
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

/** A name that none of the others is. */
const newName = (name: string, others: readonly string[]): string =>
  others.includes(name) ? newName(`${name}_`, others) : name;

function hasConstant({ words, start, end }: Genome): boolean {
  for (let at = start; at < end; at += AstWord.perInstruction)
    if (words[at] === AstWord.constant) return true;
  return false;
}

const hex = (word: number): string => `0x${word.toString(16).padStart(8, "0")}`;

/** A copy of options as JSON expresses them. */
const plain = (value: object): Plain => JSON.parse(JSON.stringify(value)) as Plain;

const wrong = (message: string): SearchError => new SearchError("INVALID_ARGUMENT", message);
