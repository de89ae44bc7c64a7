// Errors in the command line, with the same wording as all other messages.
import { didYouMean } from "@mm-ptx/types/internal";
import type { Command, CommanderError } from "commander";
import { missingOption } from "./option-words.js";
import { counted } from "./terminal.js";

/** The message for a word in place of a command. */
export function unknownCommand(program: Command, word: string): string {
  const names = program.commands.map((one) => one.name());
  if (names.length === 0) return `expected no command after \`${program.name()}\`, found \`${word}\``;
  return `expected a command (${names.join(", ")}), found \`${word}\`${didYouMean(word, names)}`;
}

/** Converts an error of commander. */
export function usageMessage(error: CommanderError, command: Command): string {
  const options = ["--help", ...command.options.flatMap(({ long }) => long ?? [])];
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  switch (error.code) {
    case "commander.unknownCommand":
      return unknownCommand(command, quoted);
    case "commander.unknownOption": {
      const [name = "", value] = quoted.split(/=(.*)$/s);
      if (options.includes(name)) return `expected no value for \`${name}\`, found \`${value}\``;
      return `expected a known option, found \`${name}\`${didYouMean(name, options)}`;
    }
    case "commander.optionMissingArgument":
      return `expected a value after \`${/--[\w-]+/.exec(quoted)?.[0] ?? quoted}\`, found nothing`;
    case "commander.missingMandatoryOptionValue":
      return missingOption(command.options.find(({ flags }) => flags === quoted)!);
    case "commander.conflictingOption": {
      const [, one, other] = /'([^']*)'.*'([^']*)'/.exec(error.message) ?? [];
      return `expected \`${one}\` or \`${other}\`, found both`;
    }
    case "commander.missingArgument":
      return `expected the argument \`${quoted}\`, found nothing`;
    case "commander.excessArguments": {
      const expected = counted(command.registeredArguments.length, "argument");
      return `expected ${expected}, found ${command.args.map((word) => `\`${word}\``).join(", ")}`;
    }
    default:
      return error.message.replace(/^error: /, "");
  }
}
