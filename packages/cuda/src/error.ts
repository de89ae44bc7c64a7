// The errors of this package. Codes are a closed union: programs switch over them, so a new one is a change of the API.

import type { SourceLine } from "@mm-ptx/types/core";
import { ToolError, type ToolErrorDetails } from "./tool-error.js";

/**
 * What went wrong with a compile.
 *
 * - `SYNTAX`: the text is not PTX.
 * - `SEMANTIC`: an instruction, type, name or directive is wrong.
 * - `UNSUPPORTED_VERSION`: the `.version` is newer than the compiler.
 * - `VERSION_TOO_LOW`: the `.version` is older than what an instruction or the `.target` needs.
 * - `TARGET_TOO_LOW`: the PTX needs another or a later architecture than asked for.
 * - `RESOURCE`: a kernel needs more shared memory, parameters or registers than the architecture has.
 * - `UNRESOLVED`: a function or variable that is declared `.extern` is nowhere.
 * - `REFUSED_INPUT`: not given to the compiler: empty, not ASCII, a NUL byte, a token over 64 KB, no text at all; jobs that
 *   cannot be iterated.
 * - `MEMORY`: the compiler ran out of memory.
 * - `CRASHED`: the compiler's process died.
 * - `INTERNAL`: the compiler failed and did not say why, or no thread could be started.
 * - `TIMEOUT`, `ABORTED`, `DISPOSED`: the time was over, the signal was raised, the compiler was disposed.
 * - `INVALID_OPTION`: an option that does not exist or has no such value.
 * - `BACKEND_MISSING`: nothing on this machine can compile PTX.
 * - `CACHE`: entries of a cache that is cleared or verified cannot be read or removed; no compile fails with it.
 */
export type PtxCompileErrorCode =
  | "SYNTAX"
  | "SEMANTIC"
  | "UNSUPPORTED_VERSION"
  | "VERSION_TOO_LOW"
  | "TARGET_TOO_LOW"
  | "RESOURCE"
  | "UNRESOLVED"
  | "REFUSED_INPUT"
  | "MEMORY"
  | "CRASHED"
  | "INTERNAL"
  | "TIMEOUT"
  | "ABORTED"
  | "DISPOSED"
  | "INVALID_OPTION"
  | "BACKEND_MISSING"
  | "CACHE";

/** A line of the CUDA source, as PTX that was compiled with `-lineinfo` names it. */
export interface CudaLine {
  /** The path that nvcc wrote down. */
  readonly file: string;
  readonly line: number;
  /** 0 when nvcc did not say. */
  readonly column: number;
}

/** One message of the compiler. */
export interface Diagnostic {
  readonly severity: "fatal" | "error" | "warning";
  /** Counted from 1; absent when the compiler names none. */
  readonly line?: number;
  /** Counted from 1, of what the message quotes; absent where that is not found, or not for sure. */
  readonly column?: number;
  /** Of a job with a template: where that line was written. */
  readonly origin?: SourceLine;
  /** What that line was made of, when the PTX has `.loc` and `.file`; for a stub's line, the line of its site. */
  readonly cuda?: CudaLine;
  readonly message: string;
}

/** What an error knows besides its message. */
export interface PtxCompileErrorDetails extends ToolErrorDetails<Diagnostic> {
  readonly hint?: string | undefined;
  readonly options?: object;
  readonly ptx?: string | Uint8Array;
}

/** Every failure of this package. */
export class PtxCompileError extends ToolError<PtxCompileErrorCode, Diagnostic> {
  /** What helps, for causes that are known; the last line of the message says it too. `docs/hints.md` lists them. */
  readonly hint: string | undefined;
  /** The options of the compile, where there were any. */
  readonly options: object | undefined;
  /** The PTX that the compiler died of, for a report; only with code `CRASHED`. */
  readonly ptx: string | Uint8Array | undefined;

  constructor(code: PtxCompileErrorCode, message: string, details: PtxCompileErrorDetails = {}) {
    super(code, message, details);
    this.hint = details.hint;
    this.options = details.options;
    this.ptx = details.ptx;
  }
}
