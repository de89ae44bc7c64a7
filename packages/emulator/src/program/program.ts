// A checked module, which the front end hands to the interpreter and to the translator: all names are resolved, all
// types are known, and both engines can run every instruction. It is plain data, frozen after the check.
import type { Span } from "@mm-ptx/types/core";
import type { Operand, VariableReference } from "./operand.js";
import type { Operation } from "./operation.js";
import type { Problem } from "./problem.js";
import type { PtxType } from "./types.js";

/** A module that can run. */
export interface Program {
  /** The text that it was read from. Spans are offsets into it. */
  readonly text: string;
  /** For a program that was linked from several texts, where each of them begins in `text`. */
  readonly starts?: readonly number[];
  /** The version as written: `9.0`. */
  readonly version: string;
  /** The target as written: `sm_90a`. */
  readonly target: string;
  /** Kernels and device functions, in source order. */
  readonly functions: readonly ProgramFunction[];
  /** Variables of the module: `.global` and `.const` ones, and `.shared` ones from inside and outside of functions. */
  readonly variables: readonly ProgramVariable[];
  /**
   * Valid PTX that this emulator does not support, in functions (see `ProgramFunction.unsupported`) and among the
   * variables of the module. Only launches of kernels that reach it fail.
   */
  readonly notes: readonly Problem[];
}

/** The state space of a variable. */
export type ProgramSpace = "global" | "const" | "shared" | "local" | "param";

/** A variable with its place in memory. */
export interface ProgramVariable {
  readonly name: string;
  readonly nameSpan: Span;
  readonly space: ProgramSpace;
  /** The type of an element; undefined for opaque types. */
  readonly type: PtxType | undefined;
  /**
   * Size in bytes; 0 for `extern .shared` arrays without a length, whose memory is the launch's dynamic shared memory.
   */
  readonly bytes: number;
  readonly align: number;
  /**
   * Its offset in the local frame of its function for `local` and `param`. 0 for the other spaces, which
   * `ProgramFunction.shared` and the loader place.
   */
  readonly offset: number;
  /** Whether it is `.extern`. */
  readonly extern: boolean;
  /** Its first bytes, followed by zeros; undefined when it has no initial value. */
  readonly initial: Uint8Array | undefined;
  /** Addresses that are written into its bytes when the module is loaded. */
  readonly relocations: readonly Relocation[];
}

/** An address in an initial value. */
export interface Relocation {
  /** Offset of the address in bytes. */
  readonly at: number;
  /** Size in bytes: 4 or 8. */
  readonly size: number;
  readonly target: VariableReference | { readonly kind: "function"; readonly function: number };
  /** Added to the address. */
  readonly addend: number;
  /** Whether it was written `generic(name)`: a generic address instead of one in the variable's own space. */
  readonly generic: boolean;
}

/** A register of a function. Ranges are expanded to single registers. */
export interface ProgramRegister {
  /** The name as written: `%r12`. */
  readonly name: string;
  /** The declared type. */
  readonly type: PtxType;
}

/** A kernel or a device function with a body. */
export interface ProgramFunction {
  /**
   * The parts that this emulator does not support; empty for functions that can run. The others have no instructions,
   * and a kernel that reaches one cannot be launched.
   */
  readonly unsupported: readonly Problem[];
  readonly kind: "entry" | "func";
  readonly name: string;
  readonly nameSpan: Span;
  /** From its first directive to its closing brace. */
  readonly span: Span;
  /** The registers of all scopes that are used. */
  readonly registers: readonly ProgramRegister[];
  /**
   * Its `.local` and `.param` variables, including those of inner scopes. A `.func` begins with its results, then its
   * parameters. An `.entry` begins with its parameters, whose offsets are those in the kernel's parameter block.
   */
  readonly variables: readonly ProgramVariable[];
  /**
   * Indices into `variables`. A device function may have results and parameters in registers: see `registerResults`.
   */
  readonly results: readonly number[];
  /** Indices into `variables`. */
  readonly parameters: readonly number[];
  /**
   * Results of a `.func` that are declared `.reg`, as indices into `registers`; if there are any, `results` is empty.
   */
  readonly registerResults: readonly number[];
  /**
   * Parameters of a `.func` that are declared `.reg`, as indices into `registers`; if there are any, `parameters` is
   * empty.
   */
  readonly registerParameters: readonly number[];
  /** Size of its kernel parameters in bytes; 0 for a `.func`. */
  readonly parameterBytes: number;
  /** Local memory that one call takes, in bytes: a multiple of 16. A kernel's parameters are not included. */
  readonly frameBytes: number;
  /** For an `.entry`, the shared variables that it and everything it may call use, each with its offset. */
  readonly shared: readonly SharedPlacement[];
  /**
   * Size of `shared` in bytes. Dynamic shared memory begins here, aligned to 16 bytes or to the strictest alignment of
   * a variable.
   */
  readonly sharedBytes: number;
  readonly instructions: readonly Instruction[];
  /** Functions that it calls by name, as unique indices into `Program.functions`. */
  readonly calls: readonly number[];
  /** The directives `.maxntid`, `.reqntid`, `.minnctapersm` and so on: each name with its dot, and its values. */
  readonly directives: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** The place of a shared variable in a kernel's shared memory. */
export interface SharedPlacement {
  /** Index into `Program.variables`. */
  readonly variable: number;
  readonly offset: number;
}

/** A checked instruction. */
export interface Instruction {
  /**
   * The decoded opcode. All instructions of the program with the same opcode and kinds of operands share this object.
   */
  readonly operation: Operation;
  /** Operands in the manual's order, results first. Absent operands are sinks, or are omitted at the end. */
  readonly operands: readonly Operand[];
  /** The predicate under which the instruction runs. */
  readonly guard: { readonly register: number; readonly negated: boolean } | undefined;
  /** The callee and arguments of a `call`. */
  readonly call: Call | undefined;
  /** The targets of a `brx.idx`, as indices into `instructions`. */
  readonly branchTargets: readonly number[] | undefined;
  /** The span without the semicolon. */
  readonly span: Span;
}

/** A call. Its arguments and results are registers or `.param` variables of the caller, or immediates. */
export interface Call {
  /**
   * A function of the program, a built-in function by name (`vprintf` or `malloc`, as src/built-ins lists them), or a register
   * that holds an address.
   */
  readonly callee:
    | { readonly kind: "function"; readonly function: number }
    | { readonly kind: "builtin"; readonly name: string }
    | {
        readonly kind: "register";
        readonly register: number;
        readonly targets: readonly number[] | undefined;
      };
  readonly results: readonly Operand[];
  readonly args: readonly Operand[];
}
