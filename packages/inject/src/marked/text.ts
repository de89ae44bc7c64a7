// Lines and words of a text by offset, as the grammar of sites needs them, and the error for violations.
import { PtxInjectError } from "../error.js";

const TAB = 9;
const CR = 13;
const SPACE = 32;

export const isBlank = (code: number): boolean => code === SPACE || code === TAB;

/** The end of the contents of the line that ends at `newline`; a carriage return belongs to the line end. */
export function lineEnd(text: string, line: number, newline: number): number {
  return newline > line && text.charCodeAt(newline - 1) === CR ? newline - 1 : newline;
}

export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

export function skipWord(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && !isBlank(text.charCodeAt(at))) at++;
  return at;
}

export function trimBlanks(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

/** @throws PtxInjectError FORMATTING */
export function fail(text: string, start: number, end: number, message: string): never {
  throw new PtxInjectError("FORMATTING", message, { text, span: { start, end: Math.max(end, start) } });
}
