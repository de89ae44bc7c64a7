// Parses the headers of functions (PTX ISA, Kernel and Function Directives).
import type { Span } from "@mm-ptx/types/core";
import { Character } from "./characters.js";
import { type Linkage, linkageOf, type PtxVariable, readParameters } from "./declaration.js";
import { type PtxDirective, readDirectives } from "./directive.js";
import { StatementKind, type Statements } from "./statement.js";
import { TokenKind, type Tokens } from "./token.js";

/** A kernel or a device function. */
export interface PtxFunction {
  readonly kind: "entry" | "func";
  readonly name: string;
  readonly nameSpan: Span;
  readonly linkage?: Linkage;
  /** The span from its first directive to its closing brace, or to the semicolon of a declaration. */
  readonly span: Span;
  /** The span without the body. */
  readonly headerSpan: Span;
  /** The body with its braces; `undefined` for a declaration. */
  readonly bodySpan?: Span;
  /** The scope of the body; `undefined` for a declaration. */
  readonly scope?: number;
  /** The return values of a device function. */
  readonly results: readonly PtxVariable[];
  readonly parameters: readonly PtxVariable[];
  /** What follows the parameters: `.maxntid`, `.noreturn`, `.pragma` and others. */
  readonly directives: readonly PtxDirective[];
  /** The index of its header among the statements. */
  readonly statement: number;
}

/** The function whose header is this statement; `undefined` when it has no name. */
export function readFunction(statements: Statements, statement: number): PtxFunction | undefined {
  const { tokens, firsts, ends } = statements;
  const { kinds } = tokens;
  const end = ends[statement]!;
  let token = firsts[statement]!;
  let linkage: Linkage | undefined;
  for (
    ;
    tokens.textOf(token) !== ".entry" && tokens.textOf(token) !== ".func";
    token = tokens.skipBlanks(token + 1)
  ) {
    linkage = linkageOf(tokens.textOf(token)) ?? linkage;
  }
  const kind = tokens.textOf(token) === ".entry" ? "entry" : "func";
  const takeList = (): PtxVariable[] => {
    if (kinds[token] !== Character.openParenthesis) return [];
    const close = closing(tokens, token, end);
    const parameters = readParameters(tokens, token + 1, close, statement);
    token = tokens.skipBlanks(close + 1);
    return parameters;
  };
  token = tokens.skipBlanks(token + 1);
  if (tokens.textOf(token) === ".attribute") {
    token = tokens.skipBlanks(closing(tokens, tokens.skipBlanks(token + 1), end) + 1);
  }
  const results = takeList();
  if (token >= end || kinds[token] !== TokenKind.word) return undefined;
  const name = tokens.textOf(token);
  const nameSpan = { start: tokens.start(token), end: tokens.end(token) };
  token = tokens.skipBlanks(token + 1);
  const parameters = takeList();
  const headerSpan = { start: statements.start(statement), end: statements.end(statement) };
  const body = readBody(statements, statement + 1);
  return {
    kind,
    name,
    nameSpan,
    ...(linkage === undefined ? {} : { linkage }),
    span: { start: headerSpan.start, end: body?.bodySpan.end ?? headerSpan.end },
    headerSpan,
    ...body,
    results,
    parameters,
    directives: readDirectives(tokens, token, end),
    statement,
  };
}

/** The braces that a statement opens, if it opens any. */
function readBody(statements: Statements, open: number): { bodySpan: Span; scope: number } | undefined {
  if (open >= statements.count || statements.kinds[open] !== StatementKind.open) return undefined;
  const scope = statements.scopeOpenedBy(open);
  return {
    bodySpan: { start: statements.start(open), end: statements.end(statements.closes[scope]!) },
    scope,
  };
}

/** The parenthesis that closes the one at `open`, or `end`. */
export function closing(tokens: Tokens, open: number, end: number): number {
  let depth = 0;
  for (let token = open; token < end; token++) {
    if (tokens.kinds[token] === Character.openParenthesis) depth++;
    else if (tokens.kinds[token] === Character.closeParenthesis && --depth === 0) return token;
  }
  return end;
}
