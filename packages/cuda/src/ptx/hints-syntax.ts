// Hints about texts that are no PTX. The reader of @mm-ptx/ptx finds the beginning of a mistake, the compiler its end.

import { readFragment } from "@mm-ptx/ptx";
import { positionAt, quoted } from "@mm-ptx/types/core";
import type { FailedText } from "./failed-text.js";

/** What CUDA C++ has and PTX has not, and how much of a text is searched for it. */
const CUDA = /__global__|__device__|#include|^extern "C"/m;
const BEGINNING = 100_000;

/** Generated lines can be whole modules; in these nothing is searched for. */
const LONGEST_LINE = 2000;

export function noPtx({ ptx }: FailedText): string | undefined {
  return CUDA.test(ptx.slice(0, BEGINNING))
    ? "this is CUDA C++: make PTX of it first, with `nvcc -ptx` or `Nvrtc`"
    : undefined;
}

/** The bracket, string or comment that has no end. */
export function unclosed(text: FailedText): string | undefined {
  return problemIn(text, ["UNTERMINATED", "UNBALANCED"]);
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
  [/\b\d*\.\d+f\b|\b\d+\.f\b/, "a float constant has no `f` behind it"],
  [
    /\[[^\]]*(?:\*|[+-]\s*%)[^\]]*\]/,
    "an address is a register or name, and a constant added to it: compute the rest in a register before",
  ],
];

/** What is wrong before or at a word that the compiler did not expect. */
export function unexpected(text: FailedText): string | undefined {
  const line = text.lineText();
  const foreign = line.length > LONGEST_LINE ? undefined : FOREIGN.find(([pattern]) => pattern.test(line));
  return foreign?.[1] ?? problemIn(text) ?? unendedBefore(text);
}

/**
 * What the reader finds in the text up to the line that is blamed, in its words: first what has no end, as all behind it
 * means something else, and what stands in the line itself before what stands elsewhere.
 */
function problemIn(text: FailedText, codes?: readonly string[]): string | undefined {
  const inStub = openStub(text);
  if (inStub !== undefined) return inStub;
  const problems = (text.module?.problems ?? [])
    .filter(({ code }) => codes === undefined || codes.includes(code))
    .map((problem) => ({ ...problem, ...positionAt(text.ptx, problem.span.start) }))
    .filter(({ line }) => line <= text.line);
  const found =
    problems.find(({ code }) => code === "UNTERMINATED") ??
    problems.find(({ line }) => line === text.line) ??
    problems[0];
  if (found === undefined) return undefined;
  return `${found.line === text.line ? "" : `${text.placeOf(found.line)}: `}${found.message}`;
}

/** A stub that opens what it does not close, or closes what it did not open: in the whole text something else would be blamed. */
function openStub({ stubs }: FailedText): string | undefined {
  for (const [injection, stub] of stubs) {
    const problem = readFragment(stub, { tolerant: true }).problems.find(
      ({ code }) => code === "UNTERMINATED" || code === "UNBALANCED",
    );
    if (problem === undefined) continue;
    const { line } = positionAt(stub, problem.span.start);
    return `injection ${quoted(injection)}, stub line ${line}: ${problem.message}`;
  }
  return undefined;
}

/** The line before, when it is an instruction without its end and the place is the beginning of the next. */
function unendedBefore(text: FailedText): string | undefined {
  let line = text.line - 1;
  while (line > 0 && text.lineText(line).trim() === "") line--;
  const before = text.lineText(line).trim();
  return /^[@a-z]/.test(before) && !/[;{}:,(]$/.test(before) && !before.includes("//")
    ? `${text.placeOf(line)}: is a \`;\` missing at its end?`
    : undefined;
}
