// The command line: options, their defaults, and messages for misspelt ones.

import { availableParallelism } from "node:os";
import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { didYouMean } from "@mm-ptx/types/internal";
import { Command, CommanderError } from "commander";
import { QuickstartError } from "./error.js";

/** Where programs may run. */
export type Run = "auto" | "gpu" | "emulator" | "none";
const RUNS: readonly Run[] = ["auto", "gpu", "emulator", "none"];

/** How many programs are packed into one kernel. */
export type Pack = "auto" | "none" | number;

/** A checked command line. */
export interface Options {
  /** How many programs are sampled. */
  readonly programs: number;
  /** The seed of the random numbers. */
  readonly seed: number;
  /**
   * The GPU architecture of the cubins, for example `sm_90`. By default that of the GPU that runs them, otherwise
   * sm_90.
   */
  readonly arch?: string;
  /** The output folder, as it was given. */
  readonly out: string;
  /** Whether each program's PTX and cubin are written. */
  readonly keep: boolean;
  /** Whether stdout gets one JSON object instead of the table. */
  readonly json: boolean;
  /** Where programs run; their results are then compared with the reference. */
  readonly run: Run;
  /** How programs are packed where they run on the emulator, and where they are drafted. */
  readonly pack: Pack;
  /** Whether it is a failure if nothing on the machine compiles PTX. */
  readonly requireCompile: boolean;
  /** How many compiles run at once. */
  readonly workers: number;
  /** Whether cubins of earlier runs are reused, and those of this run are kept for later ones. */
  readonly cache: boolean;
  /** Whether workers of a farm compile, which is started on this machine. */
  readonly farm: boolean;
}

/** The options, completed with what depends on the machine. */
export type Settings = Options & { readonly arch: string };

/** The output of `--help`. */
export interface Help {
  readonly help: string;
}

/** The maximum number of programs per run, beyond anybody's patience. */
const MAX_PROGRAMS = 1_000_000;
const MAX_SEED = 2 ** 32 - 1;
const MAX_WORKERS = 256;
const MAX_PACK = 4096;
/** How many words that are not options a message lists; the others are only counted. */
const TOLD = 4;

/**
 * Parses a command line (without node and script).
 *
 * @throws QuickstartError `USAGE` for an unknown option or architecture, or a value out of range.
 */
export function parseOptions(args: readonly string[], defaultOut: string): Options | Help {
  const command = describe(defaultOut);
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
    writeErr: () => {},
    outputError: () => {},
  });
  try {
    command.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { help };
    throw new QuickstartError("USAGE", usageMessage(error, command, args), { cause: error });
  }
  return command.opts<Options>();
}

function describe(defaultOut: string): Command {
  const cores = availableParallelism();
  return new Command("npm start --")
    .description(
      "Samples random Stack PTX programs, compiles them to stubs, injects each stub into a kernel, runs " +
        "the kernels, compiles them to cubins on every core, checks results and cubins, and prints a report.",
    )
    .option("--programs <n>", "how many programs to sample", wholeNumber("--programs", 1, MAX_PROGRAMS), 1000)
    .option(
      "--seed <s>",
      "seed of the random numbers; the same seed gives the same cubins",
      wholeNumber("--seed", 0, MAX_SEED),
      1,
    )
    .option(
      "--arch <a>",
      "GPU architecture of the cubins (default: that of the GPU, otherwise sm_90)",
      knownArchitecture,
    )
    .option("--out <dir>", "folder for results.jsonl, report.svg and the files of --keep", folder, defaultOut)
    .option("--keep", "write each program's PTX and cubin: 00000.ptx, 00000.cubin, …", false)
    .option("--json", "print one JSON object on stdout instead of the table", false)
    .option(
      "--run <where>",
      "where to run each program: gpu (and emulator), emulator, none, or auto",
      knownRun,
      "auto",
    )
    .option(
      "--pack <n>",
      "how many programs share a kernel: a number, none, or auto, which measures",
      knownPack,
      "auto",
    )
    .option("--require-compile", "fail if nothing can compile PTX", false)
    .option("--workers <n>", "how many compiles run at once", wholeNumber("--workers", 1, MAX_WORKERS), cores)
    .option("--no-cache", "compile everything, and keep nothing for later runs")
    .option("--farm", "compile on a farm of a server and two workers, which it starts on this machine", false)
    .helpOption("-h, --help", "show this help")
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .exitOverride();
}

function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new QuickstartError(
      "USAGE",
      `expected a whole number from ${least} to ${most} for \`${option}\`, found \`${text}\``,
    );
  };
}

function knownPack(text: string): Pack {
  if (text === "auto" || text === "none") return text;
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (size >= 2 && size <= MAX_PACK) return size;
  const hint = didYouMean(text, ["auto", "none"]);
  throw new QuickstartError(
    "USAGE",
    `expected auto, none or a whole number from 2 to ${MAX_PACK} for \`--pack\`, found \`${text}\`${hint}`,
  );
}

function knownArchitecture(text: string): string {
  if (architecture(text) !== undefined) return text;
  const names = ARCHITECTURES.map(({ name }) => name);
  // PTX calls it `compute_90`, other tools `sm90` or `90`, so only the part after the prefix is compared.
  const meant = `sm_${text.replace(/^\D*(?=\d)|^.*_/s, "")}`;
  const hint = didYouMean(meant, names) || `; known are ${names.join(" ")}`;
  throw new QuickstartError(
    "USAGE",
    `expected a known architecture for \`--arch\`, found \`${text}\`${hint}`,
  );
}

function knownRun(text: string): Run {
  const run = RUNS.find((each) => each === text);
  if (run !== undefined) return run;
  const hint = didYouMean(text, RUNS);
  throw new QuickstartError(
    "USAGE",
    `expected one of ${RUNS.join(", ")} for \`--run\`, found \`${text}\`${hint}`,
  );
}

function folder(text: string): string {
  if (text !== "" && !text.includes("\0")) return text;
  throw new QuickstartError("USAGE", "expected a folder for `--out`, found an empty name");
}

/** Rephrases commander's messages in the style of all mm-ptx messages. */
function usageMessage(error: CommanderError, command: Command, args: readonly string[]): string {
  const known = command.options.flatMap((option) => (option.long === undefined ? [] : [option.long]));
  const quoted = /'([^']*)'/.exec(error.message)?.[1];
  switch (error.code) {
    case "commander.unknownOption": {
      const name = (quoted ?? "").replace(/=.*$/s, "");
      return `expected a known option, found \`${name}\`${didYouMean(name, [...known, "--help"])}`;
    }
    case "commander.optionMissingArgument": {
      const name = known.find((option) => error.message.includes(`${option} `)) ?? args.at(-1);
      return `expected a value after \`${name}\`, found nothing`;
    }
    case "commander.excessArguments": {
      const hint = command.args.map((arg) => (arg.startsWith("-") ? "" : didYouMean(`--${arg}`, known)));
      return `expected only options, found ${quotedList(command.args)}${hint.find((each) => each !== "") ?? ""}`;
    }
    default:
      return error.message.replace(/^error: /, "");
  }
}

/** `a`, `b` and 3 more, in backticks: enough to see how the words were read. */
function quotedList(words: readonly string[]): string {
  const told = words.slice(0, TOLD).map((word) => `\`${word}\``);
  const more = words.length - told.length;
  const last = more > 0 ? `${more} more` : told.pop();
  return told.length === 0 ? `${last}` : `${told.join(", ")} and ${last}`;
}
