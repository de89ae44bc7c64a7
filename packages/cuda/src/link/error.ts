// The errors of linking. Codes are a closed union: programs switch over them, so a new one is a change of the API.

import type { SourceLine } from "@mm-ptx/types/core";
import { ToolError, type ToolErrorDetails } from "../tool-error.js";

/**
 * The failures of a link.
 *
 * - `UNRESOLVED`: a function or variable is used but not defined in any input.
 * - `DUPLICATE`: a function or variable is defined in two inputs.
 * - `COMPILATION`: an input of PTX or LTO-IR does not compile.
 * - `ARCH_MISMATCH`: a cubin is for another architecture.
 * - `UNSUPPORTED_ARCH`: the linker is too old or too new for the architecture.
 * - `INVALID_ARGUMENT`: there are no inputs, an input is not of the stated kind, or an option does not exist, has an
 * invalid value, or does not fit the inputs.
 * - `OUT_OF_MEMORY`: the link exceeded its memory limit.
 * - `CRASHED`: the linker's process died.
 * - `INTERNAL`: the linker failed without a reason, or could not be started.
 * - `TIMEOUT`, `ABORTED`, `DISPOSED`: the time limit was exceeded, the signal was aborted, the linker was disposed.
 * - `UNAVAILABLE`: nvJitLink was not found (`what` is `library`), or `arch` is `native` without a GPU or its driver
 * (`what` is `driver`).
 */
export type LinkErrorCode =
  | "UNRESOLVED"
  | "DUPLICATE"
  | "COMPILATION"
  | "ARCH_MISMATCH"
  | "UNSUPPORTED_ARCH"
  | "INVALID_ARGUMENT"
  | "OUT_OF_MEMORY"
  | "CRASHED"
  | "INTERNAL"
  | "TIMEOUT"
  | "ABORTED"
  | "DISPOSED"
  | "UNAVAILABLE";

/** A message of the linker. */
export interface LinkDiagnostic {
  readonly severity: "fatal" | "error" | "warning";
  /** The line of the PTX, counted from 1; the linker does not say which input it belongs to. */
  readonly line?: number;
  /** For a filled kernel or a pack: where that line was written. */
  readonly origin?: SourceLine;
  readonly message: string;
}

/** The details of an error besides its message. */
export interface LinkErrorDetails extends ToolErrorDetails<LinkDiagnostic> {
  /** The name of the input at fault. */
  readonly input?: string;
}

/** A failure of linking. */
export class LinkError extends ToolError<LinkErrorCode, LinkDiagnostic> {
  override readonly name: string = "LinkError";
  /** The name of the input at fault, if the linker reports it. */
  readonly input: string | undefined;

  constructor(code: LinkErrorCode, message: string, details: LinkErrorDetails = {}) {
    super(code, message, details);
    this.input = details.input;
  }
}
