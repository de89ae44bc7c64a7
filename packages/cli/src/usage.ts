// Errors in the command line, with the same wording as all other messages.
import { didYouMean } from "@mm-ptx/types/internal";
import type { Command, CommanderError } from "commander";
import { counted } from "./terminal.js";

/** The command line is wrong; the exit code is 2. */
export class UsageError extends Error {}

/** Converts an error of commander. */
export function usageMessage(error: CommanderError, command: Command): string {
  const commands = command.commands.map((one) => one.name());
  const options = ["--help", ...command.options.flatMap(({ long }) => long ?? [])];
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  switch (error.code) {
    case "commander.unknownCommand":
      return `expected a command (${commands.join(", ")}), found \`${quoted}\`${didYouMean(quoted, commands)}`;
    case "commander.unknownOption": {
      const [name = "", value] = quoted.split(/=(.*)$/s);
      if (options.includes(name)) return `expected no value for \`${name}\`, found \`${value}\``;
      return `expected a known option, found \`${name}\`${didYouMean(name, options)}`;
    }
    case "commander.optionMissingArgument":
      return `expected a value after \`${/--[\w-]+/.exec(quoted)?.[0] ?? quoted}\`, found nothing`;
    case "commander.missingMandatoryOptionValue":
      return `expected \`${/--[\w-]+/.exec(quoted)?.[0] ?? quoted}\`, found nothing`;
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
