// The options of a compiler and the jobs that it takes.
import type { CompileInputs } from "./inputs.js";
import type { StackLimits } from "./limits.js";
import type { StackProgram } from "./program.js";

/**
 * `parallel`: requests keep their values whatever the order of the copies, and a request on a stack whose register type
 * is not a type of `mov` is rejected. `sequential`: the text of mm-ptx 1.1.1.
 */
export type RequestCopies = "parallel" | "sequential";

/** Options of a compiler. */
export interface StackCompilerOptions {
  /** The programs that routine instructions run, by index. */
  readonly routines?: readonly StackProgram[];
  /** Limits to change, or `"reference"` for those of mm-ptx 1.1.1. */
  readonly limits?: Partial<StackLimits> | "reference";
  /** How the final copies to the requested registers are written. The default is `parallel`. */
  readonly requestCopies?: RequestCopies;
  /** `false` keeps the hot loops in JavaScript, which is also the fallback where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
}

/** The registers that one compile reads and writes, and its execution limit. */
export interface StackCompileJob extends CompileInputs {
  /** Indices of the registers that the stub writes; each gets the next value of its stack. */
  readonly requests: ArrayLike<number>;
  /** The number of instructions after which a program is stopped. The default is 2^24. */
  readonly executionLimit?: number;
}
