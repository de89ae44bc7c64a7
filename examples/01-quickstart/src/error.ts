// The failures that the example itself raises; those of the packages pass through with their own codes.

import { MmPtxError } from "@mm-ptx/types/core";

export type QuickstartErrorCode =
  /** The command line is wrong; exit code 2. */
  | "USAGE"
  /** The output folder can't be made or written. */
  | "OUTPUT_FOLDER"
  /** The result can't be written to stdout; the files of the run are whole. */
  | "STDOUT"
  /** The kernel's PTX can't be read, or has not the site that the example fills. */
  | "KERNEL"
  /** What shall run programs is not there. */
  | "RUN"
  /** A program has an instruction that the reference does not know. */
  | "REFERENCE";

/** A failure of the example that one sentence explains. */
export class QuickstartError extends MmPtxError<QuickstartErrorCode> {}

/** The text of any thrown value, in one line when it is an error that says so itself. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A message that lists things below each other, as one line. */
export function inOneLine(message: string): string {
  const [first = "", ...rest] = message.split("\n").map((line) => line.trim().replace(/^- /, ""));
  return rest.length === 0 ? first : `${first} ${rest.join("; ")}`;
}

/** The code of an error of ours or of Node (`ENOENT`), or its class name. */
export function codeOf(error: unknown): string {
  if (error !== null && typeof error === "object" && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.name : "UNKNOWN";
}

/** Why something could not be written, in words. */
export function writeProblem(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EACCES":
    case "EPERM":
      return "no permission to write there";
    case "ENOTDIR":
    case "EEXIST":
      return "a file of that name is in the way";
    case "ENOENT":
      return "no folder can be made there";
    case "ENAMETOOLONG":
      return "the name is too long";
    case "EROFS":
      return "the file system is read-only";
    case "ENOSPC":
      return "the disk is full";
    default:
      return messageOf(error);
  }
}
