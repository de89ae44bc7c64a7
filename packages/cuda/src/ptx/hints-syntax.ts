// Hints about texts that are no PTX. The reader of @mm-ptx/ptx finds the beginning of a mistake, the compiler its end.

import { positionAt } from "@mm-ptx/types/core";
import type { FailedText } from "./failed-text.js";

/** What CUDA C++ has and PTX has not. */
const CUDA = /__global__|__device__|#include|^\s*extern\s+"C"/m;

export function noPtx({ ptx }: FailedText): string | undefined {
  return CUDA.test(ptx) ? "this is CUDA C++: make PTX of it first, with `nvcc -ptx` or `Nvrtc`" : undefined;
}

/** The bracket, string or comment that has no end. */
export function unclosed(text: FailedText): string | undefined {
  return problemIn(text, ["UNTERMINATED"]) ?? problemIn(text, ["UNBALANCED"]);
}

/** Words of JavaScript and inline asm that no PTX has. */
const FOREIGN: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/%%/, "`%%` is how inline asm in CUDA C++ writes one `%`; PTX has `%` alone"],
  [/\[object \w+\]/, "an object of JavaScript was made text here; write the register's name"],
  [/\$\{/, "`${` is of a template string that was not one: its quotes are no backticks"],
  [
    /\b0[fF](?![0-9a-fA-F]{8}\b)\w+|\b0[dD](?![0-9a-fA-F]{16}\b)\w+/,
    "`0f` takes 8 hexadecimal digits and `0d` takes 16, the bits of an f32 and an f64",
  ],
];

/** What is wrong before or at a word that the compiler did not expect. */
export function unexpected(text: FailedText): string | undefined {
  const line = text.lineText();
  const foreign = FOREIGN.find(([pattern]) => pattern.test(line));
  return foreign?.[1] ?? problemIn(text);
}

/** What the reader finds first in the text up to the line that is blamed, in its words. */
function problemIn(text: FailedText, codes?: readonly string[]): string | undefined {
  const [problem] = (text.module?.problems ?? [])
    .filter(({ code }) => codes === undefined || codes.includes(code))
    .sort((a, b) => a.span.start - b.span.start);
  if (problem === undefined) return undefined;
  const { line } = positionAt(text.ptx, problem.span.start);
  if (line > text.line) return undefined;
  return `${line === text.line ? "" : `${text.placeOf(line)}: `}${problem.message}`;
}
