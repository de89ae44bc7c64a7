// The tokens of math text: numbers, names, operators, parentheses, commas.
import type { Span } from "@mm-ptx/types/core";
import { syntaxError } from "../error.js";
import { decimalToBits } from "./decimal.js";
import { cureOf } from "./syntax.js";

export type TokenKind = "number" | "name" | "symbol" | "end";

export interface Token extends Span {
  readonly kind: TokenKind;
  readonly text: string;
  /** The f32 bits of a number token. */
  readonly bits: number;
}

const BLANKS = /\s*/y;
/** May be followed by a point and an element of a special register. */
const NAME = /[A-Za-z_$][A-Za-z0-9_$]*(?:\.[xyzw](?![A-Za-z0-9_$.]))?/y;
/** Powers, which are not an operation here. */
const POWER = /\^|\*\*/y;
/** PTX's notation for an f32. */
const HEX = /0[fF][0-9A-Za-z_]*/y;
const DECIMAL = /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const SYMBOLS = "+-*/(),";
const INFINITY_BITS = 0x7f800000;

/** Reads the token at an offset, after any blanks. @throws AstPtxError SYNTAX */
export function tokenAt(text: string, offset: number): Token {
  const start = offset + lengthOf(BLANKS, text, offset);
  if (start >= text.length) return { kind: "end", text: "", bits: 0, start, end: start };
  const token = (kind: TokenKind, length: number, bits = 0): Token => {
    const end = start + length;
    return { kind, text: text.slice(start, end), bits, start, end };
  };
  const power = lengthOf(POWER, text, start);
  if (power > 0) {
    const { text: symbol, end } = token("symbol", power);
    throw syntaxError(`expected an operator, found \`${symbol}\`${cureOf(symbol)}`, text, { start, end });
  }
  if (SYMBOLS.includes(text[start]!)) return token("symbol", 1);
  const name = lengthOf(NAME, text, start);
  if (name > 0) return token("name", name);
  const hex = lengthOf(HEX, text, start);
  if (hex > 0) return token("number", hex, hexBits(text, start, hex));
  const decimal = lengthOf(DECIMAL, text, start);
  if (decimal > 0) return token("number", decimal, decimalBits(text, start, decimal));
  const character = String.fromCodePoint(text.codePointAt(start)!);
  const end = start + character.length;
  throw syntaxError(`expected a number, a name or an operator, found \`${character}\``, text, { start, end });
}

/** The name of a token in messages. */
export function describeToken({ kind, text }: Token): string {
  return kind === "end" ? "the end of the text" : `\`${text}\``;
}

function lengthOf(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0].length ?? 0;
}

function hexBits(text: string, start: number, length: number): number {
  const digits = text.slice(start + 2, start + length);
  if (!/^[0-9A-Fa-f]{8}$/.test(digits)) {
    const found = text.slice(start, start + length);
    throw syntaxError(`expected eight hex digits after \`0f\`, found \`${found}\``, text, {
      start,
      end: start + length,
    });
  }
  return Number.parseInt(digits, 16);
}

function decimalBits(text: string, start: number, length: number): number {
  const digits = text.slice(start, start + length);
  const bits = decimalToBits(digits);
  if (bits === INFINITY_BITS) {
    const span = { start, end: start + length };
    throw syntaxError(`expected a number that f32 can hold, found \`${digits}\``, text, span);
  }
  return bits;
}
