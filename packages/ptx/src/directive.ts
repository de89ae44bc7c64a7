// Directives with the words that follow them.
import type { Span } from "@mm-ptx/types/core";
import { TokenKind, type Tokens } from "./token.js";

/** A directive with what follows it: `.maxntid 128, 1, 1`. */
export interface PtxDirective {
  /** The name with its dot. */
  readonly name: string;
  /** Numbers, names and strings (with their quotes), as written and in order. */
  readonly values: readonly string[];
  readonly span: Span;
}

/** The directive that begins at `first`, with everything before `end`. */
export function readDirective(tokens: Tokens, first: number, end: number): PtxDirective {
  const values: string[] = [];
  let last = first;
  for (let token = first + 1; token < end; token++) {
    const kind = tokens.kinds[token]!;
    if (kind < TokenKind.word || kind > TokenKind.string) continue;
    values.push(tokens.textOf(token));
    last = token;
  }
  return { name: tokens.textOf(first), values, span: { start: tokens.start(first), end: tokens.end(last) } };
}

/** The consecutive directives between two tokens. */
export function readDirectives(tokens: Tokens, from: number, end: number): PtxDirective[] {
  const directives: PtxDirective[] = [];
  let first = from;
  for (let token = from + 1; token <= end; token++) {
    if (token < end && tokens.kinds[token] !== TokenKind.directive) continue;
    if (first < end && tokens.kinds[first] === TokenKind.directive) {
      directives.push(readDirective(tokens, first, token));
    }
    first = token;
  }
  return directives;
}
