// Reads the values of operands and initial values from their tokens. Never throws: anything that cannot be read has the
// kind "unknown".
import type { Span } from "@mm-ptx/types/core";
import { Character } from "./characters.js";
import { type Constant, doubleBits } from "./constant.js";
import { DEEPEST, readConstant, TokenCursor, WARP_SIZE } from "./expression.js";
import type { Statements } from "./statement.js";
import { TokenKind, type Tokens } from "./token.js";
import type { PtxName, PtxOperation, PtxValue } from "./value.js";

/** Parses a statement of kind "instruction", with the values of its operands. */
export function readOperation({ tokens, firsts, ends }: Statements, statement: number): PtxOperation {
  let end = ends[statement]!;
  if (tokens.kinds[end - 1] === Character.semicolon) end--;
  const cursor = new TokenCursor(tokens, firsts[statement]!, end);
  const { start } = cursor;
  let guard: PtxOperation["guard"];
  if (cursor.take(Character.at)) {
    const negated = cursor.take(Character.exclamation);
    if (cursor.kind === TokenKind.word) guard = { name: readName(cursor), negated };
  }
  const opcodeSpan = { start: cursor.start, end: cursor.start };
  let opcode = "";
  while (cursor.kind === (opcode === "" ? TokenKind.word : TokenKind.directive)) {
    opcode += tokens.textOf(cursor.token);
    opcodeSpan.end = tokens.end(cursor.token);
    cursor.advance();
  }
  const operands = readItems(cursor, TokenKind.end, 0, opcode === "call" || opcode.startsWith("call."));
  return { span: { start, end: cursor.lastEnd }, guard, opcode, opcodeSpan, operands };
}

/** The value between two tokens, such as an initial value. */
export function readValueBetween(tokens: Tokens, first: number, end: number): PtxValue {
  const cursor = new TokenCursor(tokens, first, end);
  return readValue(cursor, 0, false);
}

const CLOSING: Readonly<Record<number, number>> = {
  [Character.openBrace]: Character.closeBrace,
  [Character.openBracket]: Character.closeBracket,
  [Character.openParenthesis]: Character.closeParenthesis,
};

const GROUPS: Readonly<Record<number, "vector" | "address" | "list">> = {
  [Character.openBrace]: "vector",
  [Character.openBracket]: "address",
  [Character.openParenthesis]: "list",
};

/** Values separated by commas, up to the end or to a closing mark, which is taken. */
function readItems(cursor: TokenCursor, closing: number, depth: number, lists: boolean): PtxValue[] {
  const items: PtxValue[] = [];
  while (cursor.kind !== TokenKind.end && cursor.kind !== closing) {
    items.push(readValue(cursor, depth, lists));
    if (!cursor.take(Character.comma)) break;
    if (cursor.kind === closing) items.push(missing(cursor));
  }
  return items;
}

function missing(cursor: TokenCursor): PtxValue {
  const message = `expected an operand after \`,\`, found ${cursor.found()}`;
  return { kind: "unknown", message, span: { start: cursor.start, end: cursor.start + 1 } };
}

/** A single value, which must be followed by a comma or a closing mark. */
function readValue(cursor: TokenCursor, depth: number, lists: boolean): PtxValue {
  const { start } = cursor;
  const value = readOne(cursor, depth, lists);
  const { kind } = cursor;
  if (value !== undefined && cursor.problem === undefined) {
    if (kind === Character.comma || kind === TokenKind.end || CLOSES.has(kind)) return value;
  }
  cursor.fail("`,` or the end of the operand");
  const message = cursor.problem!;
  cursor.problem = undefined;
  skipToComma(cursor);
  return { kind: "unknown", message, span: { start, end: Math.max(start + 1, cursor.lastEnd) } };
}

const CLOSES: ReadonlySet<number> = new Set(Object.values(CLOSING));

/** Moves to the comma or the closing mark that ends the operand. */
function skipToComma(cursor: TokenCursor): void {
  for (let depth = 0; cursor.kind !== TokenKind.end; cursor.advance()) {
    const { kind } = cursor;
    if (depth === 0 && (kind === Character.comma || CLOSES.has(kind))) return;
    if (CLOSING[kind] !== undefined) depth++;
    else if (CLOSES.has(kind)) depth--;
  }
}

function readOne(cursor: TokenCursor, depth: number, lists: boolean): PtxValue | undefined {
  const { kind, start, tokens } = cursor;
  const close = CLOSING[kind];
  if (close !== undefined && (lists || kind !== Character.openParenthesis)) {
    if (depth > DEEPEST) return cursor.fail("fewer nested brackets");
    cursor.advance();
    const items = readItems(cursor, close, depth + 1, false);
    if (!cursor.take(close)) return cursor.fail(`\`${String.fromCharCode(close)}\``);
    const group: PtxValue = { kind: GROUPS[kind]!, items, span: spanFrom(cursor, start) };
    if (group.kind !== "vector" || !cursor.take(Character.bar)) return group;
    if (cursor.kind !== TokenKind.word) return cursor.fail("a name");
    return { kind: "pair", first: group, second: readNameOrSink(cursor), span: spanFrom(cursor, start) };
  }
  switch (kind) {
    case TokenKind.word:
      if (tokens.textOf(cursor.token) === WARP_SIZE) break;
      return readNamed(cursor);
    case Character.exclamation:
      return readNegated(cursor, start);
    case TokenKind.string: {
      const text = tokens.textOf(cursor.token).slice(1, -1);
      cursor.advance();
      return { kind: "string", text, span: spanFrom(cursor, start) };
    }
    case TokenKind.float: {
      const word = tokens.textOf(cursor.token);
      if (/^0[fd]/i.test(word)) {
        cursor.advance();
        const bits = BigInt(`0x${word.slice(2)}`);
        return { kind: "float", bits, width: word.length === 10 ? 32 : 64, span: spanFrom(cursor, start) };
      }
    }
  }
  const constant = readConstant(cursor, depth);
  if (constant === undefined) return undefined;
  // `0xFF00(name)`, in initial values.
  if (constant.kind === "integer" && cursor.take(Character.openParenthesis)) {
    return readMasked(cursor, constant.value, start, depth);
  }
  return constantValue(constant, spanFrom(cursor, start));
}

function constantValue(constant: Constant, span: Span): PtxValue {
  return constant.kind === "integer"
    ? { kind: "integer", value: constant.value, span }
    : { kind: "float", bits: doubleBits(constant.value), width: 64, span };
}

/** `!%p1`, or a constant. */
function readNegated(cursor: TokenCursor, start: number): PtxValue | undefined {
  const { tokens, token } = cursor;
  if (tokens.kinds[tokens.skipBlanks(token + 1)] !== TokenKind.word) {
    const constant = readConstant(cursor, 0);
    return constant && constantValue(constant, spanFrom(cursor, start));
  }
  cursor.advance();
  return { kind: "negated", value: readName(cursor), span: spanFrom(cursor, start) };
}

/** An operand that begins with a name: the name itself, a pair, or a name plus a number of bytes. */
function readNamed(cursor: TokenCursor): PtxValue | undefined {
  const { start } = cursor;
  const first = readNameOrSink(cursor);
  if (cursor.take(Character.bar)) {
    if (cursor.kind !== TokenKind.word) return cursor.fail("a name");
    return { kind: "pair", first, second: readNameOrSink(cursor), span: spanFrom(cursor, start) };
  }
  if (first.kind !== "name") return first;
  if (first.name === "generic" && cursor.take(Character.openParenthesis)) {
    if (cursor.kind !== TokenKind.word) return cursor.fail("a name");
    const base = readName(cursor);
    if (!cursor.take(Character.closeParenthesis)) return cursor.fail("`)`");
    return readSum(cursor, base, { generic: true, mask: undefined, start });
  }
  if (cursor.kind !== Character.plus) return first;
  return readSum(cursor, first, { generic: false, mask: undefined, start });
}

/** The masked name after a mask, with its offset. */
function readMasked(cursor: TokenCursor, mask: bigint, start: number, depth: number): PtxValue | undefined {
  const inner = readOne(cursor, depth + 1, false);
  if (inner?.kind !== "name" && inner?.kind !== "sum") return cursor.fail("a name");
  if (!cursor.take(Character.closeParenthesis)) return cursor.fail("`)`");
  const span = spanFrom(cursor, start);
  if (inner.kind === "sum") return { ...inner, mask, span };
  return { kind: "sum", base: inner, offset: 0n, generic: false, mask, span };
}

function readSum(
  cursor: TokenCursor,
  base: PtxName,
  { generic, mask, start }: { generic: boolean; mask: bigint | undefined; start: number },
): PtxValue | undefined {
  let offset = 0n;
  if (cursor.take(Character.plus)) {
    const constant = readConstant(cursor, 0);
    if (constant?.kind !== "integer") return cursor.fail("a whole number");
    offset = constant.value;
  }
  return { kind: "sum", base, offset, generic, mask, span: spanFrom(cursor, start) };
}

function readNameOrSink(cursor: TokenCursor): PtxName | { readonly kind: "sink"; readonly span: Span } {
  const name = readName(cursor);
  return name.name === "_" && name.component === undefined ? { kind: "sink", span: name.span } : name;
}

function readName(cursor: TokenCursor): PtxName {
  const { tokens, token } = cursor;
  const span = { start: tokens.start(token), end: tokens.end(token) };
  const word = tokens.textOf(token);
  cursor.advance();
  const dot = word.indexOf(".");
  return dot === -1
    ? { kind: "name", name: word, component: undefined, span }
    : { kind: "name", name: word.slice(0, dot), component: word.slice(dot + 1), span };
}

const spanFrom = (cursor: TokenCursor, start: number): Span => ({ start, end: cursor.lastEnd });
