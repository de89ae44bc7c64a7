// The interpreter compiles a program, plans its stub, and runs the plan on blocks of rows.
import type { AstTable } from "@mm-ptx/types/core";
import { NAN_32 } from "@mm-ptx/types/internal";
import { checkProgram, invalid } from "../checks.js";
import { AstCompiler } from "../compiler.js";
import { AstPtxError, counted } from "../error.js";
import { operationOf } from "../float32.js";
import type { AstCompilerOptions } from "../job.js";
import type { AstProgram } from "../program.js";
import { javaScriptKernels } from "./javascript.js";
import { type Plan, planOf } from "./plan.js";
import { placeOfLine, unsupported } from "./unsupported.js";
import { webAssemblyKernels } from "./webassembly.js";
import { Workspace } from "./workspace.js";

/** Takes the options of the compiler; `webAssembly: false` also makes the interpreter compute in JavaScript. */
export type AstInterpreterOptions = AstCompilerOptions;

const OUTPUT = "result";
/** The NaN of PTX, which represents NaNs in a column of numbers. */

/**
 * Runs AST PTX programs on the CPU, bit for bit as PTX ISA 9.0 defines them; where PTX only approximates, the result is
 * the nearest f32. The same program and inputs give the same bits on every machine.
 */
export class AstInterpreter {
  readonly #compiler: AstCompiler;
  /** Copied when the interpreter is made, like those of a compiler. */
  readonly #routines: readonly Uint32Array[];
  readonly #workspace: Workspace;
  /** The words of the last program, and the plan made for them. */
  #words = new Uint32Array(0);
  #inputs: readonly string[] = [];
  #plan: Plan | undefined;
  readonly #row = new Float32Array(1);
  readonly #rowBits = new Uint32Array(this.#row.buffer);

  /** @throws AstPtxError INVALID_ARGUMENT when an option is unknown or of the wrong kind */
  constructor(table: AstTable, options: AstInterpreterOptions = {}) {
    this.#compiler = new AstCompiler(table, options);
    this.#routines = (options.routines ?? []).map(({ words }) => words.slice());
    this.#workspace = workspaceFor(options.webAssembly ?? true);
  }

  /**
   * The backend that computes: WebAssembly, or JavaScript where a content security policy or the engine does not allow
   * it.
   */
  get backend(): "webassembly" | "javascript" {
    return this.#workspace.kernels.backend;
  }

  /**
   * Computes the value of a program, given one number for each input, which is rounded to f32.
   * @throws AstPtxError like `AstCompiler.compile`, and UNSUPPORTED_INSTRUCTION for an instruction that the interpreter
   * does not know
   */
  evaluate(program: AstProgram, inputs: readonly number[]): number {
    if (!Array.isArray(inputs)) throw invalid("`inputs` as an array of numbers", inputs);
    const values: readonly number[] = Array.from(inputs);
    for (const value of values) {
      if (typeof value !== "number") throw invalid("`inputs` as an array of numbers", value);
    }
    const row = this.#row;
    const rowBits = this.#rowBits;
    const workspace = this.#workspace;
    const plan = this.#planFor(program, values.length);
    workspace.load(plan);
    plan.columns.forEach((input, column) => {
      row[0] = values[input]!;
      if (Number.isNaN(row[0])) rowBits[0] = NAN_32;
      workspace.fill(column, row, 0, 1);
    });
    workspace.run(1);
    workspace.read(row, 0, 1);
    return row[0]!;
  }

  /**
   * Computes the values of a program for each row of columns of equal length, one column for each input.
   *
   * @param output receives the values; it has the same length and may be one of the columns. By default it is a new
   * array
   * @returns the output
   * @throws AstPtxError like `evaluate`, and INVALID_ARGUMENT when lengths differ or nothing gives the number of rows
   */
  evaluateColumns(
    program: AstProgram,
    columns: readonly Float32Array[],
    output?: Float32Array,
  ): Float32Array {
    if (!Array.isArray(columns)) throw invalid("`columns` as an array of Float32Array", columns);
    const taken: readonly Float32Array[] = Array.from(columns);
    const rows = checkColumns(taken, output);
    const plan = this.#planFor(program, taken.length);
    const target = output === undefined || overlaps(taken, output) ? new Float32Array(rows) : output;
    const workspace = this.#workspace;
    workspace.load(plan);
    for (let start = 0; start < rows; start += workspace.rows) {
      const count = Math.min(workspace.rows, rows - start);
      plan.columns.forEach((input, column) => {
        workspace.fill(column, taken[input]!, start, count);
      });
      workspace.run(count);
      workspace.read(target, start, count);
    }
    if (output === undefined || output === target) return target;
    output.set(target);
    return output;
  }

  /** Makes a new plan unless the program is the last one. */
  #planFor(program: AstProgram, inputCount: number): Plan {
    checkProgram(program, "an AstProgram");
    const words = this.#words;
    const plan = this.#plan;
    if (plan !== undefined && inputCount === this.#inputs.length && equal(words, program.words)) return plan;
    this.#plan = undefined;
    if (inputCount !== this.#inputs.length) {
      this.#inputs = Array.from({ length: inputCount }, (_, index) => String(index));
    }
    const stub = this.#compiler.compile(program, { inputs: this.#inputs, output: OUTPUT });
    this.#words = program.words.slice();
    this.#plan = planOf(stub, (ptx, args, line) => {
      const operation = operationOf(ptx);
      if (operation?.args === args) return operation;
      throw unsupported(ptx, args, placeOfLine(line, program, this.#routines));
    });
    return this.#plan;
  }
}

/** The workspaces of this thread, with and without WebAssembly. */
const workspaces = new Map<boolean, Workspace>();

function workspaceFor(webAssembly: boolean): Workspace {
  const found = workspaces.get(webAssembly);
  if (found !== undefined) return found;
  const made = new Workspace(() => (webAssembly ? webAssemblyKernels() : undefined) ?? javaScriptKernels());
  workspaces.set(webAssembly, made);
  return made;
}

/** Returns the number of rows. @throws AstPtxError INVALID_ARGUMENT */
function checkColumns(columns: readonly Float32Array[], output: Float32Array | undefined): number {
  const all: readonly Float32Array[] = output === undefined ? columns : [...columns, output];
  for (const column of all) {
    if (!(column instanceof Float32Array)) throw invalid("a column as a Float32Array", column);
  }
  const [first] = all;
  if (first === undefined) {
    throw new AstPtxError(
      "INVALID_ARGUMENT",
      "expected a column or an output, which say how many rows there are",
    );
  }
  const odd = all.findIndex(({ length }) => length !== first.length);
  if (odd >= 0) {
    const which = odd < columns.length ? `column ${odd}` : "the output";
    throw new AstPtxError(
      "INVALID_ARGUMENT",
      `expected ${counted(first.length, "row")} as in the first column, found ${all[odd]!.length} in ${which}`,
    );
  }
  return first.length;
}

/** Whether writing some rows of the output changes later rows of a column. */
function overlaps(columns: readonly Float32Array[], output: Float32Array): boolean {
  return columns.some(
    (column) =>
      column.buffer === output.buffer &&
      column.byteOffset !== output.byteOffset &&
      column.byteOffset < output.byteOffset + output.byteLength &&
      output.byteOffset < column.byteOffset + column.byteLength,
  );
}

function equal(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
