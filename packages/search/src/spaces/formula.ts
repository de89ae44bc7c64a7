// Formulas: programs as text, `a * sin(b + 1.5)`, read into words with operands before operators, and written with no more brackets than
// are needed to read the same words back.
import { literalBits, parseExpression, printExpression } from "@mm-ptx/ast";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { AstWord } from "./ast-layout.js";

/** What the names of a formula mean. */
export interface Vocabulary {
  /** What messages call the formula, for example `function \`gauss\``. */
  readonly subject: string;
  /** The number of a function or instruction, or -1. */
  operator(name: string): number;
  /** The words of an operator. */
  head(operator: number): number;
  payload(operator: number): number;
  /** The number of a variable, or -1. */
  variable(name: string): number;
  /** The type of the instruction that reads a variable. */
  readonly variableType: number;
  /** All names, for suggestions. */
  readonly operatorNames: readonly string[];
  readonly variableNames: readonly string[];
}

/** How tightly operators bind. */
const enum Binding {
  sum = 1,
  product = 2,
  negation = 3,
  whole = 4,
}

interface Infix {
  readonly symbol: string;
  readonly name: string;
  readonly binding: Binding;
}

/** The operators that are written between their operands, and the instructions that they stand for. */
export const INFIXES: readonly Infix[] = [
  { symbol: "+", name: "add", binding: Binding.sum },
  { symbol: "-", name: "sub", binding: Binding.sum },
  { symbol: "*", name: "mul", binding: Binding.product },
  { symbol: "/", name: "div", binding: Binding.product },
];

const TOKEN =
  /\s*(?:(0[fF][0-9A-Fa-f]{8}(?![\w$.])|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|([A-Za-z_$][\w$.]*)|([-+*/(),]))/y;

type Kind = "number" | "name" | "symbol" | "end";

interface Token {
  readonly kind: Kind;
  readonly text: string;
  readonly at: number;
}

/** An open bracket or call, or an operator that waits for its last operand. */
interface Pending {
  readonly kind: "group" | "call" | "operator";
  /** The number of the operator or function. */
  readonly operator: number;
  readonly binding: Binding;
  readonly token: Token;
  /** The number of operands before those of a call. */
  readonly before: number;
}

/** The words of a formula. @throws SearchError INVALID_ARGUMENT with the column of what is wrong */
export function parseFormula(text: string, vocabulary: Vocabulary): Uint32Array {
  return new Parser(text, vocabulary).parse();
}

class Parser {
  readonly #text: string;
  readonly #names: Vocabulary;
  readonly #words: number[] = [];
  readonly #pending: Pending[] = [];
  #operands = 0;
  #token: Token;

  constructor(text: string, vocabulary: Vocabulary) {
    this.#text = text;
    this.#names = vocabulary;
    this.#token = this.#read(0);
  }

  parse(): Uint32Array {
    for (;;) {
      this.#operand();
      while (this.#is(")")) this.#close();
      if (this.#token.kind === "end") break;
      this.#separator();
    }
    this.#apply(Binding.sum);
    const open = this.#pending.at(-1);
    if (open !== undefined) throw this.#wrong("a `)` for this `(`", "the end of the formula", open.token);
    return Uint32Array.from(this.#words);
  }

  /** Reads up to the end of an operand, with the signs, brackets and names of functions before it. */
  #operand(): void {
    for (;;) {
      const token = this.#take();
      if (token.kind === "number") {
        this.#push(AstWord.constant, this.#bits(token, ""));
        return;
      }
      if (token.kind === "name") {
        if (!this.#is("(")) {
          this.#variable(token);
          return;
        }
        this.#call(token);
        if (this.#is(")")) return;
      } else if (token.text === "(") {
        this.#pending.push({ kind: "group", operator: 0, binding: Binding.whole, token, before: 0 });
      } else if (token.text === "-") {
        if (this.#token.kind === "number") {
          this.#push(AstWord.constant, this.#bits(this.#take(), "-"));
          return;
        }
        const operator = this.#known("neg", token);
        this.#pending.push({ kind: "operator", operator, binding: Binding.negation, token, before: 0 });
      } else throw this.#wrong("an operand", describe(token), token);
    }
  }

  #separator(): void {
    const token = this.#take();
    const infix = INFIXES.find(({ symbol }) => symbol === token.text);
    if (infix !== undefined) {
      this.#apply(infix.binding);
      const operator = this.#known(infix.name, token);
      this.#pending.push({ kind: "operator", operator, binding: infix.binding, token, before: 0 });
      return;
    }
    this.#apply(Binding.sum);
    const around = this.#pending.at(-1)?.kind;
    if (token.text === "," && around === "call") return;
    const expected =
      around === "call"
        ? "an operator, `,` or `)`"
        : around === "group"
          ? "an operator or `)`"
          : "an operator or the end of the formula";
    throw this.#wrong(expected, describe(token), token);
  }

  #call(token: Token): void {
    const operator = this.#known(token.text, token);
    this.#take();
    const before = this.#operands;
    this.#pending.push({ kind: "call", operator, binding: Binding.whole, token, before });
  }

  #close(): void {
    this.#apply(Binding.sum);
    const opened = this.#pending.pop();
    if (opened?.kind === "call") {
      const found = this.#operands - opened.before;
      const expected = this.#names.head(opened.operator) >>> AstWord.arityShift;
      if (found !== expected) {
        const operands = `${expected} operand${expected === 1 ? "" : "s"} of ${quoted(opened.token.text)}`;
        throw this.#wrong(operands, String(found), opened.token);
      }
      this.#emit(opened.operator);
    } else if (opened === undefined)
      throw this.#wrong("an operator or the end", describe(this.#token), this.#token);
    this.#take();
  }

  /** Writes the waiting operators that bind at least this tightly. */
  #apply(binding: Binding): void {
    for (
      let top = this.#pending.at(-1);
      top?.kind === "operator" && top.binding >= binding;
      top = this.#pending.at(-1)
    ) {
      this.#pending.pop();
      this.#emit(top.operator);
    }
  }

  #emit(operator: number): void {
    const head = this.#names.head(operator);
    this.#words.push(head, this.#names.payload(operator));
    this.#operands += 1 - (head >>> AstWord.arityShift);
  }

  #push(head: number, payload: number): void {
    this.#words.push(head, payload);
    this.#operands++;
  }

  /** A variable, or a function without arguments. */
  #variable(token: Token): void {
    const number = this.#names.variable(token.text);
    if (number < 0) {
      const operator = this.#names.operator(token.text);
      if (operator >= 0 && this.#names.head(operator) >>> AstWord.arityShift === 0) {
        this.#emit(operator);
        return;
      }
      const hint = didYouMean(token.text, this.#names.variableNames);
      throw this.#wrong("a variable", `${quoted(token.text)}${hint}`, token);
    }
    this.#push(this.#names.variableType, number);
  }

  #known(name: string, token: Token): number {
    const operator = this.#names.operator(name);
    if (operator >= 0) return operator;
    const hint = didYouMean(name, this.#names.operatorNames);
    throw this.#wrong("the name of an operator", `${quoted(name)}${hint}`, token);
  }

  #bits(token: Token, sign: string): number {
    try {
      const expression = parseExpression(sign + token.text);
      if (expression.kind === "constant") return expression.bits;
    } catch {
      // Beyond the range of f32.
    }
    throw this.#wrong("a number that f32 can hold", quoted(token.text), token);
  }

  #is(symbol: string): boolean {
    return this.#token.text === symbol;
  }

  #take(): Token {
    const token = this.#token;
    if (token.kind !== "end") this.#token = this.#read(token.at + token.text.length);
    return token;
  }

  #read(from: number): Token {
    TOKEN.lastIndex = from;
    const found = TOKEN.exec(this.#text);
    if (found !== null) {
      const [whole, number, name, symbol] = found;
      const text = number ?? name ?? symbol ?? "";
      const kind = number !== undefined ? "number" : name !== undefined ? "name" : "symbol";
      return { kind, text, at: from + whole.length - text.length };
    }
    const rest = this.#text.slice(from).trimStart();
    const at = this.#text.length - rest.length;
    if (rest === "") return { kind: "end", text: "", at: this.#text.length };
    const character = String.fromCodePoint(rest.codePointAt(0)!);
    throw this.#wrong("a number, a name or an operator", quoted(character), {
      kind: "symbol",
      text: character,
      at,
    });
  }

  #wrong(expected: string, found: string, { at }: Token): SearchError {
    const { subject } = this.#names;
    return new SearchError(
      "INVALID_ARGUMENT",
      `${subject}, column ${at + 1}: expected ${expected}, found ${found}`,
    );
  }
}

const describe = ({ kind, text }: Token): string =>
  kind === "end" ? "the end of the formula" : quoted(text);

/** What a formula is written with. */
export interface Spelling {
  /** The name of an operator, of its two words. */
  operatorName(head: number, payload: number): string;
  variableName(payload: number): string;
}

interface Piece {
  readonly text: string;
  readonly binding: Binding;
}

/** The formula of words that are a program. */
export function printFormula(words: Uint32Array, start: number, end: number, spelling: Spelling): string {
  const pieces: Piece[] = [];
  for (let at = start; at < end; at += AstWord.perInstruction) {
    const head = words[at]!;
    const payload = words[at + 1]!;
    const type = head & AstWord.typeMask;
    if (type === AstWord.constant) {
      pieces.push({ text: constantText(payload), binding: Binding.whole });
    } else if (type === AstWord.input || type === AstWord.argument) {
      pieces.push({ text: spelling.variableName(payload), binding: Binding.whole });
    } else {
      const operands = pieces.splice(pieces.length - (head >>> AstWord.arityShift));
      pieces.push(operation(spelling.operatorName(head, payload), operands));
    }
  }
  return pieces[0]!.text;
}

function operation(name: string, operands: readonly Piece[]): Piece {
  const infix = INFIXES.find((each) => each.name === name);
  if (infix !== undefined && operands.length === 2) {
    const { binding, symbol } = infix;
    const [left, right] = operands;
    // Operators are left-associative.
    return { text: `${within(left!, binding)} ${symbol} ${within(right!, binding + 1)}`, binding };
  }
  if (name === "neg" && operands.length === 1) {
    const [operand] = operands;
    // `-1` is a number, so the negation of a number has brackets, and `--x` is a decrement in other languages.
    const isNumber = /^[0-9]/.test(operand!.text) && operand!.binding === Binding.whole;
    const text =
      isNumber || operand!.text.startsWith("-") ? `(${operand!.text})` : within(operand!, Binding.negation);
    return { text: `-${text}`, binding: Binding.negation };
  }
  if (operands.length === 0) return { text: name, binding: Binding.whole };
  return { text: `${name}(${operands.map(({ text }) => text).join(", ")})`, binding: Binding.whole };
}

const within = ({ text, binding }: Piece, least: Binding): string => (binding < least ? `(${text})` : text);

/** The fewest digits that read back as the same f32. */
export const constantText = (bits: number): string => printExpression(literalBits(bits));
