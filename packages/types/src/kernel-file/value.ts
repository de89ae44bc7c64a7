// What a kernel file holds: plain values that packages turn into their objects.
import type { AstTable, InjectTypes, StackTable } from "../core/table.js";

/** Limits by name, or those of mm-ptx 1.1.1. Infinity is no limit. */
export type KernelFileLimits = Readonly<Record<string, number>> | "reference";

/** A kernel, and everything needed to compile programs for its sites. */
export interface KernelFile {
  /** PTX with markers. */
  readonly ptx: string;
  /** The architecture to compile for, such as `sm_90`. */
  readonly arch?: string;
  /** The types that sites of mm-ptx 0.x name: whole, or their fingerprint. */
  readonly types?: InjectTypes | string;
  /** The prefix of the registers at sites of 0.x: the option `registerPrefix` of `parsePtx`. */
  readonly registerPrefix?: string;
  readonly stack?: StackPart;
  readonly ast?: AstPart;
}

/** Programs of Stack PTX. */
export interface StackPart {
  /** The table, whole or as its fingerprint. */
  readonly table: StackTable | string;
  /** The limits of the compiler. */
  readonly limits?: KernelFileLimits;
  readonly requestCopies?: "parallel" | "sequential";
  /** The words of the programs that routine instructions run, by index. */
  readonly routines?: readonly Uint32Array[];
  readonly jobs: readonly StackSiteJob[];
}

/** Programs of Stack PTX for a site, and the job of their compiles. */
export interface StackSiteJob {
  /** The name of the injection. */
  readonly site: string;
  readonly job: {
    readonly registers: readonly { readonly name: string; readonly stackIndex: number }[];
    /** The registers that stubs write, as indices into `registers`. */
    readonly requests: readonly number[];
    readonly executionLimit?: number;
  };
  /** The words of each program. */
  readonly programs: readonly Uint32Array[];
}

/** Programs of AST PTX. */
export interface AstPart {
  /** The table, whole or as its fingerprint. */
  readonly table: AstTable | string;
  /** The limits of the compiler. */
  readonly limits?: KernelFileLimits;
  /** The words of the programs that routine instructions run, by index. */
  readonly routines?: readonly Uint32Array[];
  readonly jobs: readonly AstSiteJob[];
}

/** Programs of AST PTX for a site, and the job of their compiles. */
export interface AstSiteJob {
  /** The name of the injection. */
  readonly site: string;
  readonly job: {
    readonly inputs: readonly string[];
    readonly output: string;
  };
  /** The words of each program. */
  readonly programs: readonly Uint32Array[];
}
