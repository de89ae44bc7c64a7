// The compiler: one pass over the program, then the lines around what it has written.
import type { AstTable } from "@mm-ptx/types/core";
import { checkBytes, checkJob, checkOptions, checkTable } from "./checks.js";
import { Run, type Written } from "./compile/run.js";
import { latin1 } from "./compile/string.js";
import { Tables } from "./compile/tables.js";
import { AstPtxError } from "./error.js";
import { checkName, InputNames } from "./inputs.js";
import { InstructionType, Packed } from "./layout.js";
import { type AstLimits, resolveLimits } from "./limits.js";
import type { AstProgram } from "./program.js";

/** What a compiler may be given besides its table. */
export interface AstCompilerOptions {
  /** Programs that routine instructions run, by index. */
  readonly routines?: readonly AstProgram[];
  /** Limits to change, or `"reference"` for those of mm-ptx 1.1.1. */
  readonly limits?: Partial<AstLimits> | "reference";
  /** `false` keeps the hot loop in JavaScript, which it is anyway where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
}

/** The registers of one compile, without the leading `%`. */
export interface AstCompileJob {
  /** What input instructions name by index. */
  readonly inputs: readonly string[];
  /** The register that the program's value is moved to. */
  readonly output: string;
}

/**
 * Compiles AST PTX programs to PTX stubs.
 *
 * A compiler keeps its memory between compiles and holds no state of them: the same program and job give the same text.
 */
export class AstCompiler {
  readonly table: AstTable;
  readonly limits: AstLimits;
  private readonly inputs = new InputNames();
  private readonly run: Run;
  private output = "";

  /** @throws AstPtxError INVALID_VALUE when an option is unknown or of the wrong kind */
  constructor(table: AstTable, options: AstCompilerOptions = {}) {
    checkTable(table);
    checkOptions(options);
    const { routines = [], limits, webAssembly = true } = options;
    this.table = table;
    this.limits = resolveLimits(limits);
    const tables = new Tables(table, routines.map(untilReturn), this.limits.maxArgs);
    this.run = new Run(tables, this.inputs, this.limits, webAssembly);
  }

  /**
   * The stub as a flat string: `{`, the declaration, instructions, the copy to the output, `}`; no newline at the end.
   * @throws AstPtxError with the code and the instruction that cannot be compiled
   */
  compile(program: AstProgram, job: AstCompileJob): string {
    const { bytes, start, end } = this.write(program, job);
    return latin1(bytes, start, end);
  }

  /**
   * Writes the stub as ASCII bytes at the start of `bytes`; nothing is allocated for each instruction.
   * @returns the number of bytes written
   * @throws AstPtxError as `compile`, and INSUFFICIENT_BUFFER when it does not fit: nothing is written then
   */
  compileInto(program: AstProgram, job: AstCompileJob, bytes: Uint8Array): number {
    checkBytes(bytes);
    const stub = this.write(program, job);
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

  private write(program: AstProgram, job: AstCompileJob): Written {
    checkJob(program, job);
    // All that is the caller's is read before the arena is in use, which other compilers share.
    const { inputs, output } = job;
    if (output !== this.output) {
      checkName(output);
      this.output = output;
    }
    this.inputs.load(inputs);
    return this.run.run(program.words, output);
  }
}

/** A copy of a routine's words before its first return: nothing behind it ever runs, and routines mean what they meant. */
function untilReturn({ words }: AstProgram): Uint32Array {
  let end = 0;
  while (end < words.length && (words[end]! & Packed.typeMask) !== InstructionType.ret) {
    end += Packed.wordsPerInstruction;
  }
  return words.slice(0, end);
}
