// Loads the command lines of packages: those of the project in the current folder, and otherwise those that are installed
// with this one.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type CommandFailure, type CommandOutcome, describeError } from "@mm-ptx/types/internal";
import type { Command } from "commander";
import { commandHelp } from "./framework.js";
import { type CommandPackage, installWords, type PackageCommand } from "./packages.js";
import { reworded } from "./rewording.js";

/** What a package exports as `./command`. */
export interface LoadedPackage {
  readonly build: (done: (outcome: CommandOutcome) => void) => Command;
  readonly failureOf: (error: unknown) => CommandFailure | undefined;
}

/** A package is missing, or too old for the command. */
export class PackageError extends Error {
  readonly help = commandHelp("UNAVAILABLE");
}

/**
 * Loads the package of a command.
 *
 * @throws PackageError if it is not installed, or does not have the command
 */
export async function loadPackage({ package: wanted, subcommand }: PackageCommand): Promise<LoadedPackage> {
  const { name, exports } = wanted;
  const path = findEntry(wanted);
  if (path === undefined)
    throw new PackageError(
      `expected the package \`${name}\`, found none: \`${installWords(wanted)}\` installs it`,
    );
  const module = await importEntry(path, wanted);
  const loaded: LoadedPackage = {
    build: module[`${exports}Command`],
    failureOf: module[`${exports}Failure`],
  };
  const names = loaded.build(() => {}).commands.map((command) => command.name());
  if (subcommand !== undefined && !names.includes(subcommand))
    throw outdated(wanted, `the command \`${subcommand}\``);
  return loaded;
}

/** @throws PackageError if something that the package needs is not installed */
async function importEntry(path: string, wanted: CommandPackage) {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const { name } = wanted;
    throw new PackageError(
      `expected \`${name}\` with all that it needs, found an incomplete installation (${describeError(error)}): \`${installWords(wanted)}\` repairs it`,
    );
  }
}

/**
 * The file of a package's entry `./command`; `undefined` if the package is not installed.
 *
 * @throws PackageError if it has no such entry
 */
function findEntry(wanted: CommandPackage): string | undefined {
  for (const place of [join(process.cwd(), "package.json"), import.meta.url]) {
    try {
      return createRequire(place).resolve(`${wanted.name}/command`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED") throw outdated(wanted, "`./command`");
      if (code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return undefined;
}

/** A command of a loaded package, as it is called here. */
export function commandOf(
  { name, subcommand }: PackageCommand,
  { build }: LoadedPackage,
  done: (outcome: CommandOutcome) => void,
): Command {
  const program = build(done);
  const command = program.commands.find((each) => each.name() === subcommand) ?? program;
  reword(command);
  return command.name(name);
}

/** Rewords descriptions before help breaks them into lines. */
function reword(command: Command): void {
  command.description(reworded(command.description()));
  for (const each of [...command.options, ...command.registeredArguments])
    each.description = reworded(each.description);
  for (const each of command.commands) reword(each);
}

const outdated = (wanted: CommandPackage, what: string): PackageError =>
  new PackageError(
    `expected a version of \`${wanted.name}\` with ${what}, found an older one: \`${installWords(wanted)}@latest\` installs another`,
  );
