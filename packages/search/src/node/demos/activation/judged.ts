// Programs with everything that is known of them: constants for the least largest error, errors, and instructions.
import { AstCompiler, siteJob } from "@mm-ptx/ast";
import { CodeBuffer, operandsOf, StraightLineCode } from "@mm-ptx/types/code";
import type { SiteOperand } from "@mm-ptx/types/core";
import { CodeName, OperationField } from "@mm-ptx/types/internal";
import { machineCost } from "../../../evaluation/machine/cost.js";
import type { AstSpace } from "../../../spaces/ast.js";
import type { MachineCode } from "../machine-code.js";
import { rowsOf } from "./evolution.js";
import { type ActivationErrors, Judge } from "./judge.js";
import { fitLargestError } from "./minimax.js";
import type { ActivationTarget } from "./targets.js";

/** A program, and what it costs. */
interface CountedProgram {
  readonly formula: string;
  readonly genome: Uint32Array;
  readonly code: CodeBuffer;
  /** Counted in machine code, or by the cost model without it. */
  readonly instructions: number;
  readonly special: number;
  /** The stub and the kernel's machine code, if there are a compiler and a disassembler. */
  readonly stub?: string;
  readonly listing?: readonly string[];
}

/** A program for y with all that is known of it. */
export interface JudgedProgram extends CountedProgram, ActivationErrors {}

const FIT_ROWS = 512;
/** The arguments for a first comparison of programs. */
const FIRST_POINTS = 20_001;
/** Of programs whose errors differ by less, the shorter one is better. */
const SAME = 1.001;

/** Judges programs of one target. */
export class ProgramJudge {
  readonly #target: ActivationTarget;
  readonly #space: AstSpace;
  readonly #machine: MachineCode | undefined;
  readonly #first: Judge;
  readonly #judge: Judge;

  /** @param points how many arguments the errors are computed for */
  constructor(target: ActivationTarget, space: AstSpace, machine: MachineCode | undefined, points: number) {
    this.#target = target;
    this.#space = space;
    this.#machine = machine;
    this.#first = new Judge(target, Math.min(points, FIRST_POINTS));
    this.#judge = new Judge(target, points);
  }

  /** All programs as they are. */
  async all(genomes: readonly Uint32Array[]): Promise<JudgedProgram[]> {
    return await this.#judged(await this.#counted(genomes));
  }

  /** With fitted constants, the best program of each number of instructions and special functions, by these numbers. */
  async best(
    genomes: readonly Uint32Array[],
    most: { readonly instructions: number; readonly special: number },
  ) {
    const fitted: Uint32Array[] = [];
    for (const genome of genomes) fitted.push(await this.#fitted(genome));
    const cells = new Map<string, { readonly program: CountedProgram; readonly error: number }>();
    for (const program of await this.#counted(fitted)) {
      const { instructions, special, genome, formula } = program;
      // Kernels with a constant y take fewer instructions than the one with y = x.
      const isShown = /\bx\b/.test(formula) && instructions <= most.instructions && special <= most.special;
      const { error } = this.#first.largestError(program.code);
      if (!isShown || !Number.isFinite(error)) continue;
      const key = `${instructions} ${special}`;
      const other = cells.get(key);
      const isBetter =
        other === undefined ||
        error * SAME < other.error ||
        (error < other.error * SAME && genome.length < other.program.genome.length);
      if (isBetter) cells.set(key, { program, error });
    }
    const programs = await this.#judged([...cells.values()].map(({ program }) => program));
    return programs.sort((a, b) => a.instructions - b.instructions || a.special - b.special);
  }

  async #judged(programs: readonly CountedProgram[]): Promise<JudgedProgram[]> {
    const judged: JudgedProgram[] = [];
    for (const program of programs) judged.push({ ...program, ...(await this.#judge.errors(program.code)) });
    return judged;
  }

  async #counted(genomes: readonly Uint32Array[]): Promise<CountedProgram[]> {
    const space = this.#space;
    const programs = genomes.map((genome) => ({
      genome,
      code: codeOf(space, genome),
      formula: space.text({ words: genome, start: 0, end: genome.length }),
    }));
    const machine = this.#machine;
    if (machine === undefined || programs.length === 0) {
      return programs.map((program) => ({ ...program, ...machineCost(program.code) }));
    }
    const { kernel } = this.#target;
    const operands = machine.operands(kernel);
    const stubs = programs.map(({ genome }) => stubOf(space, genome, operands));
    const codes = await machine.count(kernel, stubs, stubOf(space, space.parse("x"), operands));
    return programs.map((program, index) => ({ ...program, ...codes[index]!, stub: stubs[index]! }));
  }

  /** The genome with the constants that make the largest error least. */
  async #fitted(given: Uint32Array): Promise<Uint32Array> {
    const space = this.#space;
    const genome = given.slice();
    const { words } = await fitLargestError(codeOf(space, genome), rowsOf(this.#target, FIT_ROWS));
    const places: number[] = [];
    const count = space.constantPlaces({ words: genome, start: 0, end: genome.length }, places);
    let at = StraightLineCode.headerWords;
    for (let item = 0, constant = 0; item < words[StraightLineCode.itemCount]! && constant < count; item++) {
      if ((words[at]! & OperationField.nameMask) === CodeName.constant) {
        const place = places[constant++]!;
        if (place >= 0) genome[place] = words[at + 1]!;
      }
      at += 1 + operandsOf(words[at]!);
    }
    return genome;
  }
}

function codeOf(space: AstSpace, genome: Uint32Array): CodeBuffer {
  const code = new CodeBuffer();
  space.compile({ words: genome, start: 0, end: genome.length }, code);
  return code;
}

function stubOf(space: AstSpace, genome: Uint32Array, operands: readonly SiteOperand[]): string {
  const compiler = new AstCompiler(space.table, { routines: space.routines });
  const program = space.program({ words: genome, start: 0, end: genome.length });
  return compiler.compile(program, siteJob(space.table, operands));
}
