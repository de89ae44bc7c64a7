// Parses declarations of variables, registers and parameters: `.global .align 4 .b8 table[16] = {…}, next;` and the
// parameter lists of a function (PTX ISA, State Spaces, Types, and Variables).
import type { Span } from "@mm-ptx/types/core";
import { Character } from "./characters.js";
import { integerValue } from "./number.js";
import type { Statements } from "./statement.js";
import { TokenKind, type Tokens } from "./token.js";

/** The state space of a variable. */
export type StateSpace = "const" | "global" | "local" | "param" | "reg" | "shared" | "sreg" | "tex";

/** The linkage of a name; a name without linkage is not visible to other modules. */
export type Linkage = "common" | "extern" | "visible" | "weak";

/** A variable, a register, a range of registers, or a parameter. */
export interface PtxVariable {
  readonly name: string;
  readonly nameSpan: Span;
  /** The span from the name up to the comma or semicolon; for a parameter, it includes the space and type. */
  readonly span: Span;
  readonly space: StateSpace;
  readonly linkage?: Linkage;
  /** Without the dot, for example `f32`; `undefined` when the text has none. */
  readonly type: string | undefined;
  /** The number of elements: 2, 4 or 8 for `.v2`, `.v4`, `.v8`; 1 otherwise. */
  readonly vector: number;
  /**
   * The alignment in bytes, as written or that of the type; `undefined` for types without a size, such as `.texref`.
   */
  readonly align: number | undefined;
  /** The size in bytes; `undefined` for types without a size, and for an array whose length is not given. */
  readonly bytes: number | undefined;
  /** Lengths of array dimensions, outermost first; `undefined` for `[]`. */
  readonly dimensions: readonly (number | undefined)[];
  /** N of a range `%r<N>`, which declares `%r0` to `%r(N-1)`. */
  readonly count?: number;
  /** The initial value, after the `=`. */
  readonly initializer?: Span;
  /** For a kernel's parameter with `.ptr`, the memory that it points to. */
  readonly pointer?: { readonly space: string | undefined; readonly align: number | undefined };
  /** The index of the statement that declares it; for a parameter, that of the function's header. */
  readonly statement: number;
}

/** The size in bytes of each type that has one. */
const SIZES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    1: "b8 u8 s8",
    2: "b16 u16 s16 f16 bf16",
    4: "b32 u32 s32 f32 f16x2 bf16x2",
    8: "b64 u64 s64 f64",
    16: "b128",
  }).flatMap(([size, types]) => types.split(" ").map((type): [string, number] => [type, Number(size)])),
);

const TYPES: ReadonlySet<string> = new Set([...SIZES.keys(), "pred", "texref", "samplerref", "surfref"]);
const SPACES: ReadonlySet<string> = new Set([
  "const",
  "global",
  "local",
  "param",
  "reg",
  "shared",
  "sreg",
  "tex",
]);
const LINKAGES: ReadonlyMap<string, Linkage> = new Map([
  [".common", "common"],
  [".extern", "extern"],
  [".visible", "visible"],
  [".weak", "weak"],
]);

/** The linkage that a directive (with its dot) specifies. */
export function linkageOf(directive: string): Linkage | undefined {
  return LINKAGES.get(directive);
}
const VECTORS: ReadonlyMap<string, number> = new Map([
  ["v2", 2],
  ["v4", 4],
  ["v8", 8],
]);

/** The part of a declaration before the names. */
interface Specifiers {
  space: StateSpace | undefined;
  linkage: Linkage | undefined;
  type: string | undefined;
  vector: number;
  align: number | undefined;
  pointer: { space: string | undefined; align: number | undefined } | undefined;
}

/** The variables that a statement of kind "variable" declares. */
export function readVariables(statements: Statements, statement: number): PtxVariable[] {
  const { tokens, firsts, ends } = statements;
  const reader = new DeclarationReader(tokens, firsts[statement]!, ends[statement]!, statement);
  const specifiers = reader.readSpecifiers();
  const variables: PtxVariable[] = [];
  do {
    const variable = reader.readName(specifiers, undefined);
    if (variable !== undefined) variables.push(variable);
  } while (reader.takeComma());
  return variables;
}

/** The parameters between two tokens of a function's header. */
export function readParameters(tokens: Tokens, first: number, end: number, statement: number): PtxVariable[] {
  const reader = new DeclarationReader(tokens, first, end, statement);
  const parameters: PtxVariable[] = [];
  do {
    const { start } = reader;
    const parameter = reader.readName(reader.readSpecifiers(), start);
    if (parameter !== undefined) parameters.push(parameter);
  } while (reader.takeComma());
  return parameters;
}

class DeclarationReader {
  readonly #tokens: Tokens;
  readonly #end: number;
  /** The next token that is not blank; at the end it is `#end`. */
  #token: number;

  readonly #statement: number;

  constructor(tokens: Tokens, first: number, end: number, statement: number) {
    this.#tokens = tokens;
    this.#statement = statement;
    this.#end = end;
    this.#token = first - 1;
    this.#advance();
  }

  /** The offset of the next token. */
  get start(): number {
    return this.#tokens.starts[this.#token]!;
  }

  #kind(): number {
    return this.#token < this.#end ? this.#tokens.kinds[this.#token]! : TokenKind.end;
  }

  get #text(): string {
    return this.#tokens.textOf(this.#token);
  }

  #advance(): void {
    this.#token = Math.min(this.#end, this.#tokens.skipBlanks(this.#token + 1));
  }

  readSpecifiers(): Specifiers {
    const found: Specifiers = {
      space: undefined,
      linkage: undefined,
      type: undefined,
      vector: 1,
      align: undefined,
      pointer: undefined,
    };
    while (this.#kind() === TokenKind.directive) {
      const word = this.#text.slice(1);
      const linkage = linkageOf(this.#text);
      this.#advance();
      if (word === "ptr") {
        found.pointer = { space: undefined, align: undefined };
      } else if (word === "align") {
        const align = this.#takeInteger();
        if (found.pointer === undefined) found.align = align;
        else found.pointer.align = align;
      } else if (SPACES.has(word)) {
        if (found.pointer === undefined) found.space = word as StateSpace;
        else found.pointer.space = word;
      } else if (linkage !== undefined) found.linkage = linkage;
      else if (TYPES.has(word)) found.type = word;
      else if (VECTORS.has(word)) found.vector = VECTORS.get(word)!;
      else if (this.#kind() === Character.openParenthesis) this.#skipParentheses();
    }
    return found;
  }

  /** Reads a name with its count, dimensions and initial value; `from` is the start of the span when that is not the name. */
  readName(specifiers: Specifiers, from: number | undefined): PtxVariable | undefined {
    if (this.#kind() !== TokenKind.word) {
      this.#skipToComma();
      return undefined;
    }
    const name = this.#text;
    const nameSpan = { start: this.start, end: this.#tokens.end(this.#token) };
    this.#advance();
    const count = this.#readCount();
    const dimensions = this.#readDimensions();
    const initializer = this.#readInitializer();
    this.#skipToComma();
    const { space, linkage, type, vector, align, pointer } = specifiers;
    const element = SIZES.get(type ?? "");
    const value = element === undefined ? undefined : element * vector;
    return {
      name,
      nameSpan,
      span: { start: from ?? nameSpan.start, end: this.#lastEnd() },
      space: space ?? "param",
      ...(linkage === undefined ? {} : { linkage }),
      type,
      vector,
      align: align ?? value,
      bytes: dimensions.reduce(times, value),
      dimensions,
      ...(count === undefined ? {} : { count }),
      ...(initializer === undefined ? {} : { initializer }),
      ...(pointer === undefined ? {} : { pointer }),
      statement: this.#statement,
    };
  }

  takeComma(): boolean {
    if (this.#kind() !== Character.comma) return false;
    this.#advance();
    return true;
  }

  #readCount(): number | undefined {
    if (this.#kind() !== Character.less) return undefined;
    this.#advance();
    const count = this.#takeInteger();
    if (this.#kind() === Character.greater) this.#advance();
    return count;
  }

  #readDimensions(): (number | undefined)[] {
    const dimensions: (number | undefined)[] = [];
    while (this.#kind() === Character.openBracket) {
      this.#advance();
      dimensions.push(this.#takeInteger());
      if (this.#kind() === Character.closeBracket) this.#advance();
    }
    return dimensions;
  }

  #readInitializer(): Span | undefined {
    if (this.#kind() !== Character.equals) return undefined;
    this.#advance();
    const start = this.start;
    this.#skipToComma();
    return { start, end: this.#lastEnd() };
  }

  #takeInteger(): number | undefined {
    if (this.#kind() !== TokenKind.integer) return undefined;
    const value = integerValue(this.#text);
    this.#advance();
    return value;
  }

  /** Moves to the comma that ends a declared name, or to the end. */
  #skipToComma(): void {
    let depth = 0;
    for (; this.#kind() !== TokenKind.end; this.#advance()) {
      const kind = this.#kind();
      if (kind === Character.semicolon || (kind === Character.comma && depth === 0)) return;
      if (kind === Character.openBrace || kind === Character.openParenthesis) depth++;
      else if (kind === Character.closeBrace || kind === Character.closeParenthesis) depth--;
    }
  }

  #skipParentheses(): void {
    let depth = 0;
    do {
      if (this.#kind() === Character.openParenthesis) depth++;
      else if (this.#kind() === Character.closeParenthesis) depth--;
      this.#advance();
    } while (depth > 0 && this.#kind() !== TokenKind.end);
  }

  /** The end of the last token before the next one that is not blank. */
  #lastEnd(): number {
    const { kinds, starts } = this.#tokens;
    let token = this.#token;
    while (kinds[token - 1]! <= TokenKind.comment) token--;
    return starts[token]!;
  }
}

const times = (product: number | undefined, factor: number | undefined): number | undefined =>
  product === undefined || factor === undefined ? undefined : product * factor;
