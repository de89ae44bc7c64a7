// The error for a wrong command line.
import { commandHelp } from "./help.js";

/** The command line is wrong; the exit code is 2. */
export class UsageError extends Error {
  readonly help = commandHelp("USAGE");
}
