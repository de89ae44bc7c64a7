// All commands as plain data, read from the tables that parse command lines. Shells' completions and man pages are made of it.
import { readFileSync } from "node:fs";
import type { Argument, Command, Option } from "commander";
import { type Completion, completionOf, fullName, isListParser, type Outcome, prepare } from "./framework.js";
import { type LoadedPackage, loadPackage, PackageError } from "./load.js";
import { PACKAGE_COMMANDS, type PackageCommand } from "./packages.js";
import { reworded } from "./rewording.js";

/** What completes a value, with its words loaded; empty for values that only the user knows. */
export type Values = readonly string[] | "files";

export interface DescribedOption {
  /** `--out`, and `-o` before it if there is one. */
  readonly flags: readonly string[];
  /** As help shows it: `-o, --out <path>`. */
  readonly term: string;
  readonly description: string;
  /** `undefined` for options without a value. */
  readonly values?: Values;
  /** Whether the value is several words with commas between them. */
  readonly isList: boolean;
}

export interface DescribedArgument {
  readonly term: string;
  readonly description: string;
  readonly values: Values;
  /** Whether all further words are for it. */
  readonly isVariadic: boolean;
}

export interface DescribedCommand {
  /** As it is typed: `mm-ptx types check`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** As help shows it: `mm-ptx types check [options] <files...>`. */
  readonly usage: string;
  readonly options: readonly DescribedOption[];
  readonly arguments: readonly DescribedArgument[];
  readonly commands: readonly DescribedCommand[];
  /** What help prints after everything else. */
  readonly notes: string;
}

/** The program with its version, and the commands of packages that are not installed, which have a name and a summary. */
export interface Described {
  readonly program: DescribedCommand;
  readonly version: string;
  readonly missing: readonly PackageCommand[];
}

/** Makes the program, with the commands of the packages that are loaded. */
export type Build = (
  done: (outcome: Outcome) => void,
  loaded: ReadonlyMap<PackageCommand, LoadedPackage>,
) => Command;

/** Loads all packages that are installed. */
export async function describeAll(build: Build): Promise<Described> {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const loaded = new Map<PackageCommand, LoadedPackage>();
  for (const command of PACKAGE_COMMANDS) {
    try {
      loaded.set(command, await loadPackage(command));
    } catch (error) {
      if (!(error instanceof PackageError)) throw error;
    }
  }
  const program = build(() => {}, loaded);
  prepare(program, version, () => {});
  return {
    program: await describe(program),
    version,
    missing: PACKAGE_COMMANDS.filter((command) => !loaded.has(command)),
  };
}

async function describe(command: Command): Promise<DescribedCommand> {
  const help = command.createHelp();
  return {
    name: fullName(command),
    summary: command.summary() || command.description(),
    description: command.description(),
    usage: help.commandUsage(command),
    options: await Promise.all(help.visibleOptions(command).map(describeOption)),
    arguments: await Promise.all(command.registeredArguments.map(describeArgument)),
    commands: await Promise.all(command.commands.map(describe)),
    notes: notesOf(command),
  };
}

async function describeOption(option: Option): Promise<DescribedOption> {
  const { short, long, flags, description, required, optional, parseArg } = option;
  return {
    flags: [short, long].flatMap((flag) => flag ?? []),
    term: flags,
    description,
    isList: isListParser(parseArg),
    ...(required || optional ? { values: (await valuesOf(completionOf(parseArg))) ?? [] } : {}),
  };
}

/** An argument is a file unless its words are known. */
async function describeArgument(argument: Argument): Promise<DescribedArgument> {
  const { description, variadic, required } = argument;
  const word = `${argument.name()}${variadic ? "..." : ""}`;
  return {
    term: required ? `<${word}>` : `[${word}]`,
    description,
    values: (await valuesOf(completionOf(argument.parseArg))) ?? "files",
    isVariadic: variadic,
  };
}

const valuesOf = async (completion: Completion | undefined): Promise<Values | undefined> =>
  typeof completion === "function" ? await completion() : completion;

/** Commander makes this text only when it prints help, after what it returns as help. */
function notesOf(command: Command): string {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return reworded(help.slice(command.helpInformation().length).trim());
}

/** A command and all commands below it. */
export const withSubcommands = (command: DescribedCommand): readonly DescribedCommand[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];
