// The common part of compile and link errors: the messages and the log of NVIDIA's tool.

import { MmPtxError } from "@mm-ptx/types/core";

/** What this machine lacks if an error has the code `UNAVAILABLE`. */
export type Unavailable = "backend" | "confinement" | "driver" | "farm" | "library" | "tool";

/** The details of such an error besides its message. */
export interface ToolErrorDetails<Diagnostic> {
  readonly diagnostics?: readonly Diagnostic[];
  readonly log?: string;
  readonly what?: Unavailable;
  readonly confined?: string | undefined;
  readonly cause?: unknown;
}

/** A failure that a compiler or a linker may have reported. */
export abstract class ToolError<Code extends string, Diagnostic> extends MmPtxError<Code> {
  /** All messages: of PTX in line order, with those without a line last; of CUDA and of links in the tool's order. */
  readonly diagnostics: readonly Diagnostic[];
  /** The tool's whole output, unchanged; empty if the tool did not run. */
  readonly log: string;
  /** What this machine lacks; only with code `UNAVAILABLE`. */
  readonly what: Unavailable | undefined;
  /** `SIGSYS` if the tool's confinement ended it at a system call that it does not need; only with code `CRASHED`. */
  readonly confined: string | undefined;

  constructor(
    code: Code,
    message: string,
    { diagnostics = [], log = "", what, confined, cause }: ToolErrorDetails<Diagnostic> = {},
  ) {
    super(code, message, cause === undefined ? undefined : { cause });
    this.diagnostics = diagnostics;
    this.log = log;
    this.what = what;
    this.confined = confined;
  }
}
