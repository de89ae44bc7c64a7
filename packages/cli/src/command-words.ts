// Which words of a command line belong to which command, before commander reads them.
import type { Command } from "commander";
import { unknownCommand } from "./usage.js";
import { UsageError } from "./usage-error.js";

/** The command's name with the names of the commands above it, as users type it. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

/** The command that the words end with; `undefined` if other words follow it. */
export function deepestCommand(program: Command, words: readonly string[]): Command | undefined {
  let command = program;
  for (const word of words) {
    const next = subcommand(command, word);
    if (next !== undefined) command = next;
    else if (word !== "--json") return undefined;
  }
  return command;
}

/**
 * The words with `help COMMAND…` as `COMMAND… --help`.
 *
 * @throws UsageError for help about a command that does not exist
 */
export function withHelpOption(program: Command, words: readonly string[]): readonly string[] {
  const isHelp = ownWords(program, words).some((word) => word === "--help" || word === "-h");
  let command = program;
  for (const [at, word] of words.entries()) {
    if (word === "--json") continue;
    if (word === "help" && command.commands.length > 0) {
      const others = words.slice(at + 1);
      refuseUnknown(command, others);
      return [...words.slice(0, at), ...others, "--help"];
    }
    const next = subcommand(command, word);
    if (next === undefined) {
      const hasOnlyCommands = command.commands.length > 0 && command.registeredArguments.length === 0;
      if (isHelp && hasOnlyCommands && !word.startsWith("-") && !hasDefault(command))
        throw new UsageError(unknownCommand(command, word));
      return words;
    }
    command = next;
  }
  return words;
}

/** @throws UsageError unless each word is a command of the one before it */
function refuseUnknown(program: Command, words: readonly string[]): void {
  let command = program;
  for (const word of words.filter((each) => !each.startsWith("-"))) {
    const next = subcommand(command, word);
    if (next === undefined) throw new UsageError(unknownCommand(command, word));
    command = next;
  }
}

/** The words that are read as options: not those after `--`, and not those of a program that a command starts. */
export function ownWords(program: Command, words: readonly string[]): readonly string[] {
  let command = program;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === "--") return words.slice(0, at);
    if (word.startsWith("-")) {
      if (takesNextWord(command, word)) at++;
      continue;
    }
    const next = subcommand(command, word);
    if (next !== undefined) command = next;
    else if (passesThrough(command)) return words.slice(0, at);
  }
  return words;
}

const subcommand = (command: Command, word: string): Command | undefined =>
  command.commands.find((each) => each.name() === word || each.aliases().includes(word));

const takesNextWord = (command: Command, word: string): boolean =>
  command.options.some(({ long, short, required }) => required && (word === long || word === short));

/** What commander stores for `isDefault`. */
const hasDefault = (command: Command): boolean =>
  (command as unknown as { readonly _defaultCommandName: string | null })._defaultCommandName !== null;

/** What commander stores for `passThroughOptions`. */
const passesThrough = (command: Command): boolean =>
  (command as unknown as { readonly _passThroughOptions: boolean })._passThroughOptions;
