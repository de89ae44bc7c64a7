// A PTX text that was read into tokens, statements and scopes, with what can be asked of any of it: a whole module, or a few
// lines of a function such as a stub.
import { describeValue, didYouMean, quoted, type Span } from "@mm-ptx/types/core";
import { type PtxVariable, readVariables } from "./declaration.js";
import { type PtxDirective, readDirective } from "./directive.js";
import { Problems, PtxError, type PtxProblem } from "./error.js";
import { type PtxInstruction, readInstruction } from "./instruction.js";
import type { PtxNames } from "./names.js";
import { readOperation, readValueBetween } from "./operands.js";
import { type PtxPrototype, readPrototype } from "./prototype.js";
import { resolveNames } from "./resolve.js";
import { countBefore } from "./search.js";
import { splitStatements } from "./split.js";
import { NONE, StatementKind, type Statements } from "./statement.js";
import { TokenKind, Tokens } from "./token.js";
import type { PtxOperation, PtxValue } from "./value.js";

/** How a text is read. */
export interface ReadOptions {
  /** Whether a text with mistakes is read as far as it can be understood, instead of throwing. Default: false. */
  readonly tolerant?: boolean;
}

/** A text with its tokens, statements and scopes. */
export class PtxCode {
  readonly text: string;
  readonly tokens: Tokens;
  readonly statements: Statements;
  /** What is wrong in the text, at most 20 entries; empty unless it was read with `tolerant`. */
  readonly problems: readonly PtxProblem[];

  #names: PtxNames | undefined;

  /** @internal */
  constructor({ text, tokens, statements, problems }: PtxParts) {
    this.text = text;
    this.tokens = tokens;
    this.statements = statements;
    this.problems = problems.list;
  }

  /** Where a statement stands, without the blanks around it. */
  spanOf(statement: number): Span {
    return { start: this.statements.start(statement), end: this.statements.end(statement) };
  }

  /** The opcode, guard and operands of a statement of kind "instruction". */
  instruction(statement: number): PtxInstruction {
    return readInstruction(this.statements, statement);
  }

  /** What a statement of kind "instruction" says, with the values of its operands: registers, constants, addresses. */
  operation(statement: number): PtxOperation {
    return readOperation(this.statements, statement);
  }

  /** The results and parameters of a statement that is a `.callprototype`. */
  prototype(statement: number): PtxPrototype {
    return readPrototype(this.statements, statement);
  }

  /** What a variable's `initializer` holds. */
  initialValue({ start, end }: Span): PtxValue {
    const { tokens } = this;
    const tokenAt = (offset: number) => countBefore(tokens.count, (token) => tokens.starts[token]! < offset);
    return readValueBetween(tokens, tokenAt(start), tokenAt(end));
  }

  /** The name that a statement of kind "label" declares. */
  label(statement: number): string {
    return this.tokens.textOf(this.statements.firsts[statement]!);
  }

  /** What a statement of kind "directive" says: `.loc 1 2 3`, `.branchtargets A, B`. */
  directive(statement: number): PtxDirective {
    const { firsts, ends } = this.statements;
    return readDirective(this.tokens, firsts[statement]!, ends[statement]!);
  }

  /** What a statement of kind "variable" declares. */
  variables(statement: number): PtxVariable[] {
    return readVariables(this.statements, statement);
  }

  /** What the text declares, and what each use of a name means; found out on the first call. */
  get names(): PtxNames {
    this.#names ??= resolveNames(this.statements);
    return this.#names;
  }

  /** Index of the last statement that begins at or before an offset; -1 before the first. */
  statementAt(offset: number): number {
    const { statements } = this;
    return countBefore(statements.count, (statement) => statements.start(statement) <= offset) - 1;
  }

  /** The innermost scope that an offset stands in; 0 outside of all braces. */
  scopeAt(offset: number): number {
    const statement = this.statementAt(offset);
    if (statement === NONE) return 0;
    const { scopes } = this.statements;
    // Behind a brace, and between it and the next statement, is the scope that it opens.
    return this.statements.kinds[statement] === StatementKind.open
      ? this.statements.scopeOpenedBy(statement)
      : scopes[statement]!;
  }
}

/** What a text was read into. */
export interface PtxParts {
  readonly text: string;
  readonly tokens: Tokens;
  readonly statements: Statements;
  readonly problems: Problems;
}

/**
 * Reads lines of a function, such as a stub: statements and scopes without a module around them.
 * @throws PtxError with every mistake of the text, unless `tolerant`; INVALID_INPUT when it is no text.
 */
export function readFragment(text: string, options: ReadOptions = {}): PtxCode {
  const tolerant = checkOptions(options);
  const parts = readParts(text);
  if (!tolerant) parts.problems.throwIfAny(text);
  return new PtxCode(parts);
}

/** @throws PtxError INVALID_INPUT */
export function readParts(text: string): PtxParts {
  if (typeof text !== "string") {
    throw new PtxError("INVALID_INPUT", `expected PTX as text, found ${describeValue(text)}`);
  }
  const problems = new Problems();
  const tokens = new Tokens().read(text);
  if (tokens.hasBad) reportBad(tokens, problems);
  return { text, tokens, statements: splitStatements(tokens, problems), problems };
}

const OPTIONS = ["tolerant"];

/**
 * Whether mistakes are tolerated.
 * @throws PtxError INVALID_INPUT
 */
export function checkOptions(options: ReadOptions): boolean {
  if (typeof options !== "object" || options === null) {
    throw new PtxError("INVALID_INPUT", `expected options, found ${describeValue(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (OPTIONS.includes(name)) continue;
    const message = `expected an option of reading, found ${quoted(name)}${didYouMean(name, OPTIONS)}`;
    throw new PtxError("INVALID_INPUT", message);
  }
  const { tolerant = false } = options;
  if (typeof tolerant !== "boolean") {
    const message = `expected \`tolerant\` to be true or false, found ${describeValue(tolerant)}`;
    throw new PtxError("INVALID_INPUT", message);
  }
  return tolerant;
}

/** Codes and words for tokens that PTX does not have, from `TokenKind.badCharacter` on. */
const BAD: readonly (readonly [code: PtxProblem["code"], expected: string])[] = [
  ["BAD_CHARACTER", "characters of PTX"],
  ["BAD_NUMBER", "a number or a name"],
  ["UNTERMINATED", 'a `"` that ends the string'],
  ["UNTERMINATED", "a `*/` that ends the comment"],
];

function reportBad({ text, kinds, starts, count }: Tokens, problems: Problems): void {
  for (let token = 0; token < count; token++) {
    const bad = BAD[kinds[token]! - TokenKind.badCharacter];
    if (bad === undefined) continue;
    const [code, expected] = bad;
    const [start, end] = [starts[token]!, starts[token + 1]!];
    problems.add(code, start, end, `expected ${expected}, found ${quoted(text.slice(start, end))}`);
  }
}
