// Reports errors that end a command.

import { type Failure, optionProblemOf, failureOf as usualFailure } from "./framework.js";

/** How an error is reported; options that are wrong can only come from the command line. */
export const failureOf = (error: unknown): Failure | undefined => usualFailure(optionProblemOf(error));
