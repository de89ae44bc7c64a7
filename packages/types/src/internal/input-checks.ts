// Checks of arguments that device packages share: objects with known options, and numbers in a range. Each package
// throws its own error class; the messages are the same.
import { describeValue, quoted } from "./describe.js";
import { type Checks, isBoolean, isFunction, nameProblem, optionProblem } from "./option-checks.js";

/** The checks; they throw the error that the package makes of a message. */
export interface InputChecks {
  /** The error for an unexpected value. */
  invalid(expected: string, found: unknown): Error;
  /** Rejects anything but an object, and unknown option names. */
  checkNames(options: object, known: readonly string[]): void;
  /** Rejects anything but an object, unknown option names, and options with an unexpected value. */
  checkOptions(options: object, checks: Checks): void;
  /** Returns the value if it is a whole number from `least` to `most`. */
  wholeNumber(what: string, value: number, least: number, most: number): number;
  /** Rejects anything but a function or undefined. */
  optionalFunction(what: string, value: unknown): void;
  /** Rejects anything but a boolean or undefined. */
  optionalBoolean(what: string, value: unknown): void;
}

/**
 * Makes the checks of a package.
 * @param refuse turns a message into an error
 */
export function inputChecks(refuse: (message: string) => Error): InputChecks {
  const invalid = (expected: string, found: unknown): Error =>
    refuse(`expected ${expected}, found ${describeValue(found)}`);
  const check = (problem: string | undefined): void => {
    if (problem !== undefined) throw refuse(problem);
  };
  return {
    invalid,
    checkNames: (options, known) => check(nameProblem(options, known)),
    checkOptions: (options, checks) => check(optionProblem(options, checks)),
    wholeNumber(what, value, least, most) {
      if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
      throw invalid(`${quoted(what)} as a whole number from ${least} to ${most}`, value);
    },
    optionalFunction(what, value) {
      if (value !== undefined) check(isFunction(value, what));
    },
    optionalBoolean(what, value) {
      if (value !== undefined) check(isBoolean(value, what));
    },
  };
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

/** The message for using something that has been disposed. */
export const disposedText = (noun: string): string => `expected an open ${noun}, found a disposed one`;

/** The message for a copy whose source and target overlap. */
export const OVERLAP_TEXT = "expected a copy between memory that does not overlap, found one that does";

/** The message for using something that belongs to another device. */
export const foreignText = (noun: string): string =>
  `expected ${article(noun)} of this device, found one of another`;
