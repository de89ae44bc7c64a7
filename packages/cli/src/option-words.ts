// Parses the values of options while commander reads them.
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { UsageError } from "./usage.js";

/** An option whose value is a path. @throws UsageError */
export function pathWord(word: string): string {
  if (word === "" || word.includes("\0")) throw new UsageError(`expected a path, found ${quoted(word)}`);
  return word;
}

/** An option whose value is a count. @throws UsageError */
export function wholeNumber(word: string): number {
  if (/^\d{1,15}$/.test(word)) return Number(word);
  throw new UsageError(`expected a whole number, found ${quoted(word)}`);
}

/** An option whose value is a whole number within limits, or without an upper one. */
export function wholeNumberFrom(least: number, most = Number.POSITIVE_INFINITY): (word: string) => number {
  const range = Number.isFinite(most) ? `from ${least} to ${most}` : `of at least ${least}`;
  return (word) => {
    if (/^\d{1,15}$/.test(word) && Number(word) >= least && Number(word) <= most) return Number(word);
    throw new UsageError(`expected a whole number ${range}, found ${quoted(word)}`);
  };
}

/** An option whose value is one of several words. */
export function oneOf<Word extends string>(what: string, words: readonly Word[]): (word: string) => Word {
  return (found) => {
    const word = words.find((each) => each === found);
    if (word !== undefined) return word;
    const hint = didYouMean(found, words);
    const article = /^[aeiou]/.test(what) ? "an" : "a";
    throw new UsageError(`expected ${article} ${what} (${words.join(", ")}), found ${quoted(found)}${hint}`);
  };
}
