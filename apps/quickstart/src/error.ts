// The failures that the application itself reports; those of the packages keep their own codes.

import { MmPtxError } from "@mm-ptx/types/core";

export type QuickstartErrorCode =
  /** The command line is wrong; exit code 2. */
  | "USAGE"
  /** The output folder cannot be created or written. */
  | "OUTPUT_FOLDER"
  /** The result cannot be written to stdout; the files of the run are complete. */
  | "STDOUT"
  /** The kernel's PTX cannot be read, or lacks the site that programs are injected into. */
  | "KERNEL"
  /** The device that programs should run on is not there. */
  | "RUN"
  /** The farm of `--farm` could not be started. */
  | "FARM"
  /** A program contains an instruction that the reference does not know. */
  | "REFERENCE";

/** A failure of the application that one sentence explains. */
export class QuickstartError extends MmPtxError<QuickstartErrorCode> {
  override readonly name: string = "QuickstartError";
  /** No document lists them. */
  override get help(): undefined {
    return undefined;
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Puts a message with a list onto one line. */
export function inOneLine(message: string): string {
  const [first = "", ...rest] = message.split("\n").map((line) => line.trim().replace(/^- /, ""));
  return rest.length === 0 ? first : `${first} ${rest.join("; ")}`;
}

/** The code of one of our errors or of a Node error (`ENOENT`), otherwise the class name. */
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
