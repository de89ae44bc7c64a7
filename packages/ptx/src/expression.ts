// Evaluates constant expressions from tokens, with the precedences of C.
import { Character } from "./characters.js";
import { apply, type Constant, cast, combine, integerConstant, isTrue, PRECEDENCE } from "./constant.js";
import { TokenKind, type Tokens } from "./token.js";

/**
 * The maximum nesting of brackets and unary operators in an operand. Deeper nesting is a mistake or an attack and is
 * rejected before it overflows the call stack.
 */
export const DEEPEST = 64;

/** Reads tokens one after the other, skipping blanks and comments. The first mistake is kept. */
export class TokenCursor {
  readonly tokens: Tokens;
  readonly end: number;
  /** The next token that is not blank; `end` after the last one. */
  token: number;
  /** The first mistake; undefined as long as there is none. */
  problem: string | undefined;

  constructor(tokens: Tokens, first: number, end: number) {
    this.tokens = tokens;
    this.end = end;
    this.token = Math.min(end, tokens.skipBlanks(first));
  }

  get kind(): number {
    return this.token < this.end ? this.tokens.kinds[this.token]! : TokenKind.end;
  }

  /** Where the next token begins. */
  get start(): number {
    return this.tokens.starts[this.token]!;
  }

  /** Where the token before the next one ends. */
  get lastEnd(): number {
    const { kinds, starts } = this.tokens;
    let token = this.token;
    while (token > 0 && kinds[token - 1]! <= TokenKind.comment) token--;
    return starts[token]!;
  }

  advance(): void {
    this.token = Math.min(this.end, this.tokens.skipBlanks(this.token + 1));
  }

  /** Takes a punctuation mark if it is the next token. */
  take(kind: number): boolean {
    if (this.kind !== kind) return false;
    this.advance();
    return true;
  }

  fail(expected: string): undefined {
    this.problem ??= `expected ${expected}, found ${this.found()}`;
    return undefined;
  }

  found(): string {
    return this.token < this.end ? `\`${this.tokens.textOf(this.token)}\`` : "the end";
  }
}

/** The name of a constant that PTX declares (PTX ISA, Predefined Constants). */
export const WARP_SIZE = "WARP_SZ";

const SIGNS: Readonly<Record<number, string>> = {
  [Character.plus]: "+",
  [Character.minus]: "-",
  [Character.exclamation]: "!",
  [Character.tilde]: "~",
};

/** A constant expression; undefined, with a problem at the cursor, if there is none. */
export function readConstant(cursor: TokenCursor, depth: number): Constant | undefined {
  const condition = readBinary(cursor, 1, depth);
  if (condition === undefined || !cursor.take(Character.question)) return condition;
  if (depth > DEEPEST) return cursor.fail("fewer nested expressions");
  const first = readConstant(cursor, depth + 1);
  if (!cursor.take(Character.colon)) return cursor.fail("`:`");
  const second = readConstant(cursor, depth + 1);
  return isTrue(condition) ? first : second;
}

function readBinary(cursor: TokenCursor, least: number, depth: number): Constant | undefined {
  let left = readUnary(cursor, depth);
  while (left !== undefined) {
    const operator = operatorAt(cursor);
    const precedence = PRECEDENCE.get(operator) ?? 0;
    if (precedence < least) return left;
    for (let i = 0; i < operator.length; i++) cursor.advance();
    const right = readBinary(cursor, precedence + 1, depth);
    if (right === undefined) return undefined;
    left = combine(operator, left, right) ?? cursor.fail(`constants that \`${operator}\` takes`);
  }
  return undefined;
}

/** The binary operator that comes next; empty if there is none. */
function operatorAt({ tokens, kind, token }: TokenCursor): string {
  if (kind < Character.exclamation) return "";
  const one = tokens.textOf(token);
  const two = one + tokens.text.charAt(tokens.end(token));
  return PRECEDENCE.has(two) ? two : one;
}

function readUnary(cursor: TokenCursor, depth: number): Constant | undefined {
  if (depth > DEEPEST) return cursor.fail("fewer nested expressions");
  const { kind } = cursor;
  const sign = SIGNS[kind];
  if (sign !== undefined) {
    cursor.advance();
    const value = readUnary(cursor, depth + 1);
    return value && (apply(sign, value) ?? cursor.fail(`a constant that \`${sign}\` takes`));
  }
  if (kind === Character.openParenthesis) return readParentheses(cursor, depth);
  const word = cursor.tokens.textOf(cursor.token);
  if (kind === TokenKind.integer) {
    const value = integerConstant(word);
    if (value === undefined) return cursor.fail("an integer of 64 bits");
    cursor.advance();
    return value;
  }
  if (kind === TokenKind.float && !/^0[fd]/i.test(word)) {
    cursor.advance();
    return { kind: "float", value: Number(word) };
  }
  if (kind === TokenKind.word && word === WARP_SIZE) {
    cursor.advance();
    return integerConstant("32");
  }
  return cursor.fail("a constant");
}

const CASTS: ReadonlyMap<string, boolean> = new Map([
  [".s64", false],
  [".u64", true],
]);

function readParentheses(cursor: TokenCursor, depth: number): Constant | undefined {
  cursor.advance();
  const unsigned =
    cursor.kind === TokenKind.directive ? CASTS.get(cursor.tokens.textOf(cursor.token)) : undefined;
  if (unsigned !== undefined) {
    cursor.advance();
    if (!cursor.take(Character.closeParenthesis)) return cursor.fail("`)`");
    const value = readUnary(cursor, depth + 1);
    return value && (cast(value, unsigned) ?? cursor.fail("an integer"));
  }
  const value = readConstant(cursor, depth + 1);
  return value !== undefined && cursor.take(Character.closeParenthesis) ? value : cursor.fail("`)`");
}
