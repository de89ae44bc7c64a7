// Splits tokens into statements and scopes, in one pass without recursion; works on a whole module as on a few lines of a
// function. A statement that lacks its end is closed where the next one surely begins, so one mistake hides no other.
import { quoted } from "@mm-ptx/types/core";
import { Character } from "./characters.js";
import { Role, roleOf } from "./directive-table.js";
import type { Problems, PtxProblem } from "./error.js";
import { GrowingStatements } from "./growing-statements.js";
import { StatementKind, type Statements } from "./statement.js";
import { TokenKind, type Tokens } from "./token.js";

/** Splits tokens into statements; what is wrong is added to `problems`. */
export function splitStatements(tokens: Tokens, problems: Problems): Statements {
  return new Splitter(tokens, problems).split();
}

/** Whether a token ends an operand, behind which only a mark can come; in a call prototype, a name stands behind lists. */
function endsOperand(kind: number, isInstruction: boolean): boolean {
  if (kind === Character.closeParenthesis) return isInstruction;
  return (
    (kind >= TokenKind.word && kind <= TokenKind.float) ||
    kind === TokenKind.badNumber ||
    kind === Character.closeBracket ||
    kind === Character.closeBrace
  );
}

class Splitter {
  readonly #tokens: Tokens;
  readonly #kinds: Uint8Array;
  readonly #problems: Problems;
  readonly #statements: GrowingStatements;
  #scope = 0;

  constructor(tokens: Tokens, problems: Problems) {
    this.#tokens = tokens;
    this.#kinds = tokens.kinds;
    this.#problems = problems;
    this.#statements = new GrowingStatements(tokens);
  }

  split(): Statements {
    const tokens = this.#tokens;
    let token = tokens.skipBlanks(0);
    while (this.#kinds[token] !== TokenKind.end) token = tokens.skipBlanks(this.#read(token));
    this.#leaveScopes();
    return this.#statements;
  }

  /** Reads the statement that begins with a token, and gives the token after it. */
  #read(first: number): number {
    switch (this.#kinds[first]) {
      case TokenKind.word: {
        const next = this.#tokens.skipBlanks(first + 1);
        if (this.#kinds[next] === Character.colon) return this.#add(StatementKind.label, first, next + 1);
        return this.#add(StatementKind.instruction, first, this.#endOfOperation(first, first));
      }
      case Character.at:
        return this.#add(StatementKind.instruction, first, this.#endOfGuarded(first));
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
        this.#complain("SYNTAX", first, `expected a statement, found ${this.#found(first)}`);
        return this.#add(StatementKind.unknown, first, this.#endOfUnknown(first));
    }
  }

  #add(kind: StatementKind, first: number, end: number): number {
    this.#statements.add(kind, first, end, this.#scope);
    return end;
  }

  #readClose(token: number): number {
    if (this.#scope === 0) {
      this.#complain("UNBALANCED", token, "expected a `{` for this `}`, found none");
      return this.#add(StatementKind.unknown, token, token + 1);
    }
    const statements = this.#statements;
    statements.closes[this.#scope] = statements.count;
    this.#scope = statements.parents[this.#scope]!;
    return this.#add(StatementKind.close, token, token + 1);
  }

  /** Leaves every open scope, with a complaint. */
  #leaveScopes(): void {
    const { opens, parents, closes, firsts, count } = this.#statements;
    for (; this.#scope !== 0; this.#scope = parents[this.#scope]!) {
      closes[this.#scope] = count - 1;
      this.#complain("UNBALANCED", firsts[opens[this.#scope]!]!, "expected a `}` for this `{`, found none");
    }
  }

  #readDirective(first: number): number {
    switch (this.#roleOf(first)) {
      case Role.listed:
        return this.#add(StatementKind.directive, first, this.#endOfList(first));
      case Role.section:
        return this.#add(StatementKind.section, first, this.#endOfSection(first));
      case Role.function:
        return this.#readFunction(first, first);
      case Role.linkage:
        return this.#readLinked(first);
      case Role.variable:
        return this.#add(StatementKind.variable, first, this.#endOfTerminated(first, first + 1, false));
      default:
        return this.#add(StatementKind.directive, first, this.#endOfTerminated(first, first + 1, false));
    }
  }

  /** A function or variable behind one or more linkage directives. */
  #readLinked(first: number): number {
    let token = first;
    let role: Role = Role.linkage;
    while (role === Role.linkage) {
      token = this.#tokens.skipBlanks(token + 1);
      role = this.#kinds[token] === TokenKind.directive ? this.#roleOf(token) : Role.part;
    }
    if (role === Role.function) return this.#readFunction(first, token);
    if (role === Role.variable) {
      return this.#add(StatementKind.variable, first, this.#endOfTerminated(first, token + 1, false));
    }
    const linkage = quoted(this.#tokens.textOf(first));
    this.#complain(
      "SYNTAX",
      first,
      `expected \`.entry\`, \`.func\` or a state space after ${linkage}, found ${this.#found(token)}`,
    );
    return this.#add(StatementKind.unknown, first, this.#trim(first, token));
  }

  /** No function stands in another: what is open before one has lost its brace. */
  #readFunction(first: number, directive: number): number {
    this.#leaveScopes();
    return this.#add(StatementKind.function, first, this.#endOfHeader(first, directive));
  }

  /** To before the body, or behind the semicolon of a declaration. */
  #endOfHeader(first: number, directive: number): number {
    for (let token = directive + 1; ; token++) {
      switch (this.#kinds[token]) {
        case Character.openBrace:
          return this.#trim(first, token);
        case Character.semicolon:
          return token + 1;
        case TokenKind.directive: {
          const role = this.#roleOf(token);
          // A pragma of the function has a semicolon of its own.
          if (role === Role.plain) token = this.#endOfTerminated(first, token + 1, false) - 1;
          else if (role < Role.variable) return this.#unended(first, token, "a body or `;`");
          break;
        }
        case Character.closeBrace:
        case TokenKind.end:
          return this.#unended(first, token, "a body or `;`");
      }
    }
  }

  #endOfGuarded(first: number): number {
    let token = this.#tokens.skipBlanks(first + 1);
    if (this.#kinds[token] === Character.exclamation) token = this.#tokens.skipBlanks(token + 1);
    if (this.#kinds[token] !== TokenKind.word) return this.#unended(first, token, "a predicate");
    token = this.#tokens.skipBlanks(token + 1);
    if (this.#kinds[token] !== TokenKind.word) return this.#unended(first, token, "an opcode");
    return this.#endOfOperation(first, token);
  }

  /** Of an instruction that begins at `first` with the opcode at `opcode`. */
  #endOfOperation(first: number, opcode: number): number {
    // ptxas takes blanks between an opcode and its modifiers.
    let token = this.#tokens.skipBlanks(opcode + 1);
    while (this.#kinds[token] === TokenKind.directive && this.#roleOf(token) >= Role.variable) {
      token = this.#tokens.skipBlanks(token + 1);
    }
    // `ret` without its semicolon before a label.
    const isWord = this.#kinds[token] === TokenKind.word;
    if (isWord && this.#kinds[this.#tokens.skipBlanks(token + 1)] === Character.colon) {
      return this.#unended(first, token, "`;`");
    }
    return this.#endOfTerminated(first, token, true);
  }

  /** Behind the semicolon of the statement that began at `first`; `braces`: whether it may hold some before any `=`. */
  #endOfTerminated(first: number, from: number, braces: boolean): number {
    const kinds = this.#kinds;
    let takesBraces = braces;
    let depth = 0;
    let enclosed = 0;
    let last = from;
    for (let token = from; ; token++) {
      const kind = kinds[token]!;
      if (kind <= TokenKind.comment) continue;
      switch (kind) {
        case Character.semicolon:
          if (depth !== 0 || enclosed !== 0) this.#unclosed(from, token);
          return token + 1;
        case TokenKind.word:
        case TokenKind.integer:
        case TokenKind.float:
        case TokenKind.badNumber:
          if (last !== token && endsOperand(kinds[last]!, braces)) {
            const end = this.#unended(first, token, "`;`");
            if (this.#isNewLine(last, token)) return end;
          }
          break;
        case TokenKind.directive:
          if (enclosed === 0 && this.#roleOf(token) !== Role.part) return this.#unended(first, token, "`;`");
          break;
        case Character.openBrace:
          if (!takesBraces || (last !== token && endsOperand(kinds[last]!, braces))) {
            return this.#unended(first, token, "`;`");
          }
          depth++;
          break;
        case Character.closeBrace:
          if (depth === 0) return this.#unended(first, token, "`;`");
          depth--;
          break;
        case Character.openParenthesis:
        case Character.openBracket:
          enclosed++;
          break;
        case Character.closeParenthesis:
        case Character.closeBracket:
          enclosed--;
          break;
        case Character.equals:
          takesBraces = true;
          break;
        case Character.percent:
          // As inline assembly in CUDA is written, where the compiler takes one away.
          if (kinds[token + 1] === TokenKind.word) {
            const name = quoted(`%${this.#tokens.textOf(token + 1)}`);
            this.#complain("SYNTAX", token, `expected one \`%\` before a name, found ${name}`);
          }
          break;
        case Character.at:
        case TokenKind.end:
          return this.#unended(first, token, "`;`");
      }
      last = token;
    }
  }

  /** A list of numbers and strings, of `.target` words, and of what follows by commas. */
  #endOfList(first: number): number {
    let end = first + 1;
    let token = this.#tokens.skipBlanks(end);
    // A word is taken in `.target sm_90` and behind a comma; otherwise it is the next instruction.
    let words = this.#tokens.textOf(first) === ".target" ? 1 : 0;
    for (; ; token = this.#tokens.skipBlanks(end)) {
      const kind = this.#kinds[token]!;
      if (kind === Character.comma) {
        words = 2;
      } else if (kind === TokenKind.word) {
        if (words-- <= 0) return end;
      } else if (kind === Character.plus) {
        words = 0;
      } else if (
        kind === TokenKind.integer ||
        kind === TokenKind.float ||
        kind === TokenKind.string ||
        kind === TokenKind.badNumber
      ) {
        words = 0;
      } else {
        if (end === first + 1) {
          const directive = quoted(this.#tokens.textOf(first));
          this.#complain("SYNTAX", first, `expected a value after ${directive}, found ${this.#found(token)}`);
        }
        return end;
      }
      end = token + 1;
    }
  }

  /** `.section`, a name, and everything between braces. */
  #endOfSection(first: number): number {
    const name = this.#tokens.skipBlanks(first + 1);
    const isNamed = this.#kinds[name] === TokenKind.directive || this.#kinds[name] === TokenKind.word;
    const open = isNamed ? this.#tokens.skipBlanks(name + 1) : name;
    if (!isNamed || this.#kinds[open] !== Character.openBrace) {
      return this.#unended(first, open, isNamed ? "`{`" : "a name");
    }
    for (let token = open + 1; ; token++) {
      const kind = this.#kinds[token]!;
      if (kind === Character.closeBrace) return token + 1;
      if (kind !== TokenKind.end) continue;
      this.#complain("UNBALANCED", open, "expected a `}` for this `{`, found none");
      return this.#trim(first, token);
    }
  }

  /** Behind a semicolon, or before what can begin a statement. */
  #endOfUnknown(first: number): number {
    for (let token = first + 1; ; token++) {
      switch (this.#kinds[token]) {
        case Character.semicolon:
          return token + 1;
        case Character.at:
        case Character.openBrace:
        case Character.closeBrace:
        case TokenKind.directive:
        case TokenKind.end:
          return this.#trim(first, token);
      }
    }
  }

  #roleOf(directive: number): Role {
    return roleOf(this.#tokens.textOf(directive));
  }

  #isNewLine(from: number, to: number): boolean {
    const { starts, text } = this.#tokens;
    return text.substring(starts[from + 1]!, starts[to]!).includes("\n");
  }

  /** The token behind the last one that a statement can have before `token`. */
  #trim(first: number, token: number): number {
    let end = token;
    while (end > first + 1 && this.#kinds[end - 1]! <= TokenKind.comment) end--;
    return end;
  }

  /** Complains that the statement from `first` on lacks something where `token` stands, and gives the statement's end. */
  #unended(first: number, token: number, expected: string): number {
    const end = this.#trim(first, token);
    const last = this.#tokens.textOf(end - 1);
    this.#complain(
      "SYNTAX",
      end - 1,
      `expected ${expected} after ${quoted(last)}, found ${this.#found(token)}`,
    );
    return end;
  }

  /** Complains of the brackets that a statement's operands leave open or close too often. */
  #unclosed(from: number, semicolon: number): void {
    const last = this.#trim(from, semicolon) - 1;
    this.#complain(
      "UNBALANCED",
      last,
      "expected as many closing as opening brackets before `;`, found others",
    );
  }

  #found(token: number): string {
    return this.#kinds[token] === TokenKind.end ? "the end of the text" : quoted(this.#tokens.textOf(token));
  }

  #complain(code: PtxProblem["code"], token: number, message: string): void {
    const { starts } = this.#tokens;
    this.#problems.add(code, starts[token]!, starts[token + 1]!, message);
  }
}
