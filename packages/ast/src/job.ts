// The arguments of a compiler: its options, and the registers of one compile.
import type { AstLimits } from "./limits.js";
import type { AstProgram } from "./program.js";

/** Options of a compiler. */
export interface AstCompilerOptions {
  /** The programs that routine instructions run, by index. */
  readonly routines?: readonly AstProgram[];
  /** Limits to change, or `"reference"` for those of mm-ptx 1.1.1. */
  readonly limits?: Partial<AstLimits> | "reference";
  /** `false` keeps the hot loop in JavaScript, which is also the fallback where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
}

/** The registers of one compile, without the leading `%`. */
export interface AstCompileJob {
  /** The registers that input instructions refer to by index. */
  readonly inputs: readonly string[];
  /** The register that the program's value is moved to. */
  readonly output: string;
}
