// Where a message of the compiler belongs: the column, the stub or kernel line of a template, the line of the CUDA source.

import { locateLine, type SourceMap, sourceMap } from "@mm-ptx/types/core";
import type { Diagnostic } from "../error.js";
import { CudaLines } from "./cuda-lines.js";
import type { Source } from "./job.js";

/** Adds to messages in line order what their lines tell; `ptx` is the text of `source`. */
export function locateDiagnostics(
  diagnostics: readonly Diagnostic[],
  source: Source,
  ptx: string,
): readonly Diagnostic[] {
  if (!diagnostics.some(({ line }) => line !== undefined)) return diagnostics;
  const map = mapOf(source);
  const cudaLines = new CudaLines(ptx);
  let line = 1;
  let start = 0;
  return diagnostics.map((diagnostic) => {
    if (diagnostic.line === undefined) return diagnostic;
    for (; line < diagnostic.line && start < ptx.length; line++) start = endOfLine(ptx, start) + 1;
    const end = endOfLine(ptx, start);
    const column = columnOf(diagnostic.message, ptx.slice(start, end));
    const origin = map && locateLine(map, diagnostic.line);
    const cuda = cudaLines.at(end);
    return {
      severity: diagnostic.severity,
      line: diagnostic.line,
      ...(column === undefined ? {} : { column }),
      ...(origin === undefined ? {} : { origin }),
      ...(cuda === undefined ? {} : { cuda }),
      message: diagnostic.message,
    };
  });
}

/** Where the lines of a template's rendering come from; other texts are what somebody wrote. */
export function mapOf(source: Source): SourceMap | undefined {
  const isText = typeof source === "string" || source instanceof Uint8Array;
  return isText ? undefined : sourceMap(source.template, source.stubs);
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

/** A symbol that a message quotes; one message has it without quotes. */
const QUOTED = /^Unsupported \.version ([\d.]+)|'([^']{1,200})'/g;
const NAME_PART = /[\w$%]/;

/**
 * Where the first thing that a message quotes stands in its line, counted from 1. In a line of several statements only what
 * stands there once is found.
 */
export function columnOf(message: string, line: string): number | undefined {
  const several = line.indexOf(";") !== line.lastIndexOf(";");
  for (const [, version, quoted] of message.matchAll(QUOTED)) {
    const symbol = version ?? quoted!;
    // Of `tanh.bf16` for `tanh.approx.bf16` the beginning is there.
    for (const part of [symbol, symbol.slice(0, symbol.indexOf(".", 1))]) {
      const at = wordAt(line, part, 0);
      if (at === -1) continue;
      if (several && wordAt(line, part, at + part.length) !== -1) return undefined;
      return at + 1;
    }
  }
  return undefined;
}

/** The length of what stands at a column, for carets: a name or directive with its dots, else one character. */
export function widthAt(line: string, column: number): number {
  const rest = line.slice(column - 1);
  return /^\.?[\w$%]+(?:\.[\w$%:]+)*/.exec(rest)?.[0].length ?? 1;
}

/** Where a word stands that is no part of a longer one; a directive may follow anything. */
function wordAt(line: string, word: string, from: number): number {
  if (word === "") return -1;
  const isName = (character: string | undefined) => character !== undefined && NAME_PART.test(character);
  for (let at = line.indexOf(word, from); at !== -1; at = line.indexOf(word, at + 1)) {
    const joined = isName(word[0]) && isName(line[at - 1]);
    if (!joined && !(isName(word.at(-1)) && isName(line[at + word.length]))) return at;
  }
  return -1;
}
