// Keys of results: a signature and a fingerprint of 128 bits each, as 32 lower-case hexadecimal digits.
import { describeValue } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";

/** Hexadecimal digits of a signature or a fingerprint. */
export const HEX_DIGITS = 32;

/** The value of each lower-case hexadecimal digit by its character code; 255 for all other characters. */
const DIGIT_VALUES = digitValues();

function digitValues(): Uint8Array {
  const values = new Uint8Array(256).fill(255);
  for (const [value, digit] of [..."0123456789abcdef"].entries()) values[digit.charCodeAt(0)] = value;
  return values;
}

/** Two 32-bit halves that a table finds a key by. */
export interface KeyHash {
  first: number;
  second: number;
}

const START: Readonly<KeyHash> = { first: 0x9e3779b9, second: 0x85ebca6b };

/** The state after a fingerprint, which all hashes of its keys begin with. @throws PipelineError INVALID_ARGUMENT */
export function hashFingerprint(fingerprint: unknown): Readonly<KeyHash> {
  const hash = { ...START };
  if (typeof fingerprint === "string" && hashDigits(fingerprint, START, hash)) return hash;
  throw wrongDigits("a fingerprint", fingerprint);
}

/** Writes the hash of a signature to `hash`. This runs for each program. @throws PipelineError INVALID_ARGUMENT */
export function hashSignature(signature: unknown, fingerprint: Readonly<KeyHash>, hash: KeyHash): void {
  if (typeof signature === "string" && hashDigits(signature, fingerprint, hash)) return;
  throw wrongDigits("a signature", signature);
}

/** Writes the hash of a key to `hash`, and returns whether all of the key is hexadecimal digits. */
export function hashKey(key: string, hash: KeyHash): boolean {
  return (
    hashDigits(key.slice(HEX_DIGITS), START, hash) && hashDigits(key.slice(0, HEX_DIGITS), { ...hash }, hash)
  );
}

function hashDigits(text: string, state: Readonly<KeyHash>, hash: KeyHash): boolean {
  if (text.length !== HEX_DIGITS) return false;
  const values = DIGIT_VALUES;
  let { first, second } = state;
  let seen = 0;
  for (let at = 0; at < HEX_DIGITS; at += 8) {
    let word = 0;
    for (let digit = at; digit < at + 8; digit++) {
      const code = text.charCodeAt(digit);
      const value = code < 256 ? values[code]! : 255;
      seen |= value;
      word = (word << 4) | value;
    }
    // Each step is a bijection of the state for a given word, so no bits of a good signature are lost.
    first = Math.imul(first ^ word, 0x9e3779b1);
    first ^= first >>> 15;
    second = Math.imul(second ^ word ^ first, 0x85ebca77);
    second ^= second >>> 13;
  }
  hash.first = first >>> 0;
  hash.second = second >>> 0;
  return seen < 16;
}

function wrongDigits(what: string, found: unknown): PipelineError {
  const message = `expected ${what} as 32 lower-case hexadecimal digits, found ${describeValue(found)}`;
  return new PipelineError("INVALID_ARGUMENT", message);
}
