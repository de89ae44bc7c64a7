// Error output: problems of the PTX start with file and line, in the format that editors parse.

import { MmPtxError } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { LaunchFault } from "../run/launch-fault.js";
import { type Failure, FileError, printable, shownName } from "./framework.js";

/** A problem of the PTX file or a failure of its kernel. */
export class FileProblem extends Error {
  constructor(
    readonly file: string,
    readonly error: EmulatorError,
  ) {
    super(error.message);
  }

  /** Returns the result of `make`; its errors become errors about the file. */
  static of<T>(file: string, make: () => T): T {
    try {
      return make();
    } catch (error) {
      throw error instanceof EmulatorError ? new FileProblem(file, error) : error;
    }
  }

  static async ofAsync<T>(file: string, make: () => Promise<T>): Promise<T> {
    try {
      return await make();
    } catch (error) {
      throw error instanceof EmulatorError ? new FileProblem(file, error) : error;
    }
  }
}

export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof FileProblem) return problemFailure(error);
  if (error instanceof FileError) return failure("FILE", error.message);
  if (error instanceof MmPtxError) return failure(error.code, error.message);
  return undefined;
}

function failure(code: string, message: string): Failure {
  return { code: 1, json: { code, message }, text: ({ red }) => `${red("error")}: ${printable(message)}` };
}

/** Converts addresses to a form that JSON can represent. */
function inJson(fault: LaunchFault): object {
  const text = JSON.stringify(fault, (_, value) =>
    typeof value === "bigint" ? `0x${value.toString(16)}` : value,
  );
  return JSON.parse(text);
}

function problemFailure({ file, error }: FileProblem): Failure {
  const { code, message, problems, fault } = error;
  const name = shownName(file);
  return {
    code: 1,
    json: {
      code,
      message,
      file: name,
      ...(problems.length === 0 ? {} : { problems: problems.map(({ span: _, ...problem }) => problem) }),
      ...(fault === undefined ? {} : inJson(fault)),
    },
    text: ({ red, bold }) => {
      // Lines of a filled kernel are those of the text that it makes, so where they were written is shown instead.
      const placed = /^line (\d+), column (\d+)(?: \((.*?line \d+)\))?/gm;
      const words = printable(message);
      return placed.test(words)
        ? words.replace(placed, (_, line: string, column: string, written?: string) => {
            const file = written === undefined ? `${name}:${line}:${column}` : name;
            return `${bold(printable(file))}: ${red("error")}${written === undefined ? "" : `: ${written}`}`;
          })
        : `${bold(printable(name))}: ${red("error")}: ${words}`;
    },
  };
}
