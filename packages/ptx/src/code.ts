// A PTX text that was read into tokens, statements and scopes, with methods to query it: a whole module, or a few lines
// of a function such as a stub.
import type { Span } from "@mm-ptx/types/core";
import { describeValue, isBoolean, optionProblem, quoted } from "@mm-ptx/types/internal";
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

/** Options of reading. */
export interface ReadOptions {
  /** Whether to read as much as possible of a text with mistakes instead of throwing. The default is false. */
  readonly tolerant?: boolean;
}

/** A text with its tokens, statements and scopes. */
export class PtxCode {
  readonly text: string;
  readonly tokens: Tokens;
  readonly statements: Statements;
  /** The mistakes in the text, at most 20 of them; empty unless the text was read with `tolerant`. */
  readonly problems: readonly PtxProblem[];

  #names: PtxNames | undefined;

  /** @internal */
  constructor({ text, tokens, statements, problems }: PtxParts) {
    this.text = text;
    this.tokens = tokens;
    this.statements = statements;
    this.problems = problems.list;
  }

  /** The place of a statement, without the blanks around it. */
  spanOf(statement: number): Span {
    return { start: this.statements.start(statement), end: this.statements.end(statement) };
  }

  /** The opcode, guard and operands of a statement of kind "instruction". */
  instruction(statement: number): PtxInstruction {
    return readInstruction(this.statements, statement);
  }

  /** A statement of kind "instruction" with the values of its operands: registers, constants, addresses. */
  operation(statement: number): PtxOperation {
    return readOperation(this.statements, statement);
  }

  /** The results and parameters of a statement that is a `.callprototype`. */
  prototype(statement: number): PtxPrototype {
    return readPrototype(this.statements, statement);
  }

  /** The value of a variable's `initializer`. */
  initialValue({ start, end }: Span): PtxValue {
    const { tokens } = this;
    const tokenAt = (offset: number) => countBefore(tokens.count, (token) => tokens.starts[token]! < offset);
    return readValueBetween(tokens, tokenAt(start), tokenAt(end));
  }

  /** The name that a statement of kind "label" declares. */
  label(statement: number): string {
    return this.tokens.textOf(this.statements.firsts[statement]!);
  }

  /** The directive of a statement of kind "directive", such as `.loc 1 2 3` or `.branchtargets A, B`. */
  directive(statement: number): PtxDirective {
    const { firsts, ends } = this.statements;
    return readDirective(this.tokens, firsts[statement]!, ends[statement]!);
  }

  /** The variables that a statement of kind "variable" declares. */
  variables(statement: number): PtxVariable[] {
    return readVariables(this.statements, statement);
  }

  /** The declarations of the text and the meaning of each use of a name. They are found on the first call. */
  get names(): PtxNames {
    this.#names ??= resolveNames(this.statements);
    return this.#names;
  }

  /** Index of the last statement that begins at or before an offset; -1 before the first. */
  statementAt(offset: number): number {
    const { statements } = this;
    return countBefore(statements.count, (statement) => statements.start(statement) <= offset) - 1;
  }

  /** The innermost scope that contains an offset; 0 outside all braces. */
  scopeAt(offset: number): number {
    const statement = this.statementAt(offset);
    if (statement === NONE) return 0;
    const { scopes } = this.statements;
    // From an opening brace up to the next statement, the innermost scope is the one that the brace opens.
    return this.statements.kinds[statement] === StatementKind.open
      ? this.statements.scopeOpenedBy(statement)
      : scopes[statement]!;
  }
}

/** The result of reading a text. */
export interface PtxParts {
  readonly text: string;
  readonly tokens: Tokens;
  readonly statements: Statements;
  readonly problems: Problems;
}

/**
 * Reads lines of a function, such as a stub: statements and scopes without a module around them.
 * @throws PtxError with all mistakes of the text, unless `tolerant`; INVALID_ARGUMENT unless it is text.
 */
export function readFragment(text: string, options: ReadOptions = {}): PtxCode {
  const tolerant = checkOptions(options);
  const parts = readParts(text);
  if (!tolerant) parts.problems.throwIfAny(text);
  return new PtxCode(parts);
}

/** @throws PtxError INVALID_ARGUMENT */
export function readParts(text: string): PtxParts {
  if (typeof text !== "string") {
    throw new PtxError("INVALID_ARGUMENT", `expected PTX as text, found ${describeValue(text)}`);
  }
  const problems = new Problems();
  const tokens = new Tokens().read(text);
  if (tokens.hasBad) reportBad(tokens, problems);
  return { text, tokens, statements: splitStatements(tokens, problems), problems };
}

/**
 * Whether mistakes are tolerated.
 * @throws PtxError INVALID_ARGUMENT
 */
export function checkOptions(options: ReadOptions): boolean {
  const problem = optionProblem(options, { tolerant: isBoolean });
  if (problem !== undefined) throw new PtxError("INVALID_ARGUMENT", problem);
  return options.tolerant ?? false;
}

/** Codes and names of the tokens that are not valid PTX, from `TokenKind.badCharacter` on. */
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
