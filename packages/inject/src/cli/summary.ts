// What the main command tells of a round: one line a file and the problems, or one JSON value.
import { type Colors, type Outcome, printable } from "@mm-ptx/types/cli";
import type { FileResult, Round } from "./annotate.js";
import { STANDARD } from "./files.js";
import { problemText } from "./problems.js";

/** States that a reader has to do something about, and those that changed nothing. */
const COLORS: Readonly<Record<FileResult["state"], "dim" | "green" | "red">> = {
  failed: "red",
  fresh: "dim",
  missing: "red",
  printed: "green",
  stale: "red",
  unchanged: "dim",
  written: "green",
};

/** @param quiet whether only problems are told */
export function summaryOf({ ok, files }: Round, quiet: boolean): Outcome {
  return {
    ok,
    json: () => roundJson({ ok, files }),
    complaints: (colors) => complaintsOf(files, colors),
    text: (colors) => {
      const printed = files.find((file) => file.printed !== undefined)?.printed;
      if (printed !== undefined) return printed;
      return quiet ? "" : files.map((file) => lineOf(file, colors)).join("");
    },
  };
}

export function complaintsOf(files: readonly FileResult[], colors: Colors): string {
  return files.flatMap(({ problems }) => problems.map((problem) => problemText(problem, colors))).join("");
}

/** `written out/scale.cu`; of inputs that failed the problems say enough. */
export function lineOf({ state, output }: FileResult, colors: Colors): string {
  if (state === "failed" || output === STANDARD) return "";
  return `${colors[COLORS[state]](state)} ${printable(output)}\n`;
}

export function roundJson({ ok, files }: Pick<Round, "files" | "ok">): object {
  return {
    ok,
    files: files.map(({ printed, ...file }) => ({
      ...file,
      ...(printed === undefined ? {} : { text: Buffer.from(printed).toString() }),
    })),
  };
}
