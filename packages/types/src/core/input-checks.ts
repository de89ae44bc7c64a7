// Checks of what callers pass to a device: objects with known options, numbers in their range. Each package refuses with
// an error of its own; the words are the same.
import { describeValue, quoted } from "./describe.js";
import { didYouMean } from "./suggest.js";

/** What checks, and throws what the package makes of a message. */
export interface InputChecks {
  /** The error for a value that is none of what was expected. */
  invalid(expected: string, found: unknown): Error;
  /** Refuses what is no object, and names that are no options. */
  checkNames(options: object, known: readonly string[]): void;
  /** The value, when it is a whole number from `least` to `most`. */
  wholeNumber(what: string, value: number, least: number, most: number): number;
  /** The value, when it is a number above 0, which may be Infinity. */
  positive(what: string, value: number): number;
  /** The value, when it is one of these words. */
  oneOf<Word extends string>(what: string, words: readonly Word[], value: Word): Word;
  /** Refuses what is neither a function nor left out. */
  optionalFunction(what: string, value: unknown): void;
  /** Refuses what is neither a boolean nor left out. */
  optionalBoolean(what: string, value: unknown): void;
}

/**
 * The checks of a package.
 * @param refuse makes the error of a message
 */
export function inputChecks(refuse: (message: string) => Error): InputChecks {
  const invalid = (expected: string, found: unknown): Error =>
    refuse(`expected ${expected}, found ${describeValue(found)}`);
  return {
    invalid,
    checkNames(options, known) {
      if (typeof options !== "object" || options === null) throw invalid("an object with options", options);
      for (const name of Object.keys(options)) {
        if (known.includes(name)) continue;
        throw refuse(
          `expected options (${known.join(", ")}), found ${quoted(name)}${didYouMean(name, known)}`,
        );
      }
    },
    wholeNumber(what, value, least, most) {
      if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
      throw invalid(`${quoted(what)} as a whole number from ${least} to ${most}`, value);
    },
    positive(what, value) {
      if (typeof value === "number" && value > 0) return value;
      throw invalid(`${quoted(what)} as a number above 0`, value);
    },
    oneOf(what, words, value) {
      if (words.includes(value)) return value;
      throw invalid(`${quoted(what)} as one of ${words.join(", ")}`, value);
    },
    optionalFunction(what, value) {
      if (value !== undefined && typeof value !== "function")
        throw invalid(`${quoted(what)} as a function`, value);
    },
    optionalBoolean(what, value) {
      if (value !== undefined && typeof value !== "boolean")
        throw invalid(`${quoted(what)} as a boolean`, value);
    },
  };
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

/** What is said of a thing that was disposed of. */
export const disposedText = (noun: string): string =>
  `expected ${article(noun)} that is in use, found one that was disposed`;

/** What is said of a copy that reads what it writes. */
export const OVERLAP_TEXT = "expected a copy between memory that does not overlap, found one that does";

/** What is said of a thing that another device made. */
export const foreignText = (noun: string): string =>
  `expected ${article(noun)} of this device, found one of another`;
