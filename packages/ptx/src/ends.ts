// Finds the ends of statements. A statement without an end is closed where the next one certainly begins, so that one
// mistake does not hide another.
import { quoted } from "@mm-ptx/types/internal";
import { Character } from "./characters.js";
import { Role, roleOf } from "./directive-table.js";
import type { Problems, PtxProblem } from "./error.js";
import { TokenKind, type Tokens } from "./token.js";

/**
 * Whether a token ends an operand, so that only a punctuation mark can follow. In a call prototype, a name may follow a
 * list.
 */
function endsOperand(kind: number, isInstruction: boolean): boolean {
  if (kind === Character.closeParenthesis) return isInstruction;
  return (
    (kind >= TokenKind.word && kind <= TokenKind.float) ||
    kind === TokenKind.badNumber ||
    kind === Character.closeBracket ||
    kind === Character.closeBrace
  );
}

/** Finds the token after each kind of statement; missing parts are added to the problems. */
export class StatementEnds {
  readonly #tokens: Tokens;
  readonly #kinds: Uint8Array;
  readonly #problems: Problems;

  constructor(tokens: Tokens, problems: Problems) {
    this.#tokens = tokens;
    this.#kinds = tokens.kinds;
    this.#problems = problems;
  }

  /** The end of a header: before the body, or after the semicolon of a declaration. */
  header(first: number, directive: number): number {
    for (let token = directive + 1; ; token++) {
      switch (this.#kinds[token]) {
        case Character.openBrace:
          return this.trim(first, token);
        case Character.semicolon:
          return token + 1;
        case TokenKind.directive: {
          const role = this.roleOf(token);
          // A pragma of the function has its own semicolon.
          if (role === Role.plain) token = this.terminated(first, token + 1, false) - 1;
          else if (role < Role.variable) return this.#unended(first, token, "a body or `;`");
          break;
        }
        case Character.closeBrace:
        case TokenKind.end:
          return this.#unended(first, token, "a body or `;`");
      }
    }
  }

  /** The end of an instruction that begins with `@`. */
  guarded(first: number): number {
    let token = this.#tokens.skipBlanks(first + 1);
    if (this.#kinds[token] === Character.exclamation) token = this.#tokens.skipBlanks(token + 1);
    if (this.#kinds[token] !== TokenKind.word) return this.#unended(first, token, "a predicate");
    token = this.#tokens.skipBlanks(token + 1);
    if (this.#kinds[token] !== TokenKind.word) return this.#unended(first, token, "an opcode");
    return this.operation(first, token);
  }

  /** The end of an instruction that begins at `first` and has its opcode at `opcode`. */
  operation(first: number, opcode: number): number {
    // ptxas accepts blanks between an opcode and its modifiers.
    let token = this.#tokens.skipBlanks(opcode + 1);
    while (this.#kinds[token] === TokenKind.directive && this.roleOf(token) >= Role.variable) {
      token = this.#tokens.skipBlanks(token + 1);
    }
    // `ret` without its semicolon before a label.
    const isWord = this.#kinds[token] === TokenKind.word;
    if (isWord && this.#kinds[this.#tokens.skipBlanks(token + 1)] === Character.colon) {
      return this.#unended(first, token, "`;`");
    }
    return this.terminated(first, token, true);
  }

  /**
   * Finds the token after the semicolon of the statement that begins at `first`; `braces` says whether it may contain
   * braces before any `=`.
   */
  terminated(first: number, from: number, braces: boolean): number {
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
          if (enclosed === 0 && this.roleOf(token) !== Role.part) return this.#unended(first, token, "`;`");
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
          // Written as in CUDA's inline assembly, where the compiler removes one `%`.
          if (kinds[token + 1] === TokenKind.word) {
            const name = quoted(`%${this.#tokens.textOf(token + 1)}`);
            this.complain("SYNTAX", token, `expected one \`%\` before a name, found ${name}`);
          }
          break;
        case Character.at:
        case TokenKind.end:
          return this.#unended(first, token, "`;`");
      }
      last = token;
    }
  }

  /**
   * The end of a list of numbers and strings, of the words of `.target`, and of anything that continues after commas.
   */
  list(first: number): number {
    let end = first + 1;
    let token = this.#tokens.skipBlanks(end);
    // A word is part of the list in `.target sm_90` and after a comma; otherwise it is the next instruction.
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
          this.complain("SYNTAX", first, `expected a value after ${directive}, found ${this.found(token)}`);
        }
        return end;
      }
      end = token + 1;
    }
  }

  /** `.section`, a name, and everything between the braces. */
  section(first: number): number {
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
      this.complain("UNBALANCED", open, "expected a `}` for this `{`, found none");
      return this.trim(first, token);
    }
  }

  /** The token after a semicolon, or the first token that can begin a statement. */
  unknown(first: number): number {
    for (let token = first + 1; ; token++) {
      switch (this.#kinds[token]) {
        case Character.semicolon:
          return token + 1;
        case Character.at:
        case Character.openBrace:
        case Character.closeBrace:
        case TokenKind.directive:
        case TokenKind.end:
          return this.trim(first, token);
      }
    }
  }

  roleOf(directive: number): Role {
    return roleOf(this.#tokens.textOf(directive));
  }

  #isNewLine(from: number, to: number): boolean {
    const { starts, text } = this.#tokens;
    return text.substring(starts[from + 1]!, starts[to]!).includes("\n");
  }

  /** The token after the last one that a statement can have before `token`. */
  trim(first: number, token: number): number {
    let end = token;
    while (end > first + 1 && this.#kinds[end - 1]! <= TokenKind.comment) end--;
    return end;
  }

  /** Reports that the statement that begins at `first` lacks something at `token`; returns the statement's end. */
  #unended(first: number, token: number, expected: string): number {
    const end = this.trim(first, token);
    const last = this.#tokens.textOf(end - 1);
    this.complain(
      "SYNTAX",
      end - 1,
      `expected ${expected} after ${quoted(last)}, found ${this.found(token)}`,
    );
    return end;
  }

  /** Reports brackets that a statement's operands leave open or close too often. */
  #unclosed(from: number, semicolon: number): void {
    const last = this.trim(from, semicolon) - 1;
    this.complain(
      "UNBALANCED",
      last,
      "expected as many closing as opening brackets before `;`, found others",
    );
  }

  found(token: number): string {
    return this.#kinds[token] === TokenKind.end ? "the end of the text" : quoted(this.#tokens.textOf(token));
  }

  complain(code: PtxProblem["code"], token: number, message: string): void {
    const { starts } = this.#tokens;
    this.#problems.add(code, starts[token]!, starts[token + 1]!, message);
  }
}
