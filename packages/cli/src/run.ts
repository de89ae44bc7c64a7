// Runs the command lines of all packages: prints text or one JSON value, and reports errors. Exit codes: 0, 1 when
// files have problems, 2 when the command line is wrong.
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import type { CommandFailure as Failure } from "@mm-ptx/types/internal";
import type { Command, CommanderError } from "commander";
import { deepestCommand, fullName, ownWords, withHelpOption } from "./command-words.js";
import { helpOf } from "./help.js";
import { nameInErrors } from "./option-words.js";
import { systemError, failureOf as usualFailureOf } from "./problems.js";
import { type Colors, colorsOf, type Outcome, printable } from "./terminal.js";
import { usageMessage } from "./usage.js";
import { UsageError } from "./usage-error.js";
import { reasonOf } from "./whole-files.js";

/** The program of a package. */
export interface CommandLine {
  /** The manifest of the package, which has the version. */
  readonly manifest: URL;
  /** Makes the commands and options; an action passes its result to `done`. */
  readonly build: (done: (outcome: Outcome) => void) => Command | Promise<Command>;
  /** Reports an error of the package's functions; `undefined` for errors that are bugs. */
  readonly failureOf: (error: unknown) => Failure | undefined;
  /** Changes what is printed for the user, such as the names of commands. */
  readonly reworded?: (text: string) => string;
}

const { stdout, stderr, env } = process;

/** Runs a command line, prints its result and sets the exit code. */
export async function runCommandLine(line: CommandLine, words: readonly string[]): Promise<void> {
  // Handlers run between two turns, never while a file is written, so no temporary file is left behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
  let isLost = false;
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough, such as `head`, is not an error.
      if (error.code === "EPIPE") return;
      isLost = true;
      process.exitCode = 1;
      // If stderr cannot be written, there is nowhere left to report that.
      if (stream === stderr) return;
      const message = `expected a writable standard output, found one that cannot be written: ${reasonOf(error)}`;
      stderr.write(`${colorsOf(stderr, env).red("error")}: ${message}\n`);
    });
  }
  const work = () => run(line, words);
  const { reworded } = line;
  const code = await (reworded === undefined ? work() : rewording([stdout, stderr], reworded, work));
  process.exitCode = isLost ? 1 : code;
}

/** Rewords all texts that are written meanwhile; bytes stay as they are. */
async function rewording<Result>(
  streams: readonly NodeJS.WriteStream[],
  reworded: (text: string) => string,
  work: () => Promise<Result>,
): Promise<Result> {
  const writes = streams.map(({ write }) => write);
  streams.forEach((stream, at) => {
    stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean =>
      Reflect.apply(writes[at]!, stream, [typeof chunk === "string" ? reworded(chunk) : chunk, ...more]);
  });
  try {
    return await work();
  } finally {
    streams.forEach((stream, at) => {
      stream.write = writes[at]!;
    });
  }
}

async function run(line: CommandLine, words: readonly string[]): Promise<number> {
  const { manifest, build, failureOf } = line;
  let isJson = words.includes("--json");
  let outcome: Outcome | undefined;
  let told = "";
  try {
    const program = await build((done) => {
      outcome = done;
    });
    isJson = ownWords(program, words).includes("--json");
    const { version } = JSON.parse(readFileSync(manifest, "utf8"));
    prepare(program, version, (text) => {
      told += text;
    });
    const parsed = withHelpOption(program, words);
    const last = deepestCommand(program, parsed);
    if (last !== undefined && last.commands.length > 0 && last.registeredArguments.length === 0) {
      const help = `\`${fullName(last)} --help\``;
      throw new UsageError(`expected a command, found nothing; ${help} lists them`);
    }
    // The option may precede the command that it is for.
    program.hook("preAction", (_, command) => {
      if (isJson) command.setOptionValue("json", true);
    });
    await program.parseAsync(parsed, { from: "user" });
    if (outcome === undefined) return 0;
    if (isJson) printJson(outcome.json());
    else {
      stderr.write(outcome.complaints?.(colorsOf(stderr, env)) ?? "");
      stdout.write(outcome.text(colorsOf(stdout, env)));
      showHelp(outcome.help);
    }
    return outcome.exitCode ?? (outcome.ok ? 0 : 1);
  } catch (thrown) {
    const error = systemError(thrown) ?? thrown;
    if (isShown(error)) {
      if (isJson) printJson({ ok: true, text: told.trimEnd() });
      else stdout.write(told);
      return 0;
    }
    const failure =
      error instanceof UsageError ? usageFailure(error) : (failureOf(error) ?? usualFailureOf(error));
    if (failure === undefined) throw error;
    const help = helpOf(error);
    if (isJson) printJson({ ok: false, error: { ...failure.json, help } });
    else {
      stderr.write(`${failure.text(colorsOf(stderr, env))}\n`);
      showHelp(help);
    }
    return failure.code;
  }
}

/** The last line of a failure, which only people at a terminal need. */
function showHelp(help: string | undefined): void {
  if (help !== undefined && stderr.isTTY) stderr.write(`${colorsOf(stderr, env).dim(`help: ${help}`)}\n`);
}

/** Commander throws this after `--help` and `--version`; packages may have copies of it. */
const isShown = (error: unknown): boolean =>
  error instanceof Error && "exitCode" in error && error.exitCode === 0 && "code" in error;

/**
 * Adds what all commands have in common.
 *
 * @param writeOut receives help and the version
 */
export function prepare(
  program: Command,
  version: string,
  writeOut: (text: string) => void,
  isProgram = true,
): void {
  // Not `-v`, with which build scripts ask other tools to list what they do: it would print the version and do nothing.
  program.version(version, "-V, --version", "print the version").helpCommand(false);
  const shown = program.options.find(({ long }) => long === "--version");
  // A subcommand takes the option as well, but only the program lists it.
  if (!isProgram) shown?.hideHelp();
  program
    .helpOption("-h, --help", "show this")
    .option("--json", "print one JSON value")
    .showSuggestionAfterError(false)
    .allowExcessArguments(false)
    .configureOutput({ writeOut, writeErr: () => {}, outputError: () => {} })
    .exitOverride((error: CommanderError) => {
      throw error.exitCode === 0 ? error : new UsageError(usageMessage(error, program));
    });
  program.options.forEach(nameInErrors);
  for (const command of program.commands) prepare(command, version, writeOut, false);
}

/** Reports a wrong command line. */
export function usageFailure({ message }: UsageError): Failure {
  const text = (colors: Colors) => `${colors.red("error")}: ${printable(message)}`;
  return { code: 2, json: { code: "USAGE", message }, text };
}

function printJson(value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
