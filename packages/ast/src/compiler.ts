// The compiler: one pass over the program, and then the lines around what it has written.
import { CodeBuffer, describeCode } from "@mm-ptx/types/code";
import type { AstTable } from "@mm-ptx/types/core";
import { completeLimits } from "@mm-ptx/types/internal";
import { checkBytes, checkCompilerOptions, checkFeatures, checkJob, checkTable } from "./checks.js";
import { CodeWriter } from "./compile/code.js";
import { Run, type Written } from "./compile/run.js";
import { latin1 } from "./compile/string.js";
import { Tables } from "./compile/tables.js";
import { AstPtxError } from "./error.js";
import { checkName, InputNames } from "./inputs.js";
import type { AstCompileJob, AstCompilerOptions } from "./job.js";
import { InstructionType, Packed } from "./layout.js";
import { type AstLimits, DEFAULT_LIMITS, REFERENCE_LIMITS } from "./limits.js";
import type { AstProgram } from "./program.js";

/**
 * Compiles AST PTX programs to PTX stubs.
 *
 * A compiler reuses its memory but keeps no state between compiles: the same program and job always give the same text.
 */
export class AstCompiler {
  readonly table: AstTable;
  readonly limits: AstLimits;
  readonly #inputs = new InputNames();
  readonly #run: Run;
  readonly #routines: readonly Uint32Array[];
  /** Made for the first code. */
  #codes: CodeWriter | undefined;
  /** Holds the code of one program; made for the first description. */
  #described: CodeBuffer | undefined;
  #output = "";

  /** @throws AstPtxError INVALID_ARGUMENT when an option is unknown or of the wrong kind */
  constructor(table: AstTable, options: AstCompilerOptions = {}) {
    checkTable(table);
    checkCompilerOptions(options);
    const { routines = [], limits, webAssembly = true } = options;
    this.table = table;
    this.limits = completeLimits(limits, DEFAULT_LIMITS, REFERENCE_LIMITS);
    this.#routines = routines.map(untilReturn);
    const tables = new Tables(table, this.#routines, this.limits.maxArgs);
    this.#run = new Run(tables, this.#inputs, this.limits, webAssembly);
  }

  /**
   * Compiles a program to a stub, as a flat string: `{`, the declaration, instructions, the copy to the output, `}`,
   * without a newline at the end.
   * @throws AstPtxError with the code and place of an instruction that cannot be compiled
   */
  compile(program: AstProgram, job: AstCompileJob): string {
    const { bytes, start, end } = this.#write(program, job);
    return latin1(bytes, start, end);
  }

  /**
   * Compiles a program to a stub and writes it as ASCII bytes at the start of `bytes`. Nothing is allocated per
   * instruction.
   * @returns the number of bytes written
   * @throws AstPtxError like `compile`, and INSUFFICIENT_BUFFER when the stub does not fit; nothing is written in that
   * case
   */
  compileInto(program: AstProgram, job: AstCompileJob, bytes: Uint8Array): number {
    checkBytes(bytes);
    const stub = this.#write(program, job);
    const length = stub.end - stub.start;
    if (length > bytes.length) {
      throw new AstPtxError(
        "INSUFFICIENT_BUFFER",
        `expected room for ${length} bytes, found ${bytes.length}`,
      );
    }
    bytes.set(stub.bytes.subarray(stub.start, stub.end));
    return length;
  }

  /**
   * Appends the straight-line code of a program: what its stub would compute, without printing it. Inputs are numbered
   * like those of the job, constants are items in the order in which the program runs them, and the only output is the
   * program's value.
   * @throws AstPtxError like `compile`, and UNSUPPORTED_INSTRUCTION for an instruction that straight-line code
   * cannot express; nothing is appended in that case
   */
  compileToCode(program: AstProgram, job: AstCompileJob, out: CodeBuffer): void {
    const output = this.#load(program, job);
    this.#codes ??= new CodeWriter(this.table, this.#routines, this.limits);
    if (this.#codes.write(program.words, this.#inputs.names.length, out)) return;
    const { unsupported } = this.#codes;
    // A program that does not compile has the error that the compiler throws.
    this.#run.run(program.words, output);
    const { ptx, place } = unsupported!;
    throw new AstPtxError("UNSUPPORTED_INSTRUCTION", `\`${ptx}\` has no operation on columns`, place);
  }

  /**
   * Writes the features of the stub, for models that predict its cost: the numbers that `CODE_FEATURES` of
   * `@mm-ptx/types/code` names, such as its instructions by kind and the registers that are in use at a time. It takes
   * a little longer than `compileToCode`.
   * @param features receives `CODE_FEATURES.length` numbers
   * @throws AstPtxError like `compileToCode`, and INVALID_ARGUMENT when `features` is too short; nothing is written in these cases
   */
  describeInto(program: AstProgram, job: AstCompileJob, features: Float32Array): void {
    checkFeatures(features);
    this.#described ??= new CodeBuffer();
    this.#described.clear();
    this.compileToCode(program, job, this.#described);
    describeCode(this.#described.room, 0, features);
  }

  #write(program: AstProgram, job: AstCompileJob): Written {
    const output = this.#load(program, job);
    return this.#run.run(program.words, output);
  }

  /**
   * Reads everything that belongs to the caller before the arena is used, because other compilers share the arena.
   * @returns the name of the output
   */
  #load(program: AstProgram, job: AstCompileJob): string {
    checkJob(program, job);
    const { inputs, output } = job;
    if (output !== this.#output) {
      checkName(output);
      this.#output = output;
    }
    this.#inputs.load(inputs);
    return output;
  }
}

/** Copies a routine's words up to its first return. Nothing after it ever runs, and a copy cannot be changed later. */
function untilReturn({ words }: AstProgram): Uint32Array {
  let end = 0;
  while (end < words.length && (words[end]! & Packed.typeMask) !== InstructionType.ret) {
    end += Packed.wordsPerInstruction;
  }
  return words.slice(0, end);
}
