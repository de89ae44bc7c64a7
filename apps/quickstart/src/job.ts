// A program on its way through the stages.

import type { StackProgram } from "@mm-ptx/stack";
import type { RunRecord } from "./records.js";

export interface Job {
  readonly index: number;
  readonly source: StackProgram;
  /** The program in hexadecimal. */
  readonly program: string;
  readonly stub: string;
  /** What came of running it; empty if it was not run. */
  ran: RunRecord;
  /** The bits of its results; undefined if it was not run, or leaves them open. */
  results?: Uint32Array;
}
