// The output of the main command: one line per file and the problems, or one JSON value.

import type { Position, Span } from "@mm-ptx/types/core";
import type { CudaInjection } from "../annotated-cuda.js";
import { positioned } from "../cuda/problems.js";
import type { FileResult, Round } from "./annotate.js";
import { type Colors, type Outcome, printable, STANDARD } from "./framework.js";
import { problemText } from "./problems.js";

/** Colours for states that need attention, and for those that changed nothing. */
const COLORS: Readonly<Record<FileResult["state"], "dim" | "green" | "red">> = {
  failed: "red",
  fresh: "dim",
  missing: "red",
  printed: "green",
  stale: "red",
  unchanged: "dim",
  written: "green",
};

/** @param quiet whether only problems are printed */
export function summaryOf({ ok, files }: Round, quiet: boolean): Outcome {
  return {
    ok,
    help: files.flatMap(({ problems }) => problems).find(({ severity }) => severity === "error")?.help,
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

/** `written out/scale.cu`; for inputs that failed, the problems are enough. */
export function lineOf({ state, output }: FileResult, colors: Colors): string {
  if (state === "failed" || output === STANDARD) return "";
  return `${colors[COLORS[state]](state)} ${printable(output)}\n`;
}

export function roundJson({ ok, files }: Pick<Round, "files" | "ok">): object {
  return {
    ok,
    files: files.map(({ input, output, state, injections, text, problems, printed }) => ({
      input,
      output,
      state,
      injections: injectionsJson(injections, text),
      problems,
      ...(printed === undefined ? {} : { text: Buffer.from(printed).toString() }),
    })),
  };
}

/** Injections with lines and columns instead of offsets. */
function injectionsJson(injections: readonly CudaInjection[], text: string): object[] {
  const spans = injections.flatMap(({ span, operands }) => [
    span,
    ...operands.map((operand) => operand.span),
  ]);
  const positions = positionsOf(spans, text);
  return injections.map(({ name, names, span, operands }) => ({
    name,
    names,
    ...positions.get(span),
    operands: operands.map(({ span: place, ...operand }) => ({ ...operand, ...positions.get(place) })),
  }));
}

/** All positions, found in a single walk over the text. */
function positionsOf(spans: readonly Span[], text: string): ReadonlyMap<Span, Position> {
  const places = positioned(
    text,
    spans.map((span) => ({ span })),
  );
  return new Map(places.map(({ span, line, column }) => [span, { line, column }]));
}
