// Numbers on the command line.

import { quoted } from "@mm-ptx/types/internal";
import { UsageError, wholeNumber } from "./framework.js";

/** @throws UsageError */
export function aboveZero(word: string): number {
  const value = wholeNumber(word);
  if (value === 0) throw new UsageError(`expected a whole number above 0, found ${quoted(word)}`);
  return value;
}

/** A parser for whole numbers from 1 to `most`. */
export function atMost(most: number, what: string): (word: string) => number {
  return (word) => {
    const value = aboveZero(word);
    if (value <= most) return value;
    throw new UsageError(`expected at most ${most} ${what}, found ${quoted(word)}`);
  };
}
