// The command line: its commands and options. What a command needs is loaded when it is given.

import { type Outcome, oneOf, pathWord, UsageError, wholeNumber } from "@mm-ptx/types/cli";
import { quoted } from "@mm-ptx/types/core";
import { Command } from "commander";
import type { CompileFlags } from "./compile.js";
import type { InspectFlags } from "./inspect.js";

const EFFORTS = ["final", "balanced", "draft"] as const;
const BACKENDS = ["auto", "isolated", "in-process", "ptxas"] as const;
const CACHE_ACTIONS = ["stats", "clear", "verify"] as const;

/** @param done gets what the command found */
export function buildProgram(done: (outcome: Outcome) => void): Command {
  const program = new Command("mm-ptx-cuda")
    .description("Compiles PTX to cubins on every core, without a driver, and looks into them.")
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 for problems in files and where nothing can compile, 2 for a wrong command line.",
    );

  program
    .command("compile")
    .description("compile PTX files to cubins")
    .argument("<inputs...>", "PTX files or patterns; - for stdin")
    .requiredOption("-a, --arch <names>", "architectures, with commas; native is the first GPU's", arches)
    .option(
      "-o, --out <path>",
      "folder for the cubins, or the file for one; without it the current folder",
      pathWord,
    )
    .option("--effort <word>", "final (the default), balanced or draft", oneOf("word", EFFORTS))
    .option("--max-registers <number>", "the most registers a thread may use", wholeNumber)
    .option("--line-info", "keep line numbers")
    .option("--debug", "keep what a debugger needs; optimises nothing")
    .option("--no-fmad", "keep multiplications and additions apart")
    .option("--ascii-comments", "take comments that are not ASCII, with ? for what is none")
    .option("--backend <name>", BACKENDS.join(", "), oneOf("backend", BACKENDS))
    .option("--workers <number>", "compiles at once; without it as many as cores", wholeNumber)
    .option("--timeout <ms>", "milliseconds that one compile may take", wholeNumber)
    .option("--memory-limit <bytes>", "what a worker may have in memory, for example 2G", byteCount)
    .option("--no-cache", "neither take cubins from the cache nor keep them")
    .option("-i, --info", "print what each kernel needs")
    .option("-q, --quiet", "tell only problems")
    .action(async (inputs: string[], _: unknown, command: Command) => {
      const { compile } = await import("./compile.js");
      done(await compile(inputs, command.opts<CompileFlags>()));
    });

  program
    .command("doctor")
    .description("tell what this machine can do, what is missing and where it was looked for")
    .action(async () => {
      const { doctor } = await import("./doctor.js");
      done(await doctor());
    });

  program
    .command("cache")
    .description("tell how much is in the cache, empty it, or remove what is damaged")
    .argument("<action>", CACHE_ACTIONS.join(", "), oneOf("cache action", CACHE_ACTIONS))
    .option("--folder <path>", "the cache's folder; without it the one that compilers use", pathWord)
    .action(async (action: (typeof CACHE_ACTIONS)[number], { folder }: { readonly folder?: string }) => {
      const { cache } = await import("./cache.js");
      done(await cache(action, folder));
    });

  program
    .command("inspect")
    .description("tell what is in a cubin, or in a PTX file")
    .argument("<file>", "cubin or PTX file; - for stdin", pathWord)
    .option("--kernel <name>", "only this one")
    .option("--sass", "print the machine code, with nvdisasm or cuobjdump")
    .option("--lines", "print which lines the code comes from")
    .option("--symbols", "print the symbols")
    .option("--sections", "print the sections")
    .action(async (file: string, flags: InspectFlags) => {
      const { inspect } = await import("./inspect.js");
      done(await inspect(file, flags));
    });

  return program;
}

/** `sm_90,sm_120` */
function arches(word: string, before: readonly string[] = []): readonly string[] {
  const names = word.split(",").map((name) => name.trim());
  if (names.includes("")) {
    throw new UsageError(`expected architectures with commas, found ${quoted(word)}`);
  }
  return [...before, ...names];
}

const UNITS = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** `1500000000`, `1500M`, `2G` */
function byteCount(word: string): number {
  const [, digits, unit = ""] = /^(\d{1,15})([KMG]?)$/i.exec(word) ?? [];
  if (digits === undefined) {
    throw new UsageError(`expected bytes, for example \`2G\`, found ${quoted(word)}`);
  }
  return Number(digits) * UNITS[unit.toUpperCase() as keyof typeof UNITS];
}
