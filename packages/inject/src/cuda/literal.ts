// The parts of C++ that may contain something that looks like a comment or a line end: string and character literals,
// raw strings, digit separators, and line continuations (a backslash before a line end; gcc and clang allow blanks in
// between).

export const enum Ascii {
  tab = 9,
  newline = 10,
  carriageReturn = 13,
  blank = 32,
  doubleQuote = 34,
  hash = 35,
  quote = 39,
  parenthesis = 41,
  star = 42,
  dot = 46,
  slash = 47,
  semicolon = 59,
  R = 82,
  backslash = 92,
  bracket = 93,
  a = 97,
  s = 115,
  brace = 125,
}

export const isBlank = (code: number): boolean =>
  code === Ascii.blank || (code >= Ascii.tab && code <= Ascii.carriageReturn && code !== Ascii.newline);

/** Letters, digits, `_`, `$`, and non-ASCII characters. */
export const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  isDigit(code) ||
  code === 95 ||
  code === 36 ||
  code > 127;

/** Whether a text consists of word characters only. */
export function isWord(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isWordCode(text.charCodeAt(at))) return false;
  return true;
}

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Whether the line end at `newline` continues its line. */
export function isContinued(text: string, newline: number): boolean {
  let at = newline - 1;
  while (isBlank(text.charCodeAt(at))) at--;
  return text.charCodeAt(at) === Ascii.backslash;
}

/** The offset after the continuations at `at`, or `at` itself if there are none. */
export function skipContinuations(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === Ascii.backslash) {
    let end = next + 1;
    while (isBlank(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end) !== Ascii.newline) break;
    next = end + 1;
  }
  return next;
}

/** The offset of the character before `at`, skipping continuations. */
export function before(text: string, at: number): number {
  let previous = at - 1;
  while (text.charCodeAt(previous) === Ascii.newline && isContinued(text, previous)) {
    previous = text.lastIndexOf("\\", previous) - 1;
  }
  return previous;
}

/**
 * The offset after the literal whose opening quote is at `at`. An unterminated literal ends with its line, as in prose
 * after `#error` or inside `#if 0`; an unterminated raw string ends with the text. In both cases the result is `~end`,
 * which is negative.
 */
export function afterLiteral(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  if (quote === Ascii.doubleQuote && isRaw(text, at)) {
    const delimiter = RAW_DELIMITER.exec(text.substring(at + 1, at + 2 + LONGEST_DELIMITER))?.[1];
    if (delimiter !== undefined) {
      const end = text.indexOf(`)${delimiter}"`, at + delimiter.length + 2);
      return end === -1 ? ~text.length : end + delimiter.length + 2;
    }
  }
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === quote) return next + 1;
    if (code === Ascii.newline) return ~next;
    if (code === Ascii.backslash) {
      const continued = skipContinuations(text, next);
      next = continued === next ? next + 1 : continued - 1;
    }
  }
  return ~text.length;
}

const RAW_PREFIXES = ["", "L", "u", "U", "u8"];
const LONGEST_DELIMITER = 16;
const RAW_DELIMITER = /^([^ ()\\\t\v\f\n]*)\(/;

/** Whether the string that opens at `at` has a raw prefix: `R`, `LR`, `uR`, `UR` or `u8R`. */
export function isRaw(text: string, at: number): boolean {
  let start = before(text, at);
  if (text.charCodeAt(start) !== Ascii.R) return false;
  let prefix = "";
  for (
    start = before(text, start);
    prefix.length < 3 && isWordCode(text.charCodeAt(start));
    start = before(text, start)
  )
    prefix = text.charAt(start) + prefix;
  return RAW_PREFIXES.includes(prefix);
}

/**
 * Whether the `'` at `at` is inside a number, as in `1'000`. `last` is the position of the preceding separator, so that
 * a number is scanned once however many separators it has.
 */
export function isDigitSeparator(text: string, at: number, last: number): boolean {
  if (!isWordCode(text.charCodeAt(skipContinuations(text, at + 1)))) return false;
  let first = at;
  for (let previous = before(text, at); previous >= 0; previous = before(text, previous)) {
    const code = text.charCodeAt(previous);
    if (code === Ascii.quote && previous === last) return true;
    if (!isWordCode(code) && code !== Ascii.dot) break;
    first = previous;
  }
  if (text.charCodeAt(first) === Ascii.dot) first++;
  return isDigit(text.charCodeAt(first));
}
