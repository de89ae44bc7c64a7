// The compiler looks up the time and the size of every file that a `.file` directive names without them, and writes both
// into the line table. A cubin would then tell about files of the machine, and differ from machine to machine. Like
// native/pool/file_times.cpp, for a compiler that does not run on our threads.

import { commentEnd, stringEnd } from "./lexing.js";

const DIRECTIVE = ".file";
/** Where a comment, a string or a directive may begin. */
const START = /["/]|\.file/g;
const SPACE = /[ \t-\r]/;
const WORD = /[\w$%.:]*/y;
/** The compiler takes no number for a time from here on. */
const LIMIT = 2n ** 63n;

/**
 * Adds the time 1 and the size 1 to every `.file` directive without them; paths and line breaks stay. A time of 0, or
 * one of 64 bits or more, also has the compiler look the file up, or crashes it, so it becomes 1. Other directives, and
 * malformed ones, stay as they are.
 */
export function withFileTimes(ptx: string): string {
  if (!ptx.includes(DIRECTIVE)) return ptx;
  const pieces: string[] = [];
  let from = 0;
  const replace = (start: number, end: number, by: string): void => {
    pieces.push(ptx.slice(from, start), by);
    from = end;
  };
  START.lastIndex = 0;
  for (let match = START.exec(ptx); match !== null; match = START.exec(ptx)) {
    const at = match.index;
    if (match[0] === '"') START.lastIndex = stringEnd(ptx, at);
    else if (match[0] === "/") START.lastIndex = Math.max(at + 1, commentEnd(ptx, at));
    else START.lastIndex = readDirective(ptx, at + DIRECTIVE.length, replace);
  }
  return pieces.join("") + ptx.slice(from);
}

/** Returns where to continue. */
function readDirective(
  ptx: string,
  at: number,
  replace: (start: number, end: number, by: string) => void,
): number {
  const number = afterSpace(ptx, at);
  const numberEnd = wordEnd(ptx, number);
  // Without space, the directive is another one, such as `.files`.
  if (number === at || numberEnd === number) return number;
  const path = afterSpace(ptx, numberEnd);
  if (ptx[path] !== '"') return number;
  const pathEnd = stringEnd(ptx, path);
  if (pathEnd === path + 1 || ptx[pathEnd - 1] !== '"') return pathEnd;
  const comma = afterSpace(ptx, pathEnd);
  if (ptx[comma] !== ",") {
    replace(pathEnd, pathEnd, ", 1, 1");
    return comma;
  }
  const time = afterSpace(ptx, comma + 1);
  const timeEnd = wordEnd(ptx, time);
  if (isNoTime(ptx.slice(time, timeEnd))) replace(time, timeEnd, "1");
  return timeEnd;
}

/** Whether a word is a number that the compiler does not take for a time: 0, or at least 2^63. */
function isNoTime(word: string): boolean {
  const [, octal, digits] = /^(0(?=[0-7]))?(0[xX][\da-fA-F]+|0[bB][01]+|\d+)U?$/.exec(word) ?? [];
  if (digits === undefined || (octal !== undefined && /[89bBxX]/.test(digits))) return false;
  const value = BigInt(octal === undefined ? digits : `0o${digits}`);
  return value === 0n || value >= LIMIT;
}

/** The next place without space or a comment. */
function afterSpace(ptx: string, start: number): number {
  let at = start;
  for (;;) {
    const end = SPACE.test(ptx[at] ?? "") ? at + 1 : commentEnd(ptx, at);
    if (end === at) return at;
    at = end;
  }
}

function wordEnd(ptx: string, start: number): number {
  WORD.lastIndex = start;
  WORD.test(ptx);
  return WORD.lastIndex;
}
