// What the errors of compiling and linking share: the messages of NVIDIA's tool, and all that it said.

import { MmPtxError } from "@mm-ptx/types/core";

/** What such an error knows besides its message. */
export interface ToolErrorDetails<Diagnostic> {
  readonly diagnostics?: readonly Diagnostic[];
  readonly log?: string;
  readonly cause?: unknown;
}

/** A failure of which a compiler or a linker may have told. */
export abstract class ToolError<Code extends string, Diagnostic> extends MmPtxError<Code> {
  /** All messages: of PTX in line order, those without a line last; of CUDA and of links in the tool's order. */
  readonly diagnostics: readonly Diagnostic[];
  /** All that the tool said, unchanged; empty when it was not asked. */
  readonly log: string;

  constructor(
    code: Code,
    message: string,
    { diagnostics = [], log = "", cause }: ToolErrorDetails<Diagnostic> = {},
  ) {
    super(code, message, cause === undefined ? undefined : { cause });
    this.diagnostics = diagnostics;
    this.log = log;
  }
}
