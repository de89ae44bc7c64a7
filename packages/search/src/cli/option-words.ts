// Parses the values of options that have numbers. Each function throws a UsageError.
import { quoted } from "@mm-ptx/types/internal";
import { UsageError, wholeNumberFrom } from "./framework.js";

/** A number above 0, such as of seconds. */
export function positiveWord(word: string): number {
  const number = numberWord(word);
  if (number > 0) return number;
  throw new UsageError(`expected a number above 0, found ${quoted(word)}`);
}

/** A finite number. */
export function numberWord(word: string): number {
  const number = Number(word);
  if (word.trim() !== "" && Number.isFinite(number)) return number;
  throw new UsageError(`expected a number, found ${quoted(word)}`);
}

/** A seed of random numbers. */
export const seedWord = wholeNumberFrom(0, 2 ** 32 - 1);

/** A number of threads. */
export const workersWord = wholeNumberFrom(1, 256);

/** The share of rows that is held out. */
export function shareWord(word: string): number {
  const number = Number(word);
  if (word.trim() !== "" && number >= 0 && number <= 0.9) return number;
  throw new UsageError(`expected a number from 0 to 0.9, found ${quoted(word)}`);
}

/** One of several numbers of 32 bits, decimal or hexadecimal. */
export function bitsWord(word: string, others: readonly number[] = []): number[] {
  const number = Number(word);
  if (/^(0x[0-9a-f]+|\d+)$/i.test(word) && number < 2 ** 32) return [...others, number];
  throw new UsageError(`expected a number below 2^32, such as 31 or 0x7fffffff, found ${quoted(word)}`);
}
