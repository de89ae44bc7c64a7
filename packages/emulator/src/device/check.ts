// Checks of what callers pass: objects with known options, sizes, numbers.
import { describeValue, didYouMean, quoted } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";

export const invalid = (expected: string, found: unknown): EmulatorError =>
  new EmulatorError("INVALID_INPUT", `expected ${expected}, found ${describeValue(found)}`);

/** @throws EmulatorError INVALID_INPUT for what is no object, and for names that are no options */
export function checkNames(options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw invalid("an object with options", options);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const hint = didYouMean(name, known);
    throw new EmulatorError(
      "INVALID_INPUT",
      `expected options (${known.join(", ")}), found ${quoted(name)}${hint}`,
    );
  }
}

/** @throws EmulatorError INVALID_INPUT */
export function wholeNumber(what: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw invalid(`${quoted(what)} as a whole number from ${least} to ${most}`, value);
}

/** A positive number, or Infinity. @throws EmulatorError INVALID_INPUT */
export function positive(what: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw invalid(`${quoted(what)} as a number above 0`, value);
}

/** @throws EmulatorError INVALID_INPUT */
export function oneOf<Word extends string>(what: string, words: readonly Word[], value: Word): Word {
  if (words.includes(value)) return value;
  throw invalid(`${quoted(what)} as one of ${words.join(", ")}`, value);
}

/** @throws EmulatorError INVALID_INPUT */
export function optionalFunction(what: string, value: unknown): void {
  if (value !== undefined && typeof value !== "function")
    throw invalid(`${quoted(what)} as a function`, value);
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

/** @throws EmulatorError DISPOSED */
export function checkOpen(what: string, disposed: boolean): void {
  if (disposed)
    throw new EmulatorError(
      "DISPOSED",
      `expected ${article(what)} that is in use, found one that was disposed`,
    );
}

/** The error for what another device made. */
export function foreign(what: string): EmulatorError {
  return new EmulatorError("INVALID_INPUT", `expected ${article(what)} of this device, found one of another`);
}
