// The command `mm-ptx-emulate run`: its options. Its code is loaded when it is used.

import { quoted } from "@mm-ptx/types/internal";
import { Command } from "commander";
import { ENGINES, MOST_WORKERS } from "../device/options.js";
import { MOST_MEMORY } from "../run/paged-memory.js";
import { addCheckOptions, CHECK_HELP } from "./check-options.js";
import { type Outcome, oneOf, pathWord, shellWord, UsageError } from "./framework.js";
import type { RunOptions } from "./run.js";
import { aboveZero, atMost } from "./words.js";

/** @param done receives the outcome of the program or of the folder */
export function buildRun(done: (outcome: Outcome) => void): Command {
  return (
    addCheckOptions(new Command("run"))
      .description("run a CUDA program that was built with `nvcc -cudart shared` on the CPU")
      // Options after the program are the program's.
      .passThroughOptions()
      .argument("[program]", "the program")
      .argument("[words...]", "its arguments")
      .option("--engine <name>", "the engine that runs the kernels", oneOf("engine", ENGINES), "auto")
      .option(
        "--workers <n>",
        "number of worker threads that share the blocks",
        atMost(MOST_WORKERS, "workers"),
      )
      .option("--memory <bytes>", "size of the device memory", atMost(MOST_MEMORY, "bytes of memory"))
      .option(
        "--heap <bytes>",
        "the most bytes that kernels may allocate with malloc at a time",
        atMost(MOST_MEMORY, "bytes"),
      )
      .option("--lockstep", "run the threads of a warp in step")
      .option("--timeout <ms>", "stop a kernel after this many milliseconds", aboveZero)
      .option("--capability <x.y>", "the compute capability that the program sees", capabilityWord)
      .option("--lcov <file>", "write how often lines of the CUDA source ran as an lcov tracefile", pathWord)
      .option("--corpus <folder>", "run every program in a folder, and print a table", pathWord)
      .option("--stats", "list the kernels, how often they ran and how long they took")
      .addHelpText(
        "after",
        `
${CHECK_HELP}

Options come before the program. The exit code is the program's; it is 1 if the program can't run, and with \`--check\`
also if there are errors or a launch stopped with one, and 2 for an invalid command line.`,
      )
      .action(async (program: string | undefined, words: readonly string[], options: RunOptions) => {
        if ((program === undefined) === (options.corpus === undefined))
          throw new UsageError(
            `expected a program or \`--corpus\`, found ${program === undefined ? "neither" : "both"}`,
          );
        if (program === undefined) refuseWithCorpus(options);
        else if (program.endsWith(".cu"))
          throw new UsageError(
            `expected a program, found CUDA C++: \`mm-ptx-emulate ${shellWord(program)}\` builds it and runs it`,
          );
        const { run, runAll } = await import("./run.js");
        done(program === undefined ? await runAll(options) : await run(program, words, options));
      })
  );
}

function capabilityWord(word: string): { readonly major: number; readonly minor: number } {
  const [, major, minor] = /^(\d{1,2})\.(\d)$/.exec(word) ?? [];
  if (major === undefined || minor === undefined)
    throw new UsageError(`expected a compute capability such as 9.0, found ${quoted(word)}`);
  return { major: Number(major), minor: Number(minor) };
}

/** Options that are about one program. @throws UsageError */
function refuseWithCorpus(options: RunOptions): void {
  for (const name of ["check", "report", "suppress", "lcov", "stats"] as const)
    if (options[name] !== undefined)
      throw new UsageError(`expected \`--${name}\` with one program, found it with \`--corpus\``);
}
