// Stack spaces: genomes are Stack PTX programs without a return.
import {
  assemble,
  disassemble,
  type RoutineLibrary,
  type StackCompileJob,
  StackCompiler,
  StackProgram,
  StackPtxError,
} from "@mm-ptx/stack";
import { ProgramSampler } from "@mm-ptx/stack/random";
import { CodeBuffer } from "@mm-ptx/types/code";
import type { StackTable } from "@mm-ptx/types/core";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { Draws } from "../draws.js";
import { SearchError } from "../error.js";
import { invalid } from "../options.js";
import type { Plain } from "../plain.js";
import { type Child, ConstantKind, type StackGenes } from "../variation/stack/child.js";
import { type StackOperator, stackOperators } from "../variation/stack/operators.js";
import type { EnumerablePrograms, EnumerableSpace, EnumeratedConstants } from "./enumerable.js";
import { operandCount } from "./operand-counts.js";
import type { Genome, ProgramRegister } from "./space.js";
import { StackCosts } from "./stack-costs.js";
import { stackEnumerable } from "./stack-enumerable.js";
import { type StackSettings, type StackSpaceOptions, stackSettings } from "./stack-options.js";
import { ConstantFinder } from "./stack-places.js";
import { GENE, STACK_SHIFT } from "./stack-words.js";

/** How often a genome is drawn or varied before another one takes its place. */
const SAMPLE_TRIES = 64;
const VARY_TRIES = 4;
const FALLBACK_TRIES = 4096;

/** A space of Stack PTX programs: see `stackSpace`. */
export interface StackSpace extends EnumerableSpace {
  readonly kind: "stack";
  readonly table: StackTable;
  /** The job that stubs are compiled for. */
  readonly job: StackCompileJob;
  /** The functions as routines, which a compiler of stubs needs. */
  readonly library: RoutineLibrary;
  /** The program of a genome, as a copy. */
  program(genome: Genome): StackProgram;
}

/**
 * A space of Stack PTX programs for the job of an injection site. Genomes are the words of the instructions, two for each, without a
 * return. Random genomes write all registers that the job requests. One that was varied may leave a register as it was; if programs
 * can't read that register, the genome has no code.
 * @throws SearchError INVALID_ARGUMENT for unknown or wrong options, and when programs of these instructions can't write the requested
 * registers; StackPtxError INVALID_ARGUMENT for what `@mm-ptx/stack` checks: jobs, routines, weights
 */
export const stackSpace = (table: StackTable, options: StackSpaceOptions): StackSpace =>
  new Programs(table, stackSettings(table, options));

class Programs implements StackSpace, StackGenes {
  readonly kind = "stack";
  readonly table: StackTable;
  readonly job: StackCompileJob;
  readonly library: RoutineLibrary;
  readonly description: Plain;
  readonly mostWords: number;
  readonly operators: readonly StackOperator[];
  readonly inputs: readonly string[];
  readonly inputRegisters: readonly ProgramRegister[];
  readonly outputRegisters: readonly ProgramRegister[];
  readonly constantKinds: Uint8Array;

  readonly #settings: StackSettings;
  readonly #compiler: StackCompiler;
  readonly #sampler: ProgramSampler;
  readonly #least: number;
  readonly #lengths: number;
  readonly #costs: StackCosts;
  readonly #finder: ConstantFinder;
  /** Programs whose words are overwritten, by the number of genes. */
  readonly #programs: StackProgram[] = [];
  readonly #child: Child;
  readonly #codes = new CodeBuffer();
  /** For each register, the column of its values, or -1 if programs do not read it. */
  readonly #columns: Int32Array;
  /** Codes with at most this many inputs need no change: these registers are the columns of the same numbers. */
  readonly #plainInputs: number;
  /** Whether there are limits that only the code of a genome shows. */
  readonly #limitsLines: boolean;
  /** In place of genomes that can't be found. */
  readonly #fallback: Uint32Array;

  constructor(table: StackTable, settings: StackSettings) {
    const { job, inputs, library, maxLength, umadRate } = settings;
    this.table = table;
    this.job = job;
    this.library = library;
    this.#settings = settings;
    this.description = { kind: this.kind, ...(settings.description as object) };
    this.mostWords = maxLength * GENE;
    const registerOf = (index: number): ProgramRegister => {
      const { name, stackIndex } = job.registers[index]!;
      return { name, type: table.stackTypes[stackIndex]!.literalPrefix };
    };
    this.inputRegisters = inputs.map(registerOf);
    this.outputRegisters = Array.from(job.requests, registerOf);
    this.inputs = this.inputRegisters.map(({ name }) => name);
    this.#compiler = new StackCompiler(table, { routines: library.routines });
    this.#sampler = new ProgramSampler(table, settings.sampler);
    const length = settings.sampler.length!;
    this.#least = typeof length === "number" ? length : length.min;
    this.#lengths = (typeof length === "number" ? length : length.max) - this.#least + 1;
    this.#child = { words: new Uint32Array(this.mostWords), end: 0 };
    this.#columns = Int32Array.from(job.registers, (_, register) => inputs.indexOf(register));
    const firstMoved = inputs.findIndex((register, column) => register !== column);
    this.#plainInputs = firstMoved < 0 ? inputs.length : firstMoved;
    this.#limitsLines = settings.minLines > 0 || Number.isFinite(settings.maxLines);
    this.constantKinds = Uint8Array.from(
      table.stackTypes,
      ({ constantType }) => ConstantKind[constantType ?? "none"],
    );
    this.#costs = new StackCosts(table, settings, this.#compiler);
    this.#finder = new ConstantFinder(library);
    this.#fallback = this.#findFallback();
    this.operators = stackOperators(umadRate, this.#drawsConstants());
  }

  sample(draws: Draws, out: CodeBuffer): void {
    const child = this.#child;
    for (let tries = 0; tries < SAMPLE_TRIES; tries++) {
      const length = this.#least + draws.below(this.#lengths);
      this.#sampler.fill(child.words, 0, length, draws);
      child.end = length * GENE;
      if (this.#isAllowed(child.words, 0, child.end)) {
        append(child.words, 0, child.end, out);
        return;
      }
    }
    append(this.#fallback, 0, this.#fallback.length, out);
  }

  vary(operator: number, parent: Genome, other: Genome, draws: Draws, out: CodeBuffer): void {
    const { make } = this.operators[operator]!;
    const child = this.#child;
    for (let tries = 0; tries < VARY_TRIES; tries++) {
      child.end = 0;
      make(parent, other, draws, child, this);
      if (!this.#limitsLines || this.#isAllowed(child.words, 0, child.end)) {
        append(child.words, 0, child.end, out);
        return;
      }
    }
    append(parent.words, parent.start, parent.end, out);
  }

  signature({ words, start, end }: Genome, hash: Uint32Array): void {
    this.#compiler.signatureInto(this.#programOf(words, start, end), this.job, hash);
  }

  check({ words, start, end }: Genome): void {
    if (!(words instanceof Uint32Array) || !(start >= 0 && start <= end && end <= words.length)) {
      throw invalid("a genome as words from `start` up to `end`", words);
    }
    if ((end - start) % GENE !== 0 || end - start > this.mostWords) {
      throw invalid(
        `a genome of at most ${this.mostWords / GENE} instructions of ${GENE} words`,
        `${end - start} words`,
      );
    }
    let lines: number;
    try {
      lines = this.#linesOf(words, start, end);
    } catch (error) {
      if (!(error instanceof StackPtxError)) throw error;
      throw new SearchError("INVALID_ARGUMENT", error.message, { cause: error });
    }
    if (lines < 0)
      throw invalid("a program that writes all requested registers and reads only inputs", "another one");
    const { minLines, maxLines } = this.#settings;
    if (lines < minLines || lines > maxLines) {
      throw invalid(`a program with ${minLines} to ${maxLines} lines`, `${lines} lines`);
    }
  }

  text(genome: Genome): string {
    return disassemble(this.program(genome), this.table, this.#labels);
  }

  parse(text: string): Uint32Array {
    let program: StackProgram;
    try {
      program = assemble(text, this.table, this.#labels);
    } catch (error) {
      if (!(error instanceof StackPtxError)) throw error;
      throw new SearchError("INVALID_ARGUMENT", error.message, { cause: error });
    }
    const length = program.endsWithReturn ? program.length - 1 : program.length;
    const words = program.slice(0, length).words.slice();
    this.check({ words, start: 0, end: words.length });
    return words;
  }

  compile({ words, start, end }: Genome, codes: CodeBuffer): void {
    const from = codes.end;
    const before = codes.count;
    this.#compiler.compileToCode(this.#programOf(words, start, end), this.job, codes);
    const { room } = codes;
    const isPlain = (room[from + CodeWord.arity]! & CodeWord.inputMask) <= this.#plainInputs;
    if (isPlain || this.#readColumns(room, from)) return;
    // The genome leaves a requested register as it was, although it can't read it.
    codes.end = from;
    codes.count = before;
  }

  constantPlaces({ words, start, end }: Genome, places: number[]): number {
    const program = this.#programOf(words, start, end);
    return this.#finder.find(program.words, places, this.#codes, (codes) => {
      this.#compiler.compileToCode(program, this.job, codes);
    });
  }

  complexity({ words, start, end }: Genome): number {
    return this.#costs.of(this.#programOf(words, start, end), this.job);
  }

  program({ words, start, end }: Genome): StackProgram {
    return StackProgram.fromWords(words.slice(start, end));
  }

  stub(genome: Genome): string {
    return this.#compiler.compile(this.program(genome), this.job);
  }

  /** @internal */
  enumerable(constants: EnumeratedConstants): EnumerablePrograms {
    return stackEnumerable(this.table, this.#settings, constants);
  }

  draw(words: Uint32Array, start: number, end: number, draws: Draws): void {
    this.#sampler.fill(words, start, end, draws);
  }

  drawConstant(head: number, draws: Draws): number {
    return this.#sampler.constant(head >>> STACK_SHIFT, draws);
  }

  get #labels(): { registers: StackCompileJob["registers"]; routines?: readonly string[] } {
    const { names } = this.library;
    const { registers } = this.job;
    return names.length === 0 ? { registers } : { registers, routines: names };
  }

  /** A program whose words are those of a genome until the next call. */
  #programOf(words: Uint32Array, start: number, end: number): StackProgram {
    const length = (end - start) / GENE;
    let program = this.#programs[length];
    if (program === undefined) {
      program = StackProgram.fromWords(new Uint32Array(end - start));
      this.#programs[length] = program;
    }
    const target = program.words;
    for (let word = start, at = 0; word < end; word++) target[at++] = words[word]!;
    return program;
  }

  #isAllowed(words: Uint32Array, start: number, end: number): boolean {
    const lines = this.#linesOf(words, start, end);
    return lines >= 0 && lines >= this.#settings.minLines && lines <= this.#settings.maxLines;
  }

  /** The number of lines, or -1 for a genome that leaves a requested register as it was although programs can't read it. */
  #linesOf(words: Uint32Array, start: number, end: number): number {
    const codes = this.#codes;
    const columns = this.#columns;
    codes.clear();
    this.#compiler.compileToCode(this.#programOf(words, start, end), this.job, codes);
    const { room } = codes;
    let lines = 0;
    let at = CodeWord.header;
    for (let item = room[CodeWord.itemCount]!; item > 0; item--) {
      const operation = room[at]!;
      const name = operation & OperationField.nameMask;
      if (name > CodeName.constant) lines++;
      else if (name === CodeName.input && columns[room[at + 1]!]! < 0) return -1;
      at += 1 + operandCount(operation);
    }
    return lines;
  }

  /** Replaces registers by columns in a code that begins here; returns whether each register that it reads has one. */
  #readColumns(room: Uint32Array, from: number): boolean {
    let most = 0;
    let at = from + CodeWord.header;
    for (let item = room[from + CodeWord.itemCount]!; item > 0; item--) {
      const operation = room[at]!;
      if ((operation & OperationField.nameMask) === CodeName.input) {
        const column = this.#columns[room[at + 1]!]!;
        if (column < 0) return false;
        room[at + 1] = column;
        most = Math.max(most, column + 1);
      }
      at += 1 + operandCount(operation);
    }
    const arity = from + CodeWord.arity;
    room[arity] = ((room[arity]! & ~CodeWord.inputMask) | most) >>> 0;
    return true;
  }

  #drawsConstants(): boolean {
    const draws = new Draws();
    draws.start(0, 0, 1);
    const words = new Uint32Array(GENE * FALLBACK_TRIES);
    this.#sampler.fill(words, 0, FALLBACK_TRIES, draws);
    return words.some((head, word) => word % GENE === 0 && this.#finder.isConstant(head));
  }

  /** @throws SearchError INVALID_ARGUMENT */
  #findFallback(): Uint32Array {
    const draws = new Draws();
    const { words } = this.#child;
    for (let tries = 0; tries < FALLBACK_TRIES; tries++) {
      draws.start(0, 0, tries);
      const length = this.#least + draws.below(this.#lengths);
      this.#sampler.fill(words, 0, length, draws);
      if (this.#isAllowed(words, 0, length * GENE)) return words.slice(0, length * GENE);
    }
    throw invalid(
      "instructions, inputs and lengths of which random programs can write all requested registers",
      "others",
    );
  }
}

function append(words: Uint32Array, start: number, end: number, out: CodeBuffer): void {
  const room = out.reserve(end - start);
  let at = out.end;
  for (let word = start; word < end; word++) room[at++] = words[word]!;
  out.append(at);
}
