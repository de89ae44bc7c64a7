// Reports errors that end a command.

import { MmPtxError } from "@mm-ptx/types/core";
import { describeError } from "@mm-ptx/types/internal";
import { type Failure, printable, failureOf as usualFailure } from "./framework.js";

/** How an error is reported; options that are wrong can only come from the command line. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof MmPtxError) || error.code !== "INVALID_ARGUMENT") return usualFailure(error);
  const message = describeError(error).replace(
    /^option `(\w+)`/,
    (_, name: string) => `option \`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}\``,
  );
  return {
    code: 2,
    json: { code: error.code, message },
    text: ({ red }) => `${red("error")}: ${printable(message)}`,
  };
}
