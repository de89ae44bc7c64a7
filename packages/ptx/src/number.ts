// Numbers in PTX (PTX ISA, Constants): where a number ends, what kind it is, and the value of an integer.
import { Character, isDigit, isWordPart } from "./characters.js";

/** The kind of a run of digits and letters. */
export const enum NumberForm {
  bad = 0,
  integer = 1,
  float = 2,
}

const isBetween = (code: number, low: number, high: number): boolean => code >= low && code <= high;
const isBinary = (code: number): boolean => isBetween(code, 0x30, 0x31);
const isOctal = (code: number): boolean => isBetween(code, 0x30, 0x37);
const isHexadecimal = (code: number): boolean => isDigit(code) || isBetween(code | 0x20, 0x61, 0x66);

const LETTER_E = 0x65;
const LETTER_U = 0x55;

/**
 * The end of the number whose first character, a digit or a dot, is at `start`. Malformed numbers end in the same way.
 */
export function endOfNumber(text: string, start: number): number {
  let at = skip(text, start, isDigit);
  if (text.charCodeAt(at) === Character.dot) at = skip(text, at + 1, isDigit);
  if ((text.charCodeAt(at) | 0x20) === LETTER_E) {
    const sign = text.charCodeAt(at + 1);
    if ((sign === Character.plus || sign === Character.minus) && isDigit(text.charCodeAt(at + 2))) at += 2;
  }
  return skip(text, at, isWordPart);
}

/** The kind of the text between two offsets, the second of which comes from `endOfNumber`. */
export function numberForm(text: string, start: number, end: number): NumberForm {
  const isZero = text.charCodeAt(start) === 0x30;
  const letter = isZero && end > start + 1 ? text.charCodeAt(start + 1) | 0x20 : 0;
  if (letter === 0x66) return floatBits(text, start + 2, end, 8);
  if (letter === 0x64) return floatBits(text, start + 2, end, 16);
  if (letter === 0x78) return wholeInteger(text, start + 2, end, isHexadecimal);
  if (letter === 0x62) return wholeInteger(text, start + 2, end, isBinary);
  const digits = skip(text, start, isDigit);
  const next = digits < end ? text.charCodeAt(digits) : 0;
  if (next === Character.dot || (next | 0x20) === LETTER_E) return fraction(text, digits, end);
  return wholeInteger(text, start, end, isZero ? isOctal : isDigit);
}

/** The value of an integer; `undefined` when it is not an integer, or not exact as a JavaScript number. */
export function integerValue(word: string): number | undefined {
  if (word === "" || numberForm(word, 0, word.length) !== NumberForm.integer) return undefined;
  const digits = word.endsWith("U") ? word.slice(0, -1) : word;
  const value = /^0[0-7]/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return Number.isSafeInteger(value) ? value : undefined;
}

function floatBits(text: string, from: number, end: number, digits: number): NumberForm {
  const whole = end - from === digits && skip(text, from, isHexadecimal) === end;
  return whole ? NumberForm.float : NumberForm.bad;
}

function wholeInteger(
  text: string,
  from: number,
  end: number,
  isPart: (code: number) => boolean,
): NumberForm {
  const last = text.charCodeAt(end - 1) === LETTER_U ? end - 1 : end;
  return last > from && skip(text, from, isPart) >= last ? NumberForm.integer : NumberForm.bad;
}

/** The rest of a decimal fraction, from its dot or its `e`. */
function fraction(text: string, from: number, end: number): NumberForm {
  let at = text.charCodeAt(from) === Character.dot ? skip(text, from + 1, isDigit) : from;
  if (at < end) {
    if ((text.charCodeAt(at) | 0x20) !== LETTER_E) return NumberForm.bad;
    at++;
    const sign = text.charCodeAt(at);
    if (sign === Character.plus || sign === Character.minus) at++;
    if (at === end) return NumberForm.bad;
    at = skip(text, at, isDigit);
  }
  return at === end ? NumberForm.float : NumberForm.bad;
}

function skip(text: string, from: number, isPart: (code: number) => boolean): number {
  let at = from;
  while (isPart(text.charCodeAt(at))) at++;
  return at;
}
