// The commands and options of the command line. A command's code is loaded when it is used.
import { quoted } from "@mm-ptx/types/internal";
import { Command } from "commander";
import { completedBy, type Outcome, pathWord, UsageError } from "./framework.js";
import type { RunFlags } from "./run.js";

/** @param done receives the command's outcome */
export function buildProgram(done: (outcome: Outcome) => void): Command {
  const program = new Command("mm-ptx-pipeline")
    .description("Runs many programs in a kernel, and writes what each of them computed.")
    .addHelpText(
      "after",
      "\nExit codes: 0 on success, 1 for problems in files or if the run cannot go on, 2 for an invalid command line, 130 after Ctrl-C.\n" +
        "Programs that fail have their failures as results.",
    );

  program
    .command("run")
    .description("run the programs of a configuration, and write their results as JSON lines")
    .argument(
      "<config>",
      "module whose default export is the configuration, or a function that returns it",
      pathWord,
    )
    .option(
      "-o, --out <file>",
      "file for the results; - for stdout (default: `out` of the configuration, or stdout)",
      pathWord,
    )
    .option("--resume", "continue the results that the file has: programs with a result are not run again")
    .option("--store <folder>", "folder that keeps results across runs", pathWord)
    .option(
      "--pack <size>",
      "auto, none, or the number of programs in a pack",
      completedBy(["auto", "none"], packWord),
    )
    .option("--ordered", "write the results in the order of the programs")
    .option("--report <file>", "draw a picture of the run (SVG)", pathWord)
    .option("--progress", "print a line about the progress each second, also without a terminal")
    .option("-q, --quiet", "print only problems")
    .action(async (config: string, _: unknown, command: Command) => {
      const { run } = await import("./run.js");
      done(await run(config, command.optsWithGlobals<RunFlags>()));
    });

  return program;
}

/** `auto`, `none` or a number. */
function packWord(word: string): "auto" | "none" | number {
  if (word === "auto" || word === "none") return word;
  if (/^[1-9]\d{0,4}$/.test(word) && Number(word) <= 65_535) return Number(word);
  throw new UsageError(`expected auto, none, or a number from 1 to 65535, found ${quoted(word)}`);
}
