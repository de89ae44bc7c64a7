// Resolves names in one walk over the statements with a table of the visible declarations, so that the time does not
// depend on the nesting. A declaration is valid in its whole scope, a label even before its own place, and hides
// declarations of the same name in outer scopes.
import type { Span } from "@mm-ptx/types/core";
import { Character } from "./characters.js";
import { type PtxVariable, readVariables } from "./declaration.js";
import { readFunction } from "./function.js";
import { type PtxDeclaration, PtxNames, type PtxUse } from "./names.js";
import { rangeNameOf, VisibleRanges } from "./range.js";
import { StatementKind, type Statements } from "./statement.js";
import { TokenKind, type Tokens } from "./token.js";

/** Resolves the names of a text. */
export function resolveNames(statements: Statements): PtxNames {
  const declarations = readDeclarations(statements);
  return new PtxNames(statements, declarations, new Resolver(statements, declarations).resolve());
}

/** Every declaration of a text. */
function readDeclarations(statements: Statements): PtxDeclaration[] {
  const { tokens, kinds, firsts, ends, scopes } = statements;
  const declarations: PtxDeclaration[] = [];
  for (let statement = 0; statement < statements.count; statement++) {
    const scope = scopes[statement]!;
    const declare = (kind: PtxDeclaration["kind"], { name, span }: NamedSpan, inside = scope) =>
      declarations.push({ kind, name, span, scope: inside, statement });
    switch (kinds[statement]) {
      case StatementKind.label:
        declare("label", nameAt(tokens, firsts[statement]!));
        break;
      case StatementKind.section:
        for (let token = firsts[statement]!; token < ends[statement]!; token++) {
          if (isLabel(tokens, token)) declare("label", nameAt(tokens, token));
        }
        break;
      case StatementKind.variable:
        for (const { name, nameSpan: span, space, count } of readVariables(statements, statement)) {
          const kind = space === "reg" || space === "sreg" ? "register" : "variable";
          if (count === undefined) declare(kind, { name, span });
          else declarations.push({ kind, name, span, scope, count, statement });
        }
        break;
      case StatementKind.function: {
        const read = readFunction(statements, statement);
        if (read === undefined) break;
        // The parameters of a declaration without a body cannot be used anywhere.
        const { name, nameSpan, scope: body } = read;
        const declareAll = (list: readonly PtxVariable[]) => {
          for (const { name, nameSpan: span } of list) {
            if (body !== undefined) declare("parameter", { name, span }, body);
          }
        };
        declareAll(read.results);
        declare("function", { name, span: nameSpan });
        declareAll(read.parameters);
        break;
      }
    }
  }
  return declarations;
}

/** Directives whose words are names. */
const NAMING: ReadonlySet<string> = new Set([".alias", ".branchtargets", ".calltargets"]);

class Resolver {
  readonly #statements: Statements;
  readonly #tokens: Tokens;
  readonly #declarations: readonly PtxDeclaration[];
  readonly #byScope = new Map<number, PtxDeclaration[]>();
  /** The declarations of each name in the surrounding scopes, the innermost last. */
  readonly #names = new Map<string, PtxDeclaration[]>();
  readonly #ranges = new Map<string, VisibleRanges>();
  /** The names that sections of debug data can refer to: anything in any function. */
  #anywhere: Map<string, PtxDeclaration> | undefined;
  readonly #uses: PtxUse[] = [];

  constructor(statements: Statements, declarations: readonly PtxDeclaration[]) {
    this.#statements = statements;
    this.#tokens = statements.tokens;
    this.#declarations = declarations;
    for (const declaration of declarations) push(this.#byScope, declaration.scope, declaration);
  }

  resolve(): PtxUse[] {
    const { kinds, scopes, parents, count } = this.#statements;
    let scope = 0;
    let opened = 0;
    this.#enter(0);
    for (let statement = 0; statement < count; statement++) {
      for (; scope !== scopes[statement]; scope = parents[scope]!) this.#leave(scope);
      const kind = kinds[statement];
      if (kind === StatementKind.open) {
        scope = ++opened;
        this.#enter(scope);
      } else if (kind === StatementKind.instruction) this.#useOperands(statement);
      else if (kind === StatementKind.variable) this.#useInitializers(statement);
      else if (kind === StatementKind.directive) this.#useDirective(statement);
      else if (kind === StatementKind.section) this.#useSection(statement);
    }
    return this.#uses;
  }

  #enter(scope: number): void {
    for (const declaration of this.#byScope.get(scope) ?? []) {
      if (declaration.count === undefined) push(this.#names, declaration.name, declaration);
      else this.#rangesOf(declaration.name).enter(declaration);
    }
  }

  #leave(scope: number): void {
    for (const { name, count } of this.#byScope.get(scope) ?? []) {
      if (count === undefined) this.#names.get(name)!.pop();
      else this.#rangesOf(name).leave();
    }
  }

  #rangesOf(name: string): VisibleRanges {
    const known = this.#ranges.get(name);
    if (known !== undefined) return known;
    const ranges = new VisibleRanges();
    this.#ranges.set(name, ranges);
    return ranges;
  }

  #useOperands(statement: number): void {
    const { kinds } = this.#tokens;
    const end = this.#statements.ends[statement]!;
    let token = this.#statements.firsts[statement]!;
    if (kinds[token] === Character.at) {
      while (token < end && kinds[token] !== TokenKind.word) token++;
      if (token < end) this.#use(token++, statement);
      while (token < end && kinds[token] !== TokenKind.word) token++;
    }
    this.#useWords(token + 1, end, statement);
  }

  /** Resolves the names after the `=` of each declared variable. */
  #useInitializers(statement: number): void {
    const { kinds } = this.#tokens;
    const end = this.#statements.ends[statement]!;
    let depth = 0;
    let isValue = false;
    for (let token = this.#statements.firsts[statement]!; token < end; token++) {
      const kind = kinds[token]!;
      if (kind === Character.equals) isValue = true;
      else if (kind === Character.openBrace || kind === Character.openParenthesis) depth++;
      else if (kind === Character.closeBrace || kind === Character.closeParenthesis) depth--;
      else if (kind === Character.comma && depth === 0) isValue = false;
      else if (kind === TokenKind.word && isValue && this.#tokens.textOf(token) !== "generic") {
        this.#use(token, statement);
      }
    }
  }

  #useDirective(statement: number): void {
    const first = this.#statements.firsts[statement]!;
    const end = this.#statements.ends[statement]!;
    const directive = this.#tokens.textOf(first);
    if (NAMING.has(directive)) this.#useWords(first + 1, end, statement);
    else if (directive === ".loc") {
      for (let token = first + 1; token < end; token++) {
        if (this.#tokens.textOf(token) !== "function_name") continue;
        const name = this.#tokens.skipBlanks(token + 1);
        if (name < end && this.#tokens.kinds[name] === TokenKind.word) this.#use(name, statement, true);
      }
    }
  }

  #useSection(statement: number): void {
    const { kinds } = this.#tokens;
    const end = this.#statements.ends[statement]!;
    let token = this.#statements.firsts[statement]!;
    while (token < end && kinds[token] !== Character.openBrace) token++;
    for (; token < end; token++) {
      if (kinds[token] === TokenKind.word && !isLabel(this.#tokens, token)) this.#use(token, statement, true);
    }
  }

  #useWords(from: number, end: number, statement: number): void {
    for (let token = from; token < end; token++) {
      if (this.#tokens.kinds[token] === TokenKind.word) this.#use(token, statement);
    }
  }

  /** `anywhere`: whether names of any function can be meant, as in debug data. */
  #use(token: number, statement: number, anywhere = false): void {
    const { name, span } = nameAt(this.#tokens, token);
    if (name === "_") return;
    const declaration = this.#meaning(name) ?? (anywhere ? this.#meaningAnywhere(name) : undefined);
    this.#uses.push({ name, span, statement, declaration });
  }

  #meaning(name: string): PtxDeclaration | undefined {
    const single = this.#names.get(name)?.at(-1);
    const range = this.#ranges.get(rangeNameOf(name))?.find(name);
    if (single === undefined || range === undefined) return single ?? range;
    // Scopes are numbered in the order in which they open: of two scopes around one place, the later one is the inner
    // one.
    return single.scope < range.scope ? range : single;
  }

  #meaningAnywhere(name: string): PtxDeclaration | undefined {
    if (this.#anywhere === undefined) {
      this.#anywhere = new Map();
      for (const declaration of this.#declarations) {
        if (!this.#anywhere.has(declaration.name)) this.#anywhere.set(declaration.name, declaration);
      }
    }
    return this.#anywhere.get(name);
  }
}

function push<Key>(lists: Map<Key, PtxDeclaration[]>, key: Key, declaration: PtxDeclaration): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [declaration]);
  else list.push(declaration);
}

/** A name and where it stands. */
interface NamedSpan {
  readonly name: string;
  readonly span: Span;
}

/** The name at the start of a word, without the parts that follow a dot. */
function nameAt({ text, starts }: Tokens, token: number): NamedSpan {
  const start = starts[token]!;
  const word = text.substring(start, starts[token + 1]!);
  const dot = word.indexOf(".");
  const name = dot === -1 ? word : word.slice(0, dot);
  return { name, span: { start, end: start + name.length } };
}

/** Whether a word of a section is followed by a colon. */
function isLabel(tokens: Tokens, token: number): boolean {
  return (
    tokens.kinds[token] === TokenKind.word && tokens.kinds[tokens.skipBlanks(token + 1)] === Character.colon
  );
}
