// The headers of kernels, found without splitting a text into tokens: from one quote, slash, hash or `.entry` to the next.
import { Character, isLineEnd, isWordPart } from "./characters.js";

const QUOTE = 34;
const HASH = 35;
const ENTRY = ".entry";
const PRAGMA = ".pragma";

/**
 * Returns the headers of the kernels that a module defines, from `.entry` up to the brace of the body, in source order.
 * In valid PTX it finds the same kernels as `readModule`, in a small part of the time. It never throws: in corrupt PTX,
 * it finds what looks like the header of a kernel.
 */
export function entryHeaders(text: string): string[] {
  const headers: string[] = [];
  let quote = next(text, '"', 0);
  let slash = next(text, "/", 0);
  let hash = next(text, "#", 0);
  let end = 0;
  for (let entry = next(text, ENTRY, 0); entry < text.length; entry = next(text, ENTRY, entry + 1)) {
    let inside = false;
    for (let at = Math.min(quote, slash, hash); at < entry && !inside; at = Math.min(quote, slash, hash)) {
      const after = endAt(text, at);
      inside = after > entry;
      if (quote < after) quote = next(text, '"', after);
      if (slash < after) slash = next(text, "/", after);
      if (hash < after) hash = next(text, "#", after);
    }
    if (inside || !isDirective(text, entry, ENTRY)) continue;
    // A header without an end reaches up to the next one, whose brace it shares.
    if (entry >= end) end = endOfHeader(text, entry);
    else if (text[end] === "{") headers.pop();
    if (text[end] === "{") headers.push(text.slice(entry, end));
  }
  return headers;
}

/** The next offset of a text; the end if it does not occur again. */
function next(text: string, sought: string, from: number): number {
  const at = text.indexOf(sought, from);
  return at === -1 ? text.length : at;
}

/**
 * The offset after the string or comment that begins at a quote, slash or hash, or after that character if it begins
 * neither.
 */
function endAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return next(text, '"', at + 1) + 1;
  if (first === HASH) {
    return at === 0 || isLineEnd(text.charCodeAt(at - 1)) ? next(text, "\n", at) : at + 1;
  }
  const second = text.charCodeAt(at + 1);
  if (second === Character.slash) return next(text, "\n", at);
  return second === Character.asterisk ? next(text, "*/", at + 2) + 2 : at + 1;
}

/** Directives without blanks between them, after a character that cannot be part of an opcode or a name. */
const DIRECTIVES = /[^\w$%.:](?:\.[a-zA-Z_$][\w$]*)*$/;
/** The number of characters that are searched for such directives; they are no longer than `.visible.weak.entry`. */
const REACH = 64;

/** Whether the directive whose name is at an offset is a separate word. */
function isDirective(text: string, at: number, name: string): boolean {
  const end = at + name.length;
  if (isWordPart(text.charCodeAt(end)) || text.startsWith("::", end)) return false;
  return DIRECTIVES.test(at < REACH ? ` ${text.slice(0, at)}` : text.slice(at - REACH, at));
}

/** The offset of the brace or semicolon that ends a header. */
function endOfHeader(text: string, from: number): number {
  let hasPragma = false;
  for (let at = from; at < text.length; ) {
    const character = text.charCodeAt(at);
    if (character === QUOTE || character === HASH || character === Character.slash) {
      at = endAt(text, at);
      continue;
    }
    if (character === Character.openBrace) return at;
    if (character === Character.semicolon) {
      // A pragma of the kernel has its own semicolon.
      if (!hasPragma) return at;
      hasPragma = false;
    } else if (character === Character.dot && text.startsWith(PRAGMA, at)) {
      hasPragma ||= isDirective(text, at, PRAGMA);
    }
    at++;
  }
  return text.length;
}
