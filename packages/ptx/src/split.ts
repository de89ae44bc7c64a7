// Splits tokens into statements and scopes in one pass without recursion, for a whole module or a few lines of a
// function.
import { quoted } from "@mm-ptx/types/internal";
import { Character } from "./characters.js";
import { Role } from "./directive-table.js";
import { StatementEnds } from "./ends.js";
import type { Problems } from "./error.js";
import { GrowingStatements } from "./growing-statements.js";
import { StatementKind, type Statements } from "./statement.js";
import { TokenKind, type Tokens } from "./token.js";

/** Splits tokens into statements; mistakes are added to `problems`. */
export function splitStatements(tokens: Tokens, problems: Problems): Statements {
  return new Splitter(tokens, problems).split();
}

class Splitter {
  readonly #tokens: Tokens;
  readonly #kinds: Uint8Array;
  readonly #ends: StatementEnds;
  readonly #statements: GrowingStatements;
  #scope = 0;

  constructor(tokens: Tokens, problems: Problems) {
    this.#tokens = tokens;
    this.#kinds = tokens.kinds;
    this.#ends = new StatementEnds(tokens, problems);
    this.#statements = new GrowingStatements(tokens);
  }

  split(): Statements {
    const tokens = this.#tokens;
    let token = tokens.skipBlanks(0);
    while (this.#kinds[token] !== TokenKind.end) token = tokens.skipBlanks(this.#read(token));
    this.#leaveScopes();
    return this.#statements;
  }

  /** Reads the statement that begins with a token; returns the token after it. */
  #read(first: number): number {
    switch (this.#kinds[first]) {
      case TokenKind.word: {
        const next = this.#tokens.skipBlanks(first + 1);
        if (this.#kinds[next] === Character.colon) return this.#add(StatementKind.label, first, next + 1);
        return this.#add(StatementKind.instruction, first, this.#ends.operation(first, first));
      }
      case Character.at:
        return this.#add(StatementKind.instruction, first, this.#ends.guarded(first));
      case TokenKind.directive:
        return this.#readDirective(first);
      case Character.openBrace: {
        const scope = this.#statements.addScope(this.#scope);
        this.#add(StatementKind.open, first, first + 1);
        this.#scope = scope;
        return first + 1;
      }
      case Character.closeBrace:
        return this.#readClose(first);
      case Character.semicolon:
        return this.#add(StatementKind.empty, first, first + 1);
      default:
        this.#ends.complain("SYNTAX", first, `expected a statement, found ${this.#ends.found(first)}`);
        return this.#add(StatementKind.unknown, first, this.#ends.unknown(first));
    }
  }

  #add(kind: StatementKind, first: number, end: number): number {
    this.#statements.add(kind, first, end, this.#scope);
    return end;
  }

  #readClose(token: number): number {
    if (this.#scope === 0) {
      this.#ends.complain("UNBALANCED", token, "expected a `{` for this `}`, found none");
      return this.#add(StatementKind.unknown, token, token + 1);
    }
    const statements = this.#statements;
    statements.closes[this.#scope] = statements.count;
    this.#scope = statements.parents[this.#scope]!;
    return this.#add(StatementKind.close, token, token + 1);
  }

  /** Leaves every open scope and reports it. */
  #leaveScopes(): void {
    const { opens, parents, closes, firsts, count } = this.#statements;
    for (; this.#scope !== 0; this.#scope = parents[this.#scope]!) {
      closes[this.#scope] = count - 1;
      this.#ends.complain(
        "UNBALANCED",
        firsts[opens[this.#scope]!]!,
        "expected a `}` for this `{`, found none",
      );
    }
  }

  #readDirective(first: number): number {
    switch (this.#ends.roleOf(first)) {
      case Role.listed:
        return this.#add(StatementKind.directive, first, this.#ends.list(first));
      case Role.section:
        return this.#add(StatementKind.section, first, this.#ends.section(first));
      case Role.function:
        return this.#readFunction(first, first);
      case Role.linkage:
        return this.#readLinked(first);
      case Role.variable:
        return this.#add(StatementKind.variable, first, this.#ends.terminated(first, first + 1, false));
      default:
        return this.#add(StatementKind.directive, first, this.#ends.terminated(first, first + 1, false));
    }
  }

  /** A function or variable after one or more linkage directives. */
  #readLinked(first: number): number {
    let token = first;
    let role: Role = Role.linkage;
    while (role === Role.linkage) {
      token = this.#tokens.skipBlanks(token + 1);
      role = this.#kinds[token] === TokenKind.directive ? this.#ends.roleOf(token) : Role.part;
    }
    if (role === Role.function) return this.#readFunction(first, token);
    if (role === Role.variable) {
      return this.#add(StatementKind.variable, first, this.#ends.terminated(first, token + 1, false));
    }
    const linkage = quoted(this.#tokens.textOf(first));
    this.#ends.complain(
      "SYNTAX",
      first,
      `expected \`.entry\`, \`.func\` or a state space after ${linkage}, found ${this.#ends.found(token)}`,
    );
    return this.#add(StatementKind.unknown, first, this.#ends.trim(first, token));
  }

  /** Functions cannot be nested: a scope that is open before a function lacks its closing brace. */
  #readFunction(first: number, directive: number): number {
    this.#leaveScopes();
    return this.#add(StatementKind.function, first, this.#ends.header(first, directive));
  }
}
