// Reports errors. Those about a file begin with its name, and with the line where that is known.
import { MmPtxError } from "@mm-ptx/types/core";
import { describeError, type CommandFailure as Failure, quoted } from "@mm-ptx/types/internal";
import { type CommandCode, commandHelp } from "./help.js";
import { printable } from "./terminal.js";
import { FileError, reasonOf } from "./whole-files.js";

/** A path, or a `file:` URL. */
export type FilePath = string | URL;

/** A problem in a file that ends a command. */
export class FileProblem extends Error {
  readonly code: string;
  readonly help: string | undefined;

  constructor(
    readonly file: string,
    found: CommandCode | MmPtxError,
    message: string,
    /** The line and the column, counted from 1. */
    readonly place: readonly number[] = [],
  ) {
    super(message);
    [this.code, this.help] =
      typeof found === "string" ? [found, commandHelp(found)] : [found.code, found.help];
  }
}

/** A signal ended the command; what was done is written. */
export class Interruption extends Error {
  readonly help = commandHelp("INTERRUPTED");

  constructor(
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** An option of the command line is wrong, which a package found; the exit code is 2. */
export class OptionProblem extends Error {
  readonly code: string;
  readonly help: string | undefined;

  constructor(found: MmPtxError) {
    const flag = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    super(describeError(found).replace(/^option `(\w+)`/, (_, name: string) => `option \`${flag(name)}\``));
    [this.code, this.help] = [found.code, found.help];
  }
}

/** @returns a problem of the command line if an option is wrong, otherwise the error itself */
export const optionProblemOf = (error: unknown): unknown =>
  error instanceof MmPtxError && error.code === "INVALID_ARGUMENT" ? new OptionProblem(error) : error;

/** A path as the user wrote it, or that of a URL. */
export const shown = (path: FilePath): string => (path instanceof URL ? decodeURI(path.pathname) : path);

/** Returns the result of `make`; its errors become problems of a file. */
export async function ofFile<T>(path: FilePath, make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw problemOf(path, error);
  }
}

/** @returns a problem of the file, or the error itself if it is a bug or a problem of another file */
export function problemOf(path: FilePath, error: unknown): unknown {
  if (!(error instanceof MmPtxError)) return error;
  return new FileProblem(shown(path), error, describeError(error));
}

/** How errors that end a command are reported. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof FileProblem) {
    const { file, code, message, place } = error;
    const [line, column] = place;
    return {
      code: 1,
      json: {
        code,
        message,
        file,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      },
      text: ({ bold, red }) =>
        `${bold(printable([file, ...place].join(":")))}: ${red("error")}: ${printable(message)}`,
    };
  }
  if (error instanceof OptionProblem) return failure(2, error.code, error.message);
  if (error instanceof Interruption) return failure(error.exitCode, "INTERRUPTED", error.message);
  if (error instanceof FileError) return failure(1, "FILE", error.message);
  if (error instanceof MmPtxError) return failure(1, error.code, describeError(error));
  return undefined;
}

/** An error of the operating system that nothing else explains, such as that of a folder that cannot be made. */
export function systemError(error: unknown): FileError | undefined {
  const { syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (!(error instanceof Error) || syscall === undefined) return undefined;
  const found = path === undefined ? `one that fails (${syscall})` : quoted(path);
  return new FileError(`expected a file or a folder to use, found ${found}: ${reasonOf(error)}`);
}

const failure = (code: number, name: string, message: string): Failure => ({
  code,
  json: { code: name, message },
  text: ({ red }) => `${red("error")}: ${printable(message)}`,
});
