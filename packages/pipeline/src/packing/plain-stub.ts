// Recognizes stubs as the compilers write them, one instruction that computes a value in each line, in a few microseconds. Every
// stub of a pack is asked.
import { VALUE_OPCODES } from "./opcodes.js";

const TAB = 9;
const LF = 10;
const SPACE = 32;
const PERCENT = 37;
const ZERO = 48;
const SEMICOLON = 59;
const OPEN = 123;
const CLOSE = 125;

/** Classes of characters: those of operands that are in no name, digits, and what else is in names. Others are 0. */
const OPERAND = 1;
const DIGIT = 2;
const LETTER = 3;
const CLASSES = new Uint8Array(2 ** 16);
for (const [characters, kind] of [
  [" ,.-!|", OPERAND],
  ["0123456789", DIGIT],
  ["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$", LETTER],
] as const) {
  for (const character of characters) CLASSES[character.charCodeAt(0)] = kind;
}

/** The declaration of a range, without the semicolon: the names before their numbers, and how many there are. */
const RANGE = /^\.reg \.\w+ (%[\w$]*[A-Za-z_$])<(\d+)>$/;

/**
 * Whether a stub consists of braces, declarations of ranges of registers, and instructions that compute values, each in a line
 * of its own, and names no registers but those and its operands. If it is written in another way, the result is `false`.
 *
 * @param operands registers with `%`
 */
export function isPlainStub(stub: string, operands: ReadonlySet<string>): boolean {
  const { length } = stub;
  const own = new Map<string, number>();
  let depth = 0;
  for (let at = 0; at < length; at++) {
    let code = stub.charCodeAt(at);
    while (code === TAB || code === SPACE) code = stub.charCodeAt(++at);
    if (code === OPEN || code === CLOSE) {
      // What is declared between braces is not visible after them.
      if (code === CLOSE) own.clear();
      depth += code === OPEN ? 1 : -1;
      if (depth < 0) return false;
      // An instruction may follow in the same line.
      continue;
    }
    if (CLASSES[code] === LETTER) {
      const start = at;
      while (CLASSES[stub.charCodeAt(++at)]! >= DIGIT);
      if (!VALUE_OPCODES.has(stub.substring(start, at))) return false;
      for (code = stub.charCodeAt(at); code !== SEMICOLON; code = stub.charCodeAt(at)) {
        if (code === PERCENT) {
          const name = at;
          let digits = at + 1;
          let number = 0;
          for (;;) {
            code = stub.charCodeAt(++at);
            const kind = CLASSES[code]!;
            if (kind === DIGIT) number = 10 * number + code - ZERO;
            else if (kind === LETTER) {
              digits = at + 1;
              number = 0;
            } else break;
          }
          const isOwn = digits < at && number < (own.get(stub.substring(name, digits)) ?? 0);
          if (!isOwn && !operands.has(stub.substring(name, at))) return false;
        } else if (!(CLASSES[code]! > 0)) return false;
        else at++;
      }
      at++;
    } else if (code === LF) {
      continue;
    } else {
      const end = stub.indexOf(";", at);
      const [, name, count] = RANGE.exec(stub.substring(at, end)) ?? [];
      if (name === undefined) return false;
      own.set(name, Number(count));
      at = end + 1;
    }
    if (at < length && stub.charCodeAt(at) !== LF) return false;
  }
  return depth === 0;
}
