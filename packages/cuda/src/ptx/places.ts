// Locates the compiler's messages: the column, the stub or kernel line of a template, and the line of the CUDA source.

import type { LineOrigins } from "@mm-ptx/types/core";
import type { Diagnostic } from "../error.js";
import { CudaLines } from "./cuda-lines.js";

/** Adds the known places of their lines to messages in line order. */
export function locateDiagnostics(
  diagnostics: readonly Diagnostic[],
  origins: LineOrigins | undefined,
  ptx: string,
): readonly Diagnostic[] {
  if (!diagnostics.some(({ line }) => line !== undefined)) return diagnostics;
  const cudaLines = new CudaLines(ptx);
  let line = 1;
  let start = 0;
  let end = endOfLine(ptx, start);
  return diagnostics.map((diagnostic) => {
    if (diagnostic.line === undefined) return diagnostic;
    for (; line < diagnostic.line && start < ptx.length; line++) {
      start = end + 1;
      end = endOfLine(ptx, start);
    }
    const column = columnOf(diagnostic.message, ptx.slice(start, end));
    const origin = origins?.locate(diagnostic.line);
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

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

/** A symbol that a message quotes; one message does not quote its symbol. */
const QUOTED = /^Unsupported \.version ([\d.]+)|'([^']{1,200})'/g;
const NAME_PART = /[\w$%]/;
/** No person reads a longer line, and searching it for every message takes long. */
const LONGEST_LINE = 10_000;
/** No message of the compiler quotes more. */
const MOST_QUOTED = 8;

/**
 * The column of the first quoted symbol in its line, counted from 1. In a line of several statements, only a symbol
 * that occurs once is located; in a very long line, none.
 */
export function columnOf(message: string, line: string): number | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const several = line.indexOf(";") !== line.lastIndexOf(";");
  let tried = 0;
  for (const [, version, quoted] of message.matchAll(QUOTED)) {
    if (tried++ === MOST_QUOTED) return undefined;
    const symbol = version ?? quoted!;
    // For `tanh.approx.bf16`, the message quotes `tanh.bf16`, of which only the beginning occurs.
    for (const part of [symbol, symbol.slice(0, symbol.indexOf(".", 1))]) {
      const at = wordAt(line, part, 0);
      if (at === -1) continue;
      if (several && wordAt(line, part, at + part.length) !== -1) return undefined;
      return at + 1;
    }
  }
  return undefined;
}

/** The length of the carets at a column: a name or directive with its dots, otherwise one character. */
export function widthAt(line: string, column: number): number {
  const rest = line.slice(column - 1);
  return /^\.?[\w$%]+(?:\.[\w$%:]+)*/.exec(rest)?.[0].length ?? 1;
}

/** The position of a whole word; a directive may follow any character. */
function wordAt(line: string, word: string, from: number): number {
  if (word === "") return -1;
  const isName = (character: string | undefined) => character !== undefined && NAME_PART.test(character);
  for (let at = line.indexOf(word, from); at !== -1; at = line.indexOf(word, at + 1)) {
    const joined = isName(word[0]) && isName(line[at - 1]);
    if (!joined && !(isName(word.at(-1)) && isName(line[at + word.length]))) return at;
  }
  return -1;
}
