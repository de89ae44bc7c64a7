// The commands and options of the command line. A command's code is loaded when it is used.

import { quoted } from "@mm-ptx/types/internal";
import { Command, Option } from "commander";
import type { CacheFlags } from "./cache.js";
import { codeFlags } from "./code-flags.js";
import type { CompileFlags } from "./compile.js";
import type { FetchFlags } from "./fetch.js";
import { type Outcome, oneOf, pathWord, UsageError, wholeNumber } from "./framework.js";
import type { InspectFlags } from "./inspect.js";

const BACKENDS = ["auto", "isolated", "in-process", "ptxas", "nvjitlink"] as const;
const FETCHED = ["compiler", "ptxas", "nvjitlink"] as const;
const CACHE_ACTIONS = ["stats", "clear", "verify"] as const;

/** @param done receives the command's outcome */
export function buildProgram(done: (outcome: Outcome) => void): Command {
  const program = new Command("mm-ptx-cuda")
    .description("Compiles PTX to cubins on every core, without a driver, and inspects them.")
    .addHelpText(
      "after",
      "\nExit codes: 0 on success, 1 for problems in files or if no backend can compile, 2 for an invalid command line.",
    );

  const compileCommand = program
    .command("compile")
    .description("compile PTX files to cubins")
    .argument("<inputs...>", "PTX files, filled kernels as JSON, or patterns; - for stdin");
  for (const option of codeFlags()) compileCommand.addOption(option);
  compileCommand
    .option(
      "-o, --out <path>",
      "folder for the cubins, or file for a single cubin (default: the current folder)",
      pathWord,
    )
    .option("--ascii-comments", "accept comments that are not ASCII, replacing such characters by ?")
    .option("--backend <name>", BACKENDS.join(", "), oneOf("backend", BACKENDS))
    .option("--workers <number>", "number of concurrent compiles (default: the number of cores)", wholeNumber)
    .option("--timeout <ms>", "time limit of one compile in milliseconds", wholeNumber)
    .addOption(memoryLimitOption())
    .option("--no-cache", "neither read cubins from the cache nor store them")
    .option("-i, --info", "print the requirements of each kernel")
    .option("-q, --quiet", "print only problems")
    .action(async (inputs: string[], _: unknown, command: Command) => {
      const { compile } = await import("./compile.js");
      done(await compile(inputs, command.opts<CompileFlags>()));
    });

  program
    .command("doctor")
    .description("report what this machine supports, what is missing, and where it was searched for")
    .action(async () => {
      const { doctor } = await import("./doctor.js");
      done(await doctor());
    });

  program
    .command("cache")
    .description("show the size of the cache, empty it, or delete corrupt entries")
    .argument("[action]", CACHE_ACTIONS.join(", "), oneOf("cache action", CACHE_ACTIONS), "stats")
    .option("--folder <path>", "the cache's folder (default: the one that compilers use)", pathWord)
    .option("--fetched", "with clear: also delete what `fetch` downloaded")
    .action(async (action: (typeof CACHE_ACTIONS)[number], flags: CacheFlags) => {
      const { cache } = await import("./cache.js");
      done(await cache(action, flags));
    });

  program
    .command("fetch")
    .description("download NVIDIA's PTX compilers, or one of them, into the cache folder")
    .argument("<what>", `compiler (all of them), ${FETCHED.slice(1).join(", ")}`, oneOf("name", FETCHED))
    .argument("[files...]", "the wheels, if they were downloaded on another machine")
    .action(async (what: (typeof FETCHED)[number], files: readonly string[], flags: FetchFlags) => {
      const { fetchCompilers } = await import("./fetch.js");
      done(await fetchCompilers(what, files, flags));
    });

  program
    .command("inspect")
    .description("show the contents of a cubin, a PTX file or a filled kernel")
    .argument("<file>", "cubin, PTX file or filled kernel; - for stdin", pathWord)
    .option("--kernel <name>", "only this kernel")
    .option("--sass", "print the machine code, with nvdisasm or cuobjdump")
    .option("--lines", "print the lines that the code comes from")
    .option("--symbols", "print the symbols")
    .option("--sections", "print the sections")
    .action(async (file: string, flags: InspectFlags) => {
      const { inspect } = await import("./inspect.js");
      done(await inspect(file, flags));
    });

  return program;
}

/** The library's option names its unit, but the flag's values may have a unit themselves. */
function memoryLimitOption(): Option {
  const option = new Option("--memory-limit <bytes>", "memory limit of a worker, for example 2G");
  option.attributeName = () => "memoryLimitBytes";
  return option.argParser(byteCount);
}

const UNITS = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Parses `1500000000`, `1500M` or `2G`. */
function byteCount(word: string): number {
  const [, digits, unit = ""] = /^(\d{1,15})([KMG]?)$/i.exec(word) ?? [];
  if (digits === undefined) {
    throw new UsageError(`expected bytes, for example \`2G\`, found ${quoted(word)}`);
  }
  return Number(digits) * UNITS[unit.toUpperCase() as keyof typeof UNITS];
}
