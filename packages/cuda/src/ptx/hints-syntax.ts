// Hints about texts that are not PTX. The reader of @mm-ptx/ptx finds where a mistake begins, the compiler where it ends.

import { readFragment } from "@mm-ptx/ptx";
import { positionAt } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import type { FailedText } from "./failed-text.js";

/** Identifies CUDA C++, and the length of the text that is searched for it. */
const CUDA = /__global__|__device__|#include|^extern "C"/m;
const BEGINNING = 100_000;

/** Longer lines, which may be whole generated modules, are not searched. */
const LONGEST_LINE = 2000;

export function noPtx({ ptx }: FailedText): string | undefined {
  return CUDA.test(ptx.slice(0, BEGINNING))
    ? "this is CUDA C++: compile it to PTX first, with `nvcc -ptx` or `Nvrtc`"
    : undefined;
}

/** The unterminated bracket, string or comment. */
export function unclosed(text: FailedText): string | undefined {
  return problemIn(text, ["UNTERMINATED", "UNBALANCED"]);
}

/** Syntax of JavaScript and inline asm that is not PTX. */
const FOREIGN: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/%%/, "inline asm in CUDA C++ writes `%%` for `%`; PTX itself has a single `%`"],
  [/\[object \w+\]/, "a JavaScript object was converted to text here; write the register's name"],
  [/\$\{/, "`${` belongs in a template string; this string is not quoted with backticks"],
  [
    /\b0[fF](?![0-9a-fA-F]{8}\b)\w+|\b0[dD](?![0-9a-fA-F]{16}\b)\w+/,
    "`0f` takes 8 hexadecimal digits and `0d` takes 16, the bits of an f32 and an f64",
  ],
  [/\b\d*\.\d+f\b|\b\d+\.f\b/, "a float constant has no suffix `f`"],
  [
    /\[[^\]]*(?:\*|[+-]\s*%)[^\]]*\]/,
    "an address is a register or name plus a constant: compute the rest in a register first",
  ],
];

/** The mistake before or at a word that the compiler did not expect. */
export function unexpected(text: FailedText): string | undefined {
  const line = text.lineText();
  const foreign = line.length > LONGEST_LINE ? undefined : FOREIGN.find(([pattern]) => pattern.test(line));
  return foreign?.[1] ?? problemIn(text) ?? unendedBefore(text);
}

/**
 * The reader's first problem up to the line of the error: unterminated constructs take precedence, since they change the
 * meaning of everything after them, followed by problems in the line itself.
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

/** A stub with unbalanced brackets or an unterminated construct, which the whole text would report elsewhere. */
function openStub({ stubs }: FailedText): string | undefined {
  for (const { injection, variant, text: stub } of stubs) {
    const problem = readFragment(stub, { tolerant: true }).problems.find(
      ({ code }) => code === "UNTERMINATED" || code === "UNBALANCED",
    );
    if (problem === undefined) continue;
    const { line } = positionAt(stub, problem.span.start);
    const ofVariant = variant === undefined ? "" : `variant ${variant}, `;
    return `${ofVariant}injection ${quoted(injection)}, stub line ${line}: ${problem.message}`;
  }
  return undefined;
}

/** The previous line, if it is an instruction without its terminator. */
function unendedBefore(text: FailedText): string | undefined {
  let line = text.line - 1;
  while (line > 0 && text.lineText(line).trim() === "") line--;
  const before = text.lineText(line).trim();
  return /^[@a-z]/.test(before) && !/[;{}:,(]$/.test(before) && !before.includes("//")
    ? `${text.placeOf(line)}: is a \`;\` missing at its end?`
    : undefined;
}
