// Where the documents explain an error: library errors know it, and the codes that only commands report have a table there.
import { errorHelp } from "@mm-ptx/types/internal";

/** The codes that commands report besides those of the packages. */
export const COMMAND_CODES = [
  "CONFIG_FAILED",
  "FILE",
  "FILE_FORMAT",
  "INTERRUPTED",
  "INVALID_ARGUMENT",
  "NO_CONFIG",
  "UNAVAILABLE",
  "USAGE",
] as const;

export type CommandCode = (typeof COMMAND_CODES)[number];

/** Where a code of commands is explained. */
export const commandHelp = (code: CommandCode): string => errorHelp("Command lines", code);

/** Where an error is explained; `undefined` if it does not know. Packages have copies of this framework. */
export const helpOf = (error: unknown): string | undefined =>
  (error as { readonly help?: string } | undefined)?.help;
