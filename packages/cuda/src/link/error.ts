// The errors of linking. Codes are a closed union: programs switch over them, so a new one is a change of the API.

import { ToolError, type ToolErrorDetails } from "../tool-error.js";

/**
 * What went wrong with a link.
 *
 * - `UNRESOLVED`: a function or variable is used and defined in no input.
 * - `DUPLICATE`: a function or variable is defined in two inputs.
 * - `COMPILATION`: an input of PTX or LTO-IR does not compile.
 * - `ARCH_MISMATCH`: a cubin is for another architecture.
 * - `UNSUPPORTED_ARCH`: the linker is of another time than the architecture.
 * - `REFUSED_INPUT`: an input is not what it is said to be, or there is none.
 * - `MEMORY`: the link needs more memory than it may have.
 * - `CRASHED`: the linker's process died.
 * - `INTERNAL`: the linker failed and did not say why, or could not be started.
 * - `TIMEOUT`, `ABORTED`, `DISPOSED`: the time was over, the signal was raised, the linker was disposed.
 * - `INVALID_OPTION`: an option that does not exist, has no such value, or does not go with the inputs.
 * - `LIBRARY_MISSING`: nvJitLink was not found.
 */
export type LinkErrorCode =
  | "UNRESOLVED"
  | "DUPLICATE"
  | "COMPILATION"
  | "ARCH_MISMATCH"
  | "UNSUPPORTED_ARCH"
  | "REFUSED_INPUT"
  | "MEMORY"
  | "CRASHED"
  | "INTERNAL"
  | "TIMEOUT"
  | "ABORTED"
  | "DISPOSED"
  | "INVALID_OPTION"
  | "LIBRARY_MISSING";

/** One message of the linker. */
export interface LinkDiagnostic {
  readonly severity: "fatal" | "error" | "warning";
  /** Of PTX, counted from 1; which input it is about, the linker does not say. */
  readonly line?: number;
  readonly message: string;
}

/** What an error knows besides its message. */
export interface LinkErrorDetails extends ToolErrorDetails<LinkDiagnostic> {
  /** The input that it is about. */
  readonly input?: string;
}

/** Every failure of linking. */
export class LinkError extends ToolError<LinkErrorCode, LinkDiagnostic> {
  /** The name of the input that it is about, where the linker says so. */
  readonly input: string | undefined;

  constructor(code: LinkErrorCode, message: string, details: LinkErrorDetails = {}) {
    super(code, message, details);
    this.input = details.input;
  }
}
