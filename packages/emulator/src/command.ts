// The entry `@mm-ptx/emulator/command`: the command line as a value, for programs that combine several command lines.
import type { CommandFailure, CommandOutcome } from "@mm-ptx/types/internal";
import type { Command } from "commander";
import { UsageError, usageFailure } from "./cli/framework.js";
import { failureOf } from "./cli/problems.js";
import { buildProgram } from "./cli/program.js";

export type { CommandColors, CommandFailure, CommandOutcome } from "@mm-ptx/types/internal";

/**
 * The command `mm-ptx-emulate` with its subcommands, to be run by itself or as a subcommand of another one.
 *
 * @param done receives the outcome of a command
 */
export const emulatorCommand = (done: (outcome: CommandOutcome) => void): Command => buildProgram(done);

/** How to report an error of the command; `undefined` for errors that are bugs. */
export const emulatorFailure = (error: unknown): CommandFailure | undefined =>
  error instanceof UsageError ? usageFailure(error) : failureOf(error);
