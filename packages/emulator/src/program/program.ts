// A checked module: what the front end hands to the interpreter and to the translator. All names are resolved, all types are
// known, every instruction is one that both can run. Plain and frozen after the check.
import type { Span } from "@mm-ptx/types/core";
import type { Operand, VariableReference } from "./operand.js";
import type { PtxType } from "./types.js";

/** A module that can run. */
export interface Program {
  /** The text that it was read from; spans are offsets into it. */
  readonly text: string;
  /** As written: `9.0`. */
  readonly version: string;
  /** As written: `sm_90a`. */
  readonly target: string;
  /** Kernels and device functions, in source order. */
  readonly functions: readonly ProgramFunction[];
  /** Variables of the module: `.global`, `.const`, and `.shared` ones that stand outside or inside of functions. */
  readonly variables: readonly ProgramVariable[];
}

/** Where a variable of a program lives. */
export type ProgramSpace = "global" | "const" | "shared" | "local" | "param";

/** A variable with its place in memory. */
export interface ProgramVariable {
  readonly name: string;
  readonly nameSpan: Span;
  readonly space: ProgramSpace;
  /** Of an element; undefined for opaque ones. */
  readonly type: PtxType | undefined;
  /** In bytes; 0 for `extern .shared` arrays without a length, whose memory is the launch's dynamic shared memory. */
  readonly size: number;
  readonly align: number;
  /**
   * Its place: in the local frame of its function for `local` and `param`. 0 for the others, which `ProgramFunction.shared`
   * and the loader place.
   */
  readonly offset: number;
  /** Whether it is `.extern`. */
  readonly extern: boolean;
  /** Its first bytes, the rest is 0; undefined when it has no initial value. */
  readonly bytes: Uint8Array | undefined;
  /** Addresses that are written into its bytes when the module is loaded. */
  readonly relocations: readonly Relocation[];
}

/** An address in an initial value. */
export interface Relocation {
  /** Where it stands, in bytes. */
  readonly at: number;
  /** In bytes: 4 or 8. */
  readonly size: number;
  readonly target: VariableReference | { readonly kind: "function"; readonly function: number };
  /** Added to the address. */
  readonly addend: number;
  /** Whether it was written `generic(name)`: the address in the generic space, not in the variable's own. */
  readonly generic: boolean;
}

/** A register of a function. Ranges are registers one by one. */
export interface ProgramRegister {
  /** As written: `%r12`. */
  readonly name: string;
  /** As declared. */
  readonly type: PtxType;
}

/** A kernel or a device function with a body. */
export interface ProgramFunction {
  readonly kind: "entry" | "func";
  readonly name: string;
  readonly nameSpan: Span;
  /** From its first directive to its closing brace. */
  readonly span: Span;
  /** Registers of all scopes that something uses. */
  readonly registers: readonly ProgramRegister[];
  /**
   * Its `.local` and `.param` variables, those of inner scopes too. For a `.func` the results come first, then the parameters;
   * for an `.entry` the parameters, whose offsets are those of the kernel's parameter block.
   */
  readonly variables: readonly ProgramVariable[];
  /** Indices into `variables`. A device function may have results and parameters in registers: see `registerResults`. */
  readonly results: readonly number[];
  /** Indices into `variables`. */
  readonly params: readonly number[];
  /** Results of a `.func` that are declared `.reg`, as indices into `registers`. Then `results` is empty. */
  readonly registerResults: readonly number[];
  /** Parameters of a `.func` that are declared `.reg`, as indices into `registers`. Then `params` is empty. */
  readonly registerParams: readonly number[];
  /** Bytes of its kernel parameters; 0 for a `.func`. */
  readonly paramBytes: number;
  /** Bytes of local memory that one call takes, a multiple of 16. A kernel's parameters are not in it. */
  readonly frameBytes: number;
  /** For an `.entry`: the shared variables that it and all it may call use, each with its offset. */
  readonly shared: readonly SharedPlacement[];
  /** Bytes of `shared`; dynamic shared memory begins here, aligned to 16 or more where a variable asks for it. */
  readonly sharedBytes: number;
  readonly instructions: readonly Instruction[];
  /** Functions that it calls by name, as indices into `Program.functions`, without repeats. */
  readonly calls: readonly number[];
  /** What `.maxntid`, `.reqntid`, `.minnctapersm`, … say: name with its dot, and values. */
  readonly directives: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** Where a kernel has a shared variable. */
export interface SharedPlacement {
  /** Index into `Program.variables`. */
  readonly variable: number;
  readonly offset: number;
}

/** A checked instruction. */
export interface Instruction {
  /** The mnemonic without modifiers: `add`, `cvt`, `bar`. */
  readonly name: string;
  /** As written, modifiers included. */
  readonly opcode: string;
  /** What the slots of its row of the instruction table hold, for example `{ rnd: "rn", ftz: "ftz" }`. Absent ones are not there. */
  readonly modifiers: Readonly<Record<string, string>>;
  /** Its type suffixes in the order in which they are written: one for `add`, result and source for `cvt`, four for `mma`. */
  readonly types: readonly PtxType[];
  /** In the manual's order, results first. Absent ones are sinks where others follow, and not there at the end. */
  readonly operands: readonly Operand[];
  /** For each operand the type in which it is read or written; of its elements for a vector. Undefined for labels and the like. */
  readonly operandTypes: readonly (PtxType | undefined)[];
  /** How many of the first operands are results. */
  readonly results: number;
  /** Runs where this predicate holds, or where it does not. */
  readonly guard: { readonly register: number; readonly negated: boolean } | undefined;
  /** Of a `call`. */
  readonly call: Call | undefined;
  /** Of a `brx.idx`: indices into `instructions`. */
  readonly branchTargets: readonly number[] | undefined;
  /** Without its semicolon. */
  readonly span: Span;
}

/** What a `call` calls, and with what. Arguments and results are registers or `.param` variables of the caller, or immediates. */
export interface Call {
  /** A function of the program, a built-in one by name (`vprintf`, `malloc`, `free`, `__assertfail`), or a register with its address. */
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
