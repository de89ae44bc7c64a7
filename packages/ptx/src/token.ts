// Splits PTX text into tokens in one pass and linear time. Every character belongs to exactly one token, blanks and
// comments included, so the concatenated tokens are the text again. A token is a kind and an offset in two typed
// arrays; no object is made for it.
//
// The words follow what ptxas accepts: a string has no escapes and may span lines; `.5` and `1.` are numbers; names
// contain no dots, so a word with dots is an opcode with its modifiers or a register with its component.
import { Character, isDigit, isLineEnd, isWordPart, SIGNS, Sign } from "./characters.js";
import { endOfNumber, NumberForm, numberForm } from "./number.js";

/**
 * The kinds of tokens. The kind of a punctuation mark is its character code; character codes are larger than all of
 * these.
 */
export const enum TokenKind {
  /** Spaces, tabs and line ends, as many as there are; also the NULs that end the text of a C program. */
  blank = 0,
  /** From `//`, or from a `#` in the first column, to before the end of the line; or from `/*` to its end. */
  comment = 1,
  /** A dot and a name: `.entry`, `.b32`, `.shared::cta`. */
  directive = 2,
  /** A name or an opcode, with the parts that follow dots: `add.ftz.f32`, `%tid.x`, `$L__BB0_1`, `_`. */
  word = 3,
  /** Decimal, octal, hexadecimal or binary, with or without `U`. */
  integer = 4,
  /** `0f3F800000`, `0d3FF0000000000000` or a decimal fraction. */
  float = 5,
  string = 6,
  /** A run of characters that are not allowed in PTX. */
  badCharacter = 7,
  /** A word that begins with a digit but is not a number. */
  badNumber = 8,
  /** A string without an end: the rest of the text. */
  openString = 9,
  /** A comment without an end: the rest of the text. */
  openComment = 10,
  /** The end of the text, after the last token. */
  end = 11,
}

/** The names of token kinds, as `Tokens.kind` gives them. */
export type TokenName =
  | "blank"
  | "comment"
  | "directive"
  | "word"
  | "integer"
  | "float"
  | "string"
  | "punctuation"
  | "unknown";

/** By `TokenKind`; larger values are punctuation. */
const NAMES: readonly TokenName[] = [
  "blank",
  "comment",
  "directive",
  "word",
  "integer",
  "float",
  "string",
  "unknown",
  "unknown",
  "unknown",
  "unknown",
];

/** By `NumberForm`. */
const NUMBER_KINDS = new Uint8Array([TokenKind.badNumber, TokenKind.integer, TokenKind.float]);

/** The tokens of a text. Valid until the text that they were read from is replaced by `read`. */
export class Tokens {
  /** The text that was read. */
  text = "";
  /** The number of tokens. */
  count = 0;
  /** Whether some token is of kind "unknown". */
  hasBad = false;
  /** The kind of each token, as a number. Longer than `count`. */
  kinds = new Uint8Array(0);
  /** The offset of each token, followed by the length of the text. Longer than `count`. */
  starts = new Uint32Array(1);

  /** The kind of a token. */
  kind(token: number): TokenName {
    const kind = this.kinds[token];
    return kind === undefined || token >= this.count ? "unknown" : (NAMES[kind] ?? "punctuation");
  }

  /** The offset of a token's first character. */
  start(token: number): number {
    return this.starts[token]!;
  }

  /** The offset after a token's last character. */
  end(token: number): number {
    return this.starts[token + 1]!;
  }

  /** The text of a token. */
  textOf(token: number): string {
    return this.text.substring(this.starts[token]!, this.starts[token + 1]!);
  }

  /** Reads another text into the same arrays. */
  read(text: string): this {
    this.text = text;
    this.count = 0;
    this.hasBad = false;
    // In nvcc's PTX, a token has 2.6 characters or more on average.
    this.#reserve(Math.ceil(0.4 * text.length) + 16);
    let at = 0;
    while (at < text.length) at = this.#readFrom(at);
    this.kinds[this.count] = TokenKind.end;
    this.starts[this.count] = text.length;
    return this;
  }

  /** The first token from `token` on that is neither blank nor a comment; `count` when there is none. */
  skipBlanks(token: number): number {
    const { kinds } = this;
    let at = token;
    while (kinds[at]! <= TokenKind.comment) at++;
    return at;
  }

  /** Reads as many tokens as there is certainly room for; returns the offset after them. */
  #readFrom(from: number): number {
    const { text } = this;
    const { length } = text;
    this.#reserve(this.count + 2);
    const { kinds, starts } = this;
    // One place is reserved for the end.
    const last = kinds.length - 1;
    let token = this.count;
    let at = from;
    while (at < length && token < last) {
      const start = at;
      const code = text.charCodeAt(at++);
      let kind = code;
      switch (SIGNS[code] ?? Sign.other) {
        case Sign.blank:
          while (at < length && SIGNS[text.charCodeAt(at)] === Sign.blank) at++;
          kind = TokenKind.blank;
          break;
        case Sign.letter:
          at = endOfWord(text, at);
          kind = TokenKind.word;
          break;
        case Sign.percent:
          if (isWordPart(text.charCodeAt(at))) {
            at = endOfWord(text, at);
            kind = TokenKind.word;
          }
          break;
        case Sign.dot:
          if (isDigit(text.charCodeAt(at))) {
            at = endOfNumber(text, start);
            // `.1d` is not a number but a modifier of `tex`.
            const isNumber = numberForm(text, start, at) === NumberForm.float;
            kind = isNumber ? TokenKind.float : TokenKind.directive;
          } else {
            at = endOfName(text, at);
            kind = at === start + 1 ? TokenKind.badCharacter : TokenKind.directive;
          }
          break;
        case Sign.digit:
          while (isDigit(text.charCodeAt(at))) at++;
          // Debug data consists of small decimal numbers.
          if (isPlainNumber(text, start, at)) kind = TokenKind.integer;
          else {
            at = endOfNumber(text, start);
            kind = NUMBER_KINDS[numberForm(text, start, at)]!;
          }
          break;
        case Sign.slash: {
          const next = text.charCodeAt(at);
          if (next === Character.slash) {
            at = endOfLine(text, at + 1);
            kind = TokenKind.comment;
          } else if (next === Character.asterisk) {
            const close = text.indexOf("*/", at + 1);
            at = close === -1 ? length : close + 2;
            kind = close === -1 ? TokenKind.openComment : TokenKind.comment;
          }
          break;
        }
        case Sign.quote: {
          const close = text.indexOf('"', at);
          at = close === -1 ? length : close + 1;
          kind = close === -1 ? TokenKind.openString : TokenKind.string;
          break;
        }
        case Sign.hash:
          if (start === 0 || isLineEnd(text.charCodeAt(start - 1))) {
            at = endOfLine(text, at);
            kind = TokenKind.comment;
          } else kind = TokenKind.badCharacter;
          break;
        case Sign.other:
          while (at < length && (SIGNS[text.charCodeAt(at)] ?? Sign.other) === Sign.other) at++;
          kind = at === length && areNuls(text, start) ? TokenKind.blank : TokenKind.badCharacter;
          break;
        default: // Sign.mark: the kind is the character.
      }
      if (kind >= TokenKind.badCharacter && kind <= TokenKind.openComment) this.hasBad = true;
      kinds[token] = kind;
      starts[token++] = start;
    }
    this.count = token;
    return at;
  }

  #reserve(count: number): void {
    if (count <= this.kinds.length) return;
    const room = Math.max(count, this.kinds.length + (this.kinds.length >> 1));
    const kinds = new Uint8Array(room);
    const starts = new Uint32Array(room + 1);
    kinds.set(this.kinds.subarray(0, this.count));
    starts.set(this.starts.subarray(0, this.count));
    this.kinds = kinds;
    this.starts = starts;
  }
}

/** The tokens of a PTX text. Never throws: characters that are not allowed in PTX become tokens of kind "unknown". */
export function tokenize(text: string): Tokens {
  return new Tokens().read(text);
}

/** Whether the digits between two offsets are a complete decimal integer, not the beginning of a longer word. */
function isPlainNumber(text: string, start: number, end: number): boolean {
  const next = text.charCodeAt(end);
  return (
    (end === start + 1 || text.charCodeAt(start) !== Character.zero) &&
    next !== Character.dot &&
    !isWordPart(next)
  );
}

/** Whether the text consists of NULs from `start` on. */
function areNuls(text: string, start: number): boolean {
  let at = start;
  while (text.charCodeAt(at) === 0) at++;
  return at === text.length;
}

/** The end of a name that began before `at`; `::` is part of it, as in `.shared::cta`. */
function endOfName(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (isWordPart(text.charCodeAt(at))) at++;
    if (
      text.charCodeAt(at) !== Character.colon ||
      text.charCodeAt(at + 1) !== Character.colon ||
      !isWordPart(text.charCodeAt(at + 2))
    )
      return at;
    at += 3;
  }
}

/** The end of a word that began before `at`, including everything that follows its dots. */
function endOfWord(text: string, from: number): number {
  let at = endOfName(text, from);
  while (text.charCodeAt(at) === Character.dot && isWordPart(text.charCodeAt(at + 1))) {
    at = endOfName(text, at + 2);
  }
  return at;
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  if (newline === -1) return text.length;
  return text.charCodeAt(newline - 1) === Character.return ? newline - 1 : newline;
}
