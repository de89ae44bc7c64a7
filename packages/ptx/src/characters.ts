// What each character can start or be part of in PTX text.

/** Codes of characters that are compared one by one. */
export const enum Character {
  lineFeed = 0x0a,
  return = 0x0d,
  exclamation = 0x21,
  percent = 0x25,
  openParenthesis = 0x28,
  closeParenthesis = 0x29,
  asterisk = 0x2a,
  plus = 0x2b,
  comma = 0x2c,
  minus = 0x2d,
  dot = 0x2e,
  slash = 0x2f,
  zero = 0x30,
  colon = 0x3a,
  semicolon = 0x3b,
  less = 0x3c,
  equals = 0x3d,
  greater = 0x3e,
  question = 0x3f,
  at = 0x40,
  openBracket = 0x5b,
  closeBracket = 0x5d,
  openBrace = 0x7b,
  bar = 0x7c,
  closeBrace = 0x7d,
  tilde = 0x7e,
}

/** The kinds of token that a character can start. */
export const enum Sign {
  other = 0,
  blank = 1,
  /** A letter, `_` or `$`. */
  letter = 2,
  digit = 3,
  /** A punctuation mark. */
  mark = 4,
  dot = 5,
  percent = 6,
  slash = 7,
  quote = 8,
  hash = 9,
}

/** `Sign` by character code; characters beyond the table are `Sign.other`. */
export const SIGNS = new Uint8Array(128);

const assign = (characters: string, sign: Sign): void => {
  for (let i = 0; i < characters.length; i++) SIGNS[characters.charCodeAt(i)] = sign;
};
assign(" \t\n\r\v\f", Sign.blank);
assign("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$", Sign.letter);
assign("0123456789", Sign.digit);
assign("!&()*+,-:;<=>?@[]^{|}~", Sign.mark);
assign(".", Sign.dot);
assign("%", Sign.percent);
assign("/", Sign.slash);
assign('"', Sign.quote);
assign("#", Sign.hash);

/** Letters, digits, `_` and `$`. */
export function isWordPart(code: number): boolean {
  const sign = SIGNS[code];
  return sign === Sign.letter || sign === Sign.digit;
}

export function isDigit(code: number): boolean {
  return SIGNS[code] === Sign.digit;
}

export function isLineEnd(code: number): boolean {
  return code === Character.lineFeed || code === Character.return;
}
