// Parses the values of options while commander reads them.
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import type { Option } from "commander";
import { commandHelp, helpOf } from "./help.js";
import { UsageError } from "./usage-error.js";

/** What a shell completes a value with: some words, which may have to be loaded, or the names of files. */
export type Completion = readonly string[] | "files" | (() => Promise<readonly string[]>);

/** The parser of an option or of an argument, with what a shell completes it with; `completionOf` reads that. */
export const completedBy = <Parser extends (word: string, before: never) => unknown>(
  completion: Completion,
  parse: Parser,
): Parser =>
  Object.assign(((word: string, before: never) => parse(word, before)) as unknown as Parser, { completion });

/** The same for a value of several words with commas between them. */
export const listCompletedBy = <Parser extends (word: string, before: never) => unknown>(
  completion: Completion,
  parse: Parser,
): Parser => Object.assign(completedBy(completion, parse), { isList: true });

/** Whether a value consists of words with commas between them. */
export const isListParser = (parse: unknown): boolean =>
  (parse as { readonly isList?: true } | undefined)?.isList === true;

/** What completes an option or an argument; `undefined` if nothing is known. Packages have copies of this framework. */
export const completionOf = (parse: unknown): Completion | undefined =>
  (parse as { readonly completion?: Completion } | undefined)?.completion;

/** What a message says if an option that a command requires is missing. */
interface Advice {
  /** A value of the option. */
  readonly example: string;
  /** How to find the right value, as a sentence without its full stop. */
  readonly advice?: string;
}

/** Makes an option one that its command requires. */
export const requiredOption = (option: Option, advice: Advice): Option =>
  Object.assign(option.makeOptionMandatory(), { advice });

/** The message for a required option that is missing. Packages have copies of this framework. */
export function missingOption(option: Option): string {
  const { long } = option;
  const { advice: given } = option as { readonly advice?: Advice };
  if (given === undefined) return `expected \`${long}\`, found nothing`;
  const { example, advice } = given;
  return `expected \`${long}\`, such as \`${long} ${example}\`, found nothing${advice === undefined ? "" : `; ${advice}`}`;
}

/** Makes errors about the value of an option begin with its flag. */
export function nameInErrors(option: Option): void {
  const { parseArg: parse, long, short } = option;
  if (parse === undefined) return;
  const named = (word: string, before: never): unknown => {
    try {
      return parse(word, before);
    } catch (error) {
      // Packages have copies of this framework, and report their own errors.
      if (error instanceof Error && helpOf(error) === commandHelp("USAGE"))
        error.message = `option \`${long ?? short}\`: ${error.message}`;
      throw error;
    }
  };
  option.argParser(Object.assign(named, parse));
}

/** An option whose value is a path. @throws UsageError */
export const pathWord = completedBy("files", (word: string): string => {
  if (word === "" || word.includes("\0")) throw new UsageError(`expected a path, found ${quoted(word)}`);
  return word;
});

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
  return completedBy(words, (found: string) => {
    const word = words.find((each) => each === found);
    if (word !== undefined) return word;
    const hint = didYouMean(found, words);
    const article = /^[aeiou]/.test(what) ? "an" : "a";
    throw new UsageError(`expected ${article} ${what} (${words.join(", ")}), found ${quoted(found)}${hint}`);
  });
}
