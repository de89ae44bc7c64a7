// What a PTX module says about itself: version, target and entry functions. Comments and strings are skipped; everything
// else is left to who reads instructions.

import type { Span } from "@mm-ptx/types/core";

/** A kernel of a module. */
export interface EntryFunction {
  readonly name: string;
  /** Of the name. */
  readonly span: Span;
}

/** The directives that describe a PTX module as a whole. What is absent from a damaged text is absent here. */
export interface ModuleDirectives {
  /** The PTX ISA version as written, for example `9.0`. */
  readonly version?: string;
  /** The architecture of `.target`, for example `sm_75`. */
  readonly target?: string;
  /** What stands after the architecture, for example `debug`. */
  readonly targetOptions: readonly string[];
  /** In source order. */
  readonly entries: readonly EntryFunction[];
}

const DIRECTIVE = /\.(version|target|entry)(?![\w$.])/y;
const WORD = /[\w$%][\w$.]*/y;

/** Reads version, target and entries of PTX text. Never throws: a text that is no PTX has none of them. */
export function readDirectives(ptx: string): ModuleDirectives {
  let version: string | undefined;
  let target: string | undefined;
  const targetOptions: string[] = [];
  const entries: EntryFunction[] = [];
  for (let at = nextMark(ptx, 0); at < ptx.length; at = nextMark(ptx, at)) {
    const directive = matchAt(DIRECTIVE, ptx, at);
    if (directive === undefined) {
      at = skipTrivia(ptx, at, at + 1);
      continue;
    }
    const start = skipBlanks(ptx, at + directive.length);
    const word = matchAt(WORD, ptx, start);
    at = start;
    if (word === undefined) continue;
    at += word.length;
    if (directive === ".version") version ??= word;
    else if (directive === ".entry") entries.push({ name: word, span: { start, end: at } });
    else if (target === undefined) {
      target = word;
      at = readOptions(ptx, at, targetOptions);
    }
  }
  return {
    ...(version === undefined ? {} : { version }),
    ...(target === undefined ? {} : { target }),
    targetOptions,
    entries,
  };
}

function readOptions(ptx: string, from: number, options: string[]): number {
  let at = from;
  for (;;) {
    const comma = skipBlanks(ptx, at);
    if (ptx[comma] !== ",") return at;
    const start = skipBlanks(ptx, comma + 1);
    const option = matchAt(WORD, ptx, start);
    if (option === undefined) return at;
    options.push(option);
    at = start + option.length;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** The next character that can start a directive, a comment or a string. */
function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2e || code === 0x2f || code === 0x22) return at;
  }
  return text.length;
}

/** The end of the comment or string at `at`; `otherwise` when there is none. What never ends, ends with the text. */
function skipTrivia(text: string, at: number, otherwise: number): number {
  if (text[at] === '"') {
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    return end + 1;
  }
  if (text[at] !== "/") return otherwise;
  const close = text[at + 1] === "/" ? "\n" : text[at + 1] === "*" ? "*/" : undefined;
  if (close === undefined) return otherwise;
  const end = text.indexOf(close, at + 2);
  return end === -1 ? text.length : end + close.length;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (text.charCodeAt(at) <= 0x20) at++;
    const next = text[at] === "/" ? skipTrivia(text, at, at) : at;
    if (next === at) return at;
    at = next;
  }
}
