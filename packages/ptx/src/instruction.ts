// Parses an instruction: its guard, opcode, and operands as they are nested in braces, brackets and parentheses. The
// meaning of the instruction depends on its opcode and is left to the caller.
import type { Span } from "@mm-ptx/types/core";
import { Character } from "./characters.js";
import type { Statements } from "./statement.js";
import { TokenKind, type Tokens } from "./token.js";

/** An operand of an instruction. */
export interface PtxOperand {
  /**
   * "vector" is in braces, "address" in square brackets, and "list" (the arguments and results of a call) in
   * parentheses; "value" is everything else: `%r1`, `-3`, `%p1|%p2`, `table+4`.
   */
  readonly kind: "address" | "list" | "value" | "vector";
  /** The text as written, brackets included. */
  readonly text: string;
  readonly span: Span;
  /** The items between the brackets, which commas separate; empty for a value. */
  readonly items: readonly PtxOperand[];
}

/** The predicate after the `@` of an instruction. */
export interface PtxGuard {
  readonly name: string;
  readonly negated: boolean;
  /** The span of the name. */
  readonly span: Span;
}

/** An instruction as written. */
export interface PtxInstruction {
  readonly span: Span;
  readonly guard?: PtxGuard;
  /** The opcode with its modifiers: `mad.lo.s32`. */
  readonly opcode: string;
  readonly opcodeSpan: Span;
  readonly operands: readonly PtxOperand[];
}

const BRACKETS: Readonly<Record<number, PtxOperand["kind"]>> = {
  [Character.openBrace]: "vector",
  [Character.openBracket]: "address",
  [Character.openParenthesis]: "list",
};
const CLOSING: ReadonlySet<number> = new Set([
  Character.closeBrace,
  Character.closeBracket,
  Character.closeParenthesis,
]);

/** Parses a statement of kind "instruction". Never throws: missing parts of a malformed instruction are empty. */
export function readInstruction({ tokens, firsts, ends }: Statements, statement: number): PtxInstruction {
  const { kinds } = tokens;
  const end = ends[statement]!;
  const skip = (token: number) => Math.min(end, tokens.skipBlanks(token));
  const first = firsts[statement]!;
  let token = first;
  let guard: PtxGuard | undefined;
  if (kinds[token] === Character.at) {
    token = skip(token + 1);
    const negated = kinds[token] === Character.exclamation;
    if (negated) token = skip(token + 1);
    if (token < end && kinds[token] === TokenKind.word) {
      guard = {
        name: tokens.textOf(token),
        negated,
        span: { start: tokens.start(token), end: tokens.end(token) },
      };
      token = skip(token + 1);
    }
  }
  const opcodeSpan = { start: tokens.start(token), end: tokens.start(token) };
  let opcode = "";
  const isOpcode = () => kinds[token] === (opcode === "" ? TokenKind.word : TokenKind.directive);
  while (token < end && isOpcode()) {
    opcode += tokens.textOf(token);
    opcodeSpan.end = tokens.end(token);
    token = skip(token + 1);
  }
  return {
    span: { start: tokens.start(first), end: tokens.start(end) },
    ...(guard === undefined ? {} : { guard }),
    opcode,
    opcodeSpan,
    operands: readOperands(tokens, token, end),
  };
}

/** An operand that is being read, with the items between its brackets. An operand without brackets has no items. */
interface OpenOperand {
  kind: PtxOperand["kind"];
  first: number;
  /** The last token so far. */
  last: number;
  readonly items: PtxOperand[];
}

function readOperands(tokens: Tokens, from: number, end: number): PtxOperand[] {
  const operands: PtxOperand[] = [];
  /** The brackets around the next token, the innermost last. */
  const enclosing: OpenOperand[] = [];
  /** The operand that the next token may continue. */
  let open: OpenOperand | undefined;
  let last = from;
  const finish = () => {
    if (open === undefined) return;
    const { kind, first, last, items } = open;
    const span = { start: tokens.start(first), end: tokens.end(last) };
    const operand = { kind, text: tokens.text.substring(span.start, span.end), span, items };
    (enclosing.at(-1)?.items ?? operands).push(operand);
    open = undefined;
  };
  for (let token = from; token < end; token++) {
    const kind = tokens.kinds[token]!;
    if (kind <= TokenKind.comment || kind === Character.semicolon) continue;
    last = token;
    const bracket = BRACKETS[kind];
    if (kind === Character.comma) {
      finish();
    } else if (bracket !== undefined) {
      open ??= { kind: bracket, first: token, last: token, items: [] };
      enclosing.push(open);
      open = undefined;
    } else if (CLOSING.has(kind) && enclosing.length > 0) {
      finish();
      open = enclosing.pop()!;
      open.last = token;
    } else {
      open ??= { kind: "value", first: token, last: token, items: [] };
      open.last = token;
    }
  }
  // Brackets that a malformed instruction leaves open extend to its end.
  for (finish(); enclosing.length > 0; finish()) {
    open = enclosing.pop()!;
    open.last = last;
  }
  return operands;
}
