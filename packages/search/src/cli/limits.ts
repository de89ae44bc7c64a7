// When a recorded search ends: limits of the command line, of which a resumed run has what is left.

import type { Command } from "commander";
import type { Plain } from "../plain.js";
import { wholeNumberFrom } from "./framework.js";
import { numberWord, positiveWord } from "./option-words.js";

/** The limits of a search in all, or of a part of it. */
export interface Limits {
  readonly seconds?: number;
  readonly evaluations?: number;
  readonly batches?: number;
  readonly target?: number;
}

/** Adds the options of limits to a command. */
export const withLimits = (command: Command, seconds = ""): Command =>
  command
    .option("--seconds <number>", `end after this time${seconds}`, positiveWord)
    .option("--evaluations <count>", "end after this many evaluations", wholeNumberFrom(1))
    .option("--batches <count>", "end after this many batches", wholeNumberFrom(1));

/** The same with the objective at which a search is good enough. */
export const withTarget = (command: Command): Command =>
  withLimits(command).option(
    "--target <objective>",
    "end when the best objective is at least this",
    numberWord,
  );

/** The limits among other options. */
export function limitsOf({ seconds, evaluations, batches, target }: Limits): Limits {
  return {
    ...(seconds !== undefined && { seconds }),
    ...(evaluations !== undefined && { evaluations }),
    ...(batches !== undefined && { batches }),
    ...(target !== undefined && { target }),
  };
}

/** How far a search is. */
interface Progress {
  readonly seconds: number;
  readonly evaluations: number;
  readonly batches: number;
}

/** What is left of limits, or undefined if one of them is reached. */
export function leftOf(limits: Limits, done: Progress): Limits | undefined {
  const left: { -readonly [Name in keyof Limits]: Limits[Name] } = { ...limits };
  for (const name of ["seconds", "evaluations", "batches"] as const) {
    const most = limits[name];
    if (most === undefined) continue;
    left[name] = most - done[name];
    if (left[name] <= 0) return undefined;
  }
  return left;
}

/** The limits that the description of a run has. */
export function limitsOfPlain(plain: Plain | undefined): Limits {
  if (typeof plain !== "object" || plain === null || Array.isArray(plain)) return {};
  const numbers = Object.entries(plain).filter(([, value]) => typeof value === "number");
  return limitsOf(Object.fromEntries(numbers) as Limits);
}
