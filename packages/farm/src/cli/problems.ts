// Reports errors that end a command.

import { FarmError } from "../error.js";
import { type Failure, failureOf as usualFailure } from "./framework.js";

/** How an error is reported; options that are wrong can only come from the command line. */
export function failureOf(error: unknown): Failure | undefined {
  const failure = usualFailure(error);
  return failure !== undefined && error instanceof FarmError && error.code === "INVALID_ARGUMENT"
    ? { ...failure, code: 2 }
    : failure;
}
