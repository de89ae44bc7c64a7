// Error output: problems of the PTX start with file and line, in the format that editors parse.

import { describeLine, MmPtxError } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { LaunchFault, TextPlace } from "../run/launch-fault.js";
import { placeWords } from "../source/words.js";
import { type Failure, FileError, printable, shownName } from "./framework.js";
import { placeWord, sourceView } from "./source-view.js";

/** A problem of the PTX file or a failure of its kernel. */
export class FileProblem extends Error {
  constructor(
    readonly file: string,
    readonly error: EmulatorError,
  ) {
    super(error.message);
  }

  get help(): string | undefined {
    return this.error.help;
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

/** A message about a place in CUDA source: what was found, the lines of the source, and the line of the PTX. */
function sourceWords(message: string, place: TextPlace, file: string, name: string): string[] {
  const words = message.slice(`${placeWords(place)}: `.length).split("\n");
  const [ptx, carets] = words.splice(-2) as [string, string];
  const written =
    place.source === undefined
      ? `${name}:${place.line}:${place.column}`
      : `${name}: ${describeLine(place.source)}`;
  return [words.join("\n"), ...sourceView(place.frames, file), written, ptx, carets];
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
      const { place } = fault ?? {};
      if (place !== undefined && place.frames.length > 0) {
        const [words = "", ...view] = sourceWords(message, place, file, name);
        return [
          `${bold(printable(placeWord(place.frames[0]!)))}: ${red("error")}: ${printable(words)}`,
          ...view.map(printable),
        ].join("\n");
      }
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
