// The entry `@mm-ptx/search/command`: the command line as a value, for programs that combine several ones.
import type { Command } from "commander";
import type pc from "picocolors";
import { failureOf, UsageError, usageFailure } from "./cli/framework.js";
import { buildProgram } from "./cli/program.js";

/** The colours of a terminal, those of `picocolors`. */
export type Colors = ReturnType<typeof pc.createColors>;

/** What a command has done; only the form that is asked for is made. */
export interface CommandOutcome {
  /** Whether the exit code is 0 rather than 1. */
  readonly ok: boolean;
  /** What `--json` prints. */
  readonly json: () => unknown;
  /** Text for stderr, in addition to the other text. */
  readonly complaints?: (colors: Colors) => string;
  /** What goes to stdout. */
  readonly text: (colors: Colors) => string | Uint8Array;
}

/** How an error that ended a command is reported. */
export interface CommandFailure {
  /** The exit code. */
  readonly code: number;
  /** What `--json` prints. */
  readonly json: object;
  /** Text for stderr. */
  readonly text: (colors: Colors) => string;
}

/**
 * The command `mm-ptx-search` with its subcommands, to be run by itself or as a subcommand of another one.
 *
 * @param done receives the outcome of a command
 */
export const searchCommand = (done: (outcome: CommandOutcome) => void): Command => buildProgram(done);

/** How to report an error of the command; `undefined` for errors that are bugs. */
export const searchFailure = (error: unknown): CommandFailure | undefined =>
  error instanceof UsageError ? usageFailure(error) : failureOf(error);
