// The command `mm-ptx`: its own commands, and those of packages, which are loaded when they are used.
import { Command } from "commander";
import { type Failure, failureOf, type Outcome } from "./framework.js";
import { commandOf, type LoadedPackage, loadPackage, PackageError } from "./load.js";
import { addOwnCommands } from "./own-commands.js";
import { PACKAGE_COMMANDS, type PackageCommand } from "./packages.js";
import { reworded } from "./rewording.js";

type Done = (outcome: Outcome) => void;

/** How to build and report a command line of `mm-ptx`. */
interface Line {
  readonly build: (done: Done) => Promise<Command>;
  readonly failureOf: (error: unknown) => Failure | undefined;
  readonly reworded: (text: string) => string;
}

/** @param words the command line, of which the package of its command is loaded */
export function lineOf(words: readonly string[]): Line {
  const wanted = PACKAGE_COMMANDS.find(
    ({ name }) => name === words.find((word) => word !== "--json" && word !== "help"),
  );
  let loaded: LoadedPackage | undefined;
  return {
    build: async (done) => {
      loaded = wanted && (await loadPackage(wanted));
      return buildProgram(done, new Map(wanted && loaded && [[wanted, loaded]]));
    },
    failureOf: (error) =>
      error instanceof PackageError ? packageFailure(error) : (loaded?.failureOf(error) ?? failureOf(error)),
    reworded,
  };
}

/** The program with the commands of some packages; the others only have a name and a summary. */
export function buildProgram(done: Done, loaded: ReadonlyMap<PackageCommand, LoadedPackage>): Command {
  const program = new Command("mm-ptx")
    .description("One command for mm-ptx: starts projects, and runs the commands of the packages.")
    .usage("[options] <command>")
    .configureHelp({ subcommandTerm: (command) => command.name() })
    // Options after a command are the command's.
    .enablePositionalOptions()
    .addHelpText(
      "after",
      "\nA command is loaded from its package, and says how to install it if it is missing. `mm-ptx help COMMAND` describes it.\n" +
        "Exit codes: 0 on success, 1 for problems in files, 2 for an invalid command line and for missing packages.",
    );
  addOwnCommands(program, done, buildProgram);
  for (const command of PACKAGE_COMMANDS) {
    const found = loaded.get(command);
    program.addCommand(found === undefined ? new Command(command.name) : commandOf(command, found, done));
    program.commands.at(-1)?.summary(command.summary);
  }
  return program;
}

const packageFailure = ({ message }: PackageError): Failure => ({
  code: 2,
  json: { code: "UNAVAILABLE", message },
  text: ({ red }) => `${red("error")}: ${message}`,
});
