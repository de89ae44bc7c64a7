// Words of the command line: numbers, and options where messages name those of a device.

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

const OPTIONS: Readonly<Record<string, string>> = { timeoutMs: "--timeout", "lockstep: true": "--lockstep" };

/** A message that names options of the command instead of those of a device. */
export const inOptions = (message: string): string =>
  message.replace(/`(timeoutMs|lockstep: true)`/g, (_, name: string) => `\`${OPTIONS[name]}\``);
