// The statements and scopes of a text in typed arrays: a statement is a kind and a range of tokens, and a scope is a
// pair of braces. This file only reads them; split.ts fills them.
import { countBefore } from "./search.js";
import type { Tokens } from "./token.js";

/** The kinds of statements. */
export const enum StatementKind {
  /** A semicolon alone. */
  empty = 0,
  /** The brace that opens a scope. */
  open = 1,
  /** The brace that closes one. */
  close = 2,
  /** A name with its colon. */
  label = 3,
  instruction = 4,
  /**
   * `.entry` or `.func` with everything that belongs to it except the body; a forward declaration includes its
   * semicolon.
   */
  function = 5,
  /** A declaration of registers or variables. */
  variable = 6,
  /** A section of debug data with its braces. */
  section = 7,
  /** Any other directive. */
  directive = 8,
  /** Something that begins no statement. */
  unknown = 9,
}

/** The names of statement kinds, as `Statements.kind` gives them. */
export type StatementName =
  | "empty"
  | "open"
  | "close"
  | "label"
  | "instruction"
  | "function"
  | "variable"
  | "section"
  | "directive"
  | "unknown";

/** By `StatementKind`. */
const NAMES: readonly StatementName[] = [
  "empty",
  "open",
  "close",
  "label",
  "instruction",
  "function",
  "variable",
  "section",
  "directive",
  "unknown",
];

/** No scope and no statement. */
export const NONE = -1;

/** The statements and scopes of a text. Scope 0 is the text itself. */
export class Statements {
  readonly tokens: Tokens;
  /** The number of statements. */
  count = 0;
  /** The number of scopes. */
  scopeCount = 1;
  /** The kind of each statement, as a number. All arrays may be longer than there are statements or scopes. */
  kinds: Uint8Array;
  /** The first token of each statement. */
  firsts: Uint32Array;
  /** The token after the last one of each statement. */
  ends: Uint32Array;
  /** The scope that contains each statement; for a brace, the scope around it. */
  scopes: Uint32Array;
  /** By scope, the scope around it; -1 for scope 0, as in the next two. */
  parents: Int32Array;
  /** By scope, the statement that opens it. */
  opens: Int32Array;
  /** By scope, the statement that closes it; when the brace is missing, the last statement in the scope. */
  closes: Int32Array;

  /** Empty. */
  constructor(tokens: Tokens) {
    this.tokens = tokens;
    const room = (tokens.count >> 3) + 16;
    this.kinds = new Uint8Array(room);
    this.firsts = new Uint32Array(room);
    this.ends = new Uint32Array(room);
    this.scopes = new Uint32Array(room);
    this.parents = new Int32Array(16);
    this.opens = new Int32Array(16);
    this.closes = new Int32Array(16);
    this.parents[0] = this.opens[0] = this.closes[0] = NONE;
  }

  /** The kind of a statement. */
  kind(statement: number): StatementName {
    return NAMES[this.kinds[statement]!]!;
  }

  /** The offset of a statement's first character. */
  start(statement: number): number {
    return this.tokens.starts[this.firsts[statement]!]!;
  }

  /** The offset after a statement's last character. */
  end(statement: number): number {
    return this.tokens.starts[this.ends[statement]!]!;
  }

  /** The scope that a statement of kind "open" opens. */
  scopeOpenedBy(open: number): number {
    return countBefore(this.scopeCount, (scope) => this.opens[scope]! < open);
  }
}
