// The entry `@mm-ptx/types/command`: the command line as a value, for programs that combine several command lines. The
// build compiles it with `cli/`, because it needs the framework.
import type { Command } from "commander";
import { UsageError, usageFailure } from "./cli/framework.js";
import { failureOf } from "./cli/problems.js";
import { buildProgram } from "./cli/program.js";
import type { CommandFailure, CommandOutcome } from "./internal/index.js";

export type { CommandColors, CommandFailure, CommandOutcome } from "./internal/index.js";

/**
 * The command `mm-ptx-types` with its subcommands, to be run by itself or as a subcommand of another one.
 *
 * @param done receives the outcome of a command
 */
export const typesCommand = (done: (outcome: CommandOutcome) => void): Command => buildProgram(done);

/** How to report an error of the command; `undefined` for errors that are bugs. */
export const typesFailure = (error: unknown): CommandFailure | undefined =>
  error instanceof UsageError ? usageFailure(error) : failureOf(error);
