// The errors of this package. Codes are a closed union: programs switch over them, so a new one is a change of the API.

import type { SourceLine } from "@mm-ptx/types/core";
import { documentAddress } from "@mm-ptx/types/internal";
import type { FarmInfo } from "./ptx/farm-info.js";
import { ToolError, type ToolErrorDetails } from "./tool-error.js";

/**
 * The failures of a compile.
 *
 * - `SYNTAX`: the text is not PTX.
 * - `SEMANTIC`: an instruction, type, name or directive is wrong.
 * - `UNSUPPORTED_VERSION`: the `.version` is newer than the compiler.
 * - `VERSION_TOO_LOW`: the `.version` is older than an instruction or the `.target` requires.
 * - `TARGET_TOO_LOW`: the PTX requires a different or a later architecture than the one to compile for.
 * - `RESOURCE`: a kernel requires more shared memory, parameters or registers than the architecture has.
 * - `UNRESOLVED`: a function or variable that is declared `.extern` is not defined.
 * - `INVALID_ARGUMENT`: the PTX can't be passed to the compiler (it is not text, is empty, is not ASCII, or has a NUL
 * byte before its end or a token over 64 KB), jobs can't be iterated, or an option does not exist or has an invalid value.
 * - `OUT_OF_MEMORY`: the compiler ran out of memory.
 * - `CRASHED`: the compiler's process died.
 * - `INTERNAL`: the compiler failed without a reason, or no thread could be started.
 * - `TIMEOUT`, `ABORTED`, `DISPOSED`: the time limit was exceeded, the signal was aborted, the compiler was disposed.
 * - `UNAVAILABLE`: nothing on this machine can compile PTX (`what` is `backend`), `confine` is `required` and workers can't
 * be confined here (`what` is `confinement`), `arch` is `native` without a GPU
 * or its driver (`what` is `driver`), or no worker of a farm can be reached and this machine may not compile (`what` is
 * `farm`).
 * - `CACHE`: entries of a cache can't be read or deleted when it is cleared or verified; no compile fails with it.
 */
export type PtxCompileErrorCode =
  | "SYNTAX"
  | "SEMANTIC"
  | "UNSUPPORTED_VERSION"
  | "VERSION_TOO_LOW"
  | "TARGET_TOO_LOW"
  | "RESOURCE"
  | "UNRESOLVED"
  | "INVALID_ARGUMENT"
  | "OUT_OF_MEMORY"
  | "CRASHED"
  | "INTERNAL"
  | "TIMEOUT"
  | "ABORTED"
  | "DISPOSED"
  | "UNAVAILABLE"
  | "CACHE";

/** A line of the CUDA source, taken from PTX that was compiled with `-lineinfo`. */
export interface CudaLine {
  /** The path that nvcc recorded. */
  readonly file: string;
  readonly line: number;
  /** 0 if nvcc recorded no column. */
  readonly column: number;
}

/** A message of the compiler. */
export interface Diagnostic {
  readonly severity: "fatal" | "error" | "warning";
  /** Counted from 1; absent if the compiler names no line. */
  readonly line?: number;
  /** The column of the text that the message quotes, counted from 1; absent if it is not found or ambiguous. */
  readonly column?: number;
  /** For a filled kernel or a pack: where that line was written. */
  readonly origin?: SourceLine;
  /**
   * The CUDA line that it was compiled from, if the PTX has `.loc` and `.file`; for a stub's line, the line of its
   * site.
   */
  readonly cuda?: CudaLine;
  readonly message: string;
}

/** The details of an error besides its message. */
export interface PtxCompileErrorDetails extends ToolErrorDetails<Diagnostic> {
  readonly hint?: string | undefined;
  /** The anchor of the hint in `docs/hints.md`. */
  readonly hintName?: string | undefined;
  readonly options?: object;
  readonly ptx?: string | Uint8Array;
}

/** A failure of compiling PTX. */
export class PtxCompileError extends ToolError<PtxCompileErrorCode, Diagnostic> {
  override readonly name: string = "PtxCompileError";
  /** A remedy, for known causes; it is also the last line of the message. `docs/hints.md` lists all of them. */
  readonly hint: string | undefined;
  /** The options of the compile, if there were any. */
  readonly options: object | undefined;
  /** The PTX that crashed the compiler, for a report; only with code `CRASHED`. */
  readonly ptx: string | Uint8Array | undefined;
  /** How the job travelled through a farm; only if a worker of one has answered with this failure. */
  readonly farm: FarmInfo | undefined;
  readonly #hintName: string | undefined;

  constructor(code: PtxCompileErrorCode, message: string, details: PtxCompileErrorDetails = {}) {
    super(code, message, details);
    this.hint = details.hint;
    this.options = details.options;
    this.ptx = details.ptx;
    this.#hintName = details.hintName;
  }

  /** The address of the page that explains `hint`, or `code` if there is no hint. */
  override get help(): string | undefined {
    return this.#hintName === undefined ? super.help : documentAddress("hints", this.#hintName);
  }
}
