// Evaluates programs: their straight-line code runs on a machine of @mm-ptx/columns.
import { type CodeMachine, ColumnsError, type InputColumn, machineOf } from "@mm-ptx/columns/machine";
import { CodeBuffer, codeType, encodeOperation, operandsOf } from "@mm-ptx/types/code";
import type { AstTable } from "@mm-ptx/types/core";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { checkProgram, invalid } from "../checks.js";
import { AstCompiler } from "../compiler.js";
import { AstPtxError, counted, type InstructionPlace } from "../error.js";
import { operationOf } from "../float32.js";
import type { AstCompilerOptions } from "../job.js";
import { Packed } from "../layout.js";
import type { AstProgram } from "../program.js";
import { placeOfLine, unsupported } from "./unsupported.js";

/** Takes the options of the compiler; `webAssembly: false` also makes the interpreter compute in JavaScript. */
export type AstInterpreterOptions = AstCompilerOptions;

const OUTPUT = "result";
/** The NaN of PTX, which represents NaNs in a column of numbers. */
const CANONICAL_NAN = 0x7fffffff;

/** The types of an input. */
const F32 = 1 << codeType("f32");

/**
 * Runs AST PTX programs on the CPU, bit for bit as PTX ISA 9.0 defines them; where PTX only approximates, the result is
 * the nearest f32. The same program and inputs give the same bits on every machine.
 */
export class AstInterpreter {
  readonly #compiler: AstCompiler;
  readonly #webAssembly: boolean;
  /** Copied when the interpreter is made, like those of a compiler. */
  readonly #routines: readonly Uint32Array[];
  /** The operations of the table's instructions that have one but are not interpreted. */
  readonly #refused: ReadonlySet<number>;
  /** The words of the last program, and its code. */
  #words = new Uint32Array(0);
  #inputs: readonly string[] = [];
  readonly #code = new CodeBuffer();
  readonly #row = new Float32Array(1);
  readonly #rowBits = new Uint32Array(this.#row.buffer);

  /** @throws AstPtxError INVALID_ARGUMENT when an option is unknown or of the wrong kind */
  constructor(table: AstTable, options: AstInterpreterOptions = {}) {
    this.#compiler = new AstCompiler(table, options);
    this.#routines = (options.routines ?? []).map(({ words }) => words.slice());
    this.#webAssembly = options.webAssembly ?? true;
    const others = table.instructions.filter(({ ptx, args }) => operationOf(ptx)?.args !== args);
    this.#refused = new Set(
      others.map(({ ptx, args }) => encodeOperation(ptx, args)).filter((word) => word !== 0),
    );
  }

  /**
   * The backend that computes: WebAssembly, or JavaScript where a content security policy or the engine does not allow
   * it.
   */
  get backend(): "webassembly" | "javascript" {
    return machineOf(this.#webAssembly).backend;
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
    const code = this.#codeFor(program, values.length);
    const columns = values.map((value) => {
      row[0] = value;
      if (Number.isNaN(row[0])) rowBits[0] = CANONICAL_NAN;
      return inputOf(row.slice());
    });
    this.#compute(code, columns, 1, row);
    return row[0]!;
  }

  /**
   * Computes the values of a program for each row of columns of equal length, one column for each input.
   *
   * @param output receives the values; it has the same length and may be one of the columns. By default it is a new
   * array
   * @returns the output
   * @throws AstPtxError like `evaluate`, and INVALID_ARGUMENT when lengths differ or nothing determines the number of
   * rows
   */
  evaluateColumns(
    program: AstProgram,
    columns: readonly Float32Array[],
    output?: Float32Array,
  ): Float32Array {
    if (!Array.isArray(columns)) throw invalid("`columns` as an array of Float32Array", columns);
    const taken: readonly Float32Array[] = Array.from(columns);
    const rows = checkColumns(taken, output);
    const code = this.#codeFor(program, taken.length);
    const target = output === undefined || overlaps(taken, output) ? new Float32Array(rows) : output;
    this.#compute(code, taken.map(inputOf), rows, target);
    if (output === undefined || output === target) return target;
    output.set(target);
    return output;
  }

  /** Computes the rows of the target. */
  #compute(code: Uint32Array, columns: readonly InputColumn[], rows: number, target: Float32Array): void {
    const machine: CodeMachine = machineOf(this.#webAssembly);
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    if (rows === 0) return;
    try {
      machine.compute(code, { columns, rows }, bytes);
    } catch (error) {
      if (!(error instanceof ColumnsError) || error.code !== "INSUFFICIENT_BUFFER") throw error;
      throw new AstPtxError("INSUFFICIENT_BUFFER", error.message);
    }
  }

  /** Makes a new code unless the program is the last one. */
  #codeFor(program: AstProgram, inputCount: number): Uint32Array {
    checkProgram(program, "an AstProgram");
    const code = this.#code;
    const isLast =
      code.count === 1 && inputCount === this.#inputs.length && equal(this.#words, program.words);
    if (isLast) return code.words;
    code.clear();
    if (inputCount !== this.#inputs.length) {
      this.#inputs = Array.from({ length: inputCount }, (_, index) => String(index));
    }
    try {
      this.#compiler.compileToCode(program, { inputs: this.#inputs, output: OUTPUT }, code);
    } catch (error) {
      if (!(error instanceof AstPtxError) || error.code !== "UNSUPPORTED_INSTRUCTION") throw error;
      throw this.#unsupportedAt(error.place!, program);
    }
    const line = this.#refused.size === 0 ? -1 : firstLineWith(this.#refused, code.words);
    if (line >= 0) {
      code.clear();
      throw this.#unsupportedAt(placeOfLine(line, program, this.#routines), program);
    }
    this.#words = program.words.slice();
    return code.words;
  }

  /** The error for the instruction at a place. */
  #unsupportedAt(place: InstructionPlace, { words }: AstProgram): AstPtxError {
    const code = place.routine === undefined ? words : this.#routines[place.routine]!;
    const index = code[place.instruction * Packed.wordsPerInstruction + 1]!;
    const { ptx, args } = this.#compiler.table.instructions[index]!;
    return unsupported(ptx, args, place);
  }
}

/** The number of instructions before the first one with one of these operations, or -1. */
function firstLineWith(operations: ReadonlySet<number>, code: Uint32Array): number {
  let line = 0;
  const items = code[CodeWord.itemCount]!;
  for (let item = 0, at: number = CodeWord.header; item < items; item++) {
    const word = code[at]!;
    if (operations.has(word)) return line;
    if ((word & OperationField.nameMask) > CodeName.constant) line++;
    at += 1 + operandsOf(word);
  }
  return -1;
}

/** A column as machines take it. */
const inputOf = ({ buffer, byteOffset, byteLength }: Float32Array): InputColumn => ({
  bytes: new Uint8Array(buffer, byteOffset, byteLength),
  isDouble: false,
  types: F32,
});

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
