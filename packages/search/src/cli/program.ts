// The commands and options of the command line. A command's code is loaded when it is used.
import { Command, Option } from "commander";
import { EXPORT_FORMATS } from "../export/export.js";
import type { BenchFlags } from "./bench.js";
import type { DemoFlags } from "./demo.js";
import { cellWord } from "./elite.js";
import type { ExportFlags } from "./export.js";
import { completedBy, type Outcome, oneOf, pathWord, requiredOption, wholeNumberFrom } from "./framework.js";
import type { LearnFlags } from "./learn.js";
import { withLimits, withTarget } from "./limits.js";
import { bitsWord, positiveWord, seedWord, shareWord, workersWord } from "./option-words.js";
import type { PlotFlags } from "./plot.js";
import type { RegressFlags } from "./regress.js";
import type { ReplayFlags } from "./replay.js";
import type { ResumeFlags, RunFlags } from "./run.js";
import type { ShowFlags } from "./show.js";
import type { ShrinkFlags } from "./shrink.js";

/** @param done receives the command's outcome */
export function buildProgram(done: (outcome: Outcome) => void): Command {
  const program = new Command("mm-ptx-search")
    .description(
      "Searches for programs, equations and tunables, and records every run so that it can be continued and repeated.",
    )
    .addHelpText(
      "after",
      "\nExit codes: 0 on success, 1 for problems in files and for runs that cannot continue or differ from their log,\n" +
        "2 for an invalid command line, 130 after Ctrl-C.",
    );

  withLimits(program.command("regress"), " (default: 60, without another limit)")
    .description(
      "find equations for a column of a table, from the simplest to the most exact; q or Ctrl-C ends it and saves everything",
    )
    .argument(
      "<table>",
      "file with the names of the columns in the first line: csv or tsv, optionally with .gz",
      pathWord,
    )
    .option("--target <column>", "the column to find equations for (default: the last one)")
    .option("--inputs <columns...>", "the columns that equations may use (default: all others)")
    .option(
      "--functions <names...>",
      "operators and functions of equations (default: + - * / square sqrt sin cos exp log)",
    )
    .option("--max-length <count>", "the most operators and operands (default: 30)", wholeNumberFrom(1, 1000))
    .option("--held-out <share>", "the share of rows to hold out (default: 0.2 from 40 rows on)", shareWord)
    .option("--drop-missing", "skip rows with empty cells")
    .option(
      "-o, --out <folder>",
      "new folder for the run (default: named after the table and the column)",
      pathWord,
    )
    .option("--seed <number>", "seed of the random numbers (default: 0)", seedWord)
    .option("--workers <count>", "threads, which do not change results (default: one per core)", workersWord)
    .option("-q, --quiet", "print only problems and the result")
    .action(async (data: string, _: unknown, command: Command) => {
      const { regress } = await import("./regress.js");
      done(await regress(data, command.optsWithGlobals<RegressFlags>()));
    });

  withTarget(program.command("run"))
    .description(
      "run the search of a configuration and record it in a folder; q or Ctrl-C ends it and saves everything",
    )
    .argument(
      "<config>",
      "module whose default export is a Search, its options, or a function of { seed, workers } that returns one of them",
      pathWord,
    )
    .addOption(
      requiredOption(new Option("-o, --out <folder>", "new folder for the run").argParser(pathWord), {
        example: "run1",
      }),
    )
    .option("--seed <number>", "seed of the random numbers (default: 0)", seedWord)
    .option("--workers <count>", "threads, which do not change results (default: one per core)", workersWord)
    .option("-q, --quiet", "print only problems and the result")
    .action(async (config: string, _: unknown, command: Command) => {
      const { run } = await import("./run.js");
      done(await run(config, command.optsWithGlobals<RunFlags>()));
    });

  withTarget(program.command("resume"))
    .description("continue a run, up to its own limits or those that the options set")
    .argument("<run>", "folder of the run", pathWord)
    .option("--config <file>", "the configuration or the data, if it has been moved", pathWord)
    .option("--workers <count>", "threads, which do not change results (default: one per core)", workersWord)
    .option("-q, --quiet", "print only problems and the result")
    .action(async (folder: string, _: unknown, command: Command) => {
      const { resume } = await import("./run.js");
      done(await resume(folder, command.optsWithGlobals<ResumeFlags>()));
    });

  program
    .command("replay")
    .description("run a recorded search again from its seed")
    .argument("<run>", "folder of the run", pathWord)
    .option("--check", "compare every elite, number and hash with the log; the exit code is 1 if one differs")
    .option("--batches <count>", "stop after this many batches", wholeNumberFrom(0))
    .option("--config <file>", "the configuration or the data, if it has been moved", pathWord)
    .option("--workers <count>", "threads, which do not change results (default: one per core)", workersWord)
    .option("-q, --quiet", "print only problems and the result")
    .action(async (folder: string, _: unknown, command: Command) => {
      const { replay } = await import("./replay.js");
      done(await replay(folder, command.optsWithGlobals<ReplayFlags>()));
    });

  program
    .command("show")
    .description("list the best elites of a run, or print one of them")
    .argument("<run>", "folder of the run", pathWord)
    .option("--cell <values>", "the elite in the cell with these measures, such as 4,1", cellWord)
    .option("--lineage", "also its ancestors (default: of the best elite)")
    .option("--top <count>", "the number of elites to list (default: 20)", wholeNumberFrom(1))
    .option("--config <file>", "the configuration or the data, if it has been moved", pathWord)
    .action(async (folder: string, _: unknown, command: Command) => {
      const { show } = await import("./show.js");
      done(await show(folder, command.optsWithGlobals<ShowFlags>()));
    });

  program
    .command("plot")
    .description(
      "draw a run: its archive, its course, its operators, the front and the lineage of the best elite",
    )
    .argument("<run>", "folder of the run", pathWord)
    .option("-o, --out <folder>", "folder for the SVGs (default: `pictures` of the run)", pathWord)
    .option("--config <file>", "the configuration or the data, if it has been moved", pathWord)
    .action(async (folder: string, _: unknown, command: Command) => {
      const { plot } = await import("./plot.js");
      done(await plot(folder, command.optsWithGlobals<PlotFlags>()));
    });

  program
    .command("export")
    .description("write an elite or an equation of a run in a format for other programs")
    .argument("<run>", "folder of the run", pathWord)
    .addOption(
      requiredOption(
        new Option(
          "--as <format>",
          `${EXPORT_FORMATS.join(", ")}; or programs: all elites of a stack space as a program file`,
        ).argParser(oneOf("format", [...EXPORT_FORMATS, "programs"])),
        { example: "ptx", advice: "`mm-ptx-search export --help` lists all formats" },
      ),
    )
    .option(
      "--cell <values>",
      "the elite in the cell with these measures, such as 4,1 (default: the best one)",
      cellWord,
    )
    .option(
      "--complexity <number>",
      "the equation of this complexity (default: the one that `regress` marks)",
      wholeNumberFrom(1),
    )
    .option(
      "--kernel <file>",
      "PTX with a site: the stub for it, or with --as ptx the kernel with the stub in it",
      pathWord,
    )
    .option("--site <name>", "the site of the kernel (default: the only one)")
    .option("--name <name>", "name of the function or kernel (default: program)")
    .option("--target <arch>", "architecture of a kernel (default: sm_80)")
    .option("-o, --out <file>", "file for the text (default: stdout)", pathWord)
    .option("--config <file>", "the configuration or the data, if it has been moved", pathWord)
    .action(async (folder: string, _: unknown, command: Command) => {
      const { exportElite } = await import("./export.js");
      done(await exportElite(folder, command.optsWithGlobals<ExportFlags>()));
    });

  program
    .command("demo")
    .description("show what searches find in a minute without a GPU, such as a better GELU")
    .argument(
      "<name>",
      "the demo, such as gelu; an unknown name lists all of them",
      completedBy(demoNames, (word: string) => word),
    )
    .option("-o, --out <folder>", "folder for pictures and results (default: out/<name>)", pathWord)
    .option("--seconds <number>", "how long to search (default: 60)", positiveWord)
    .option("--seed <number>", "seed of the random numbers (default: 1)", seedWord)
    .option("--workers <count>", "threads, which do not change results (default: one per core)", workersWord)
    .option("-q, --quiet", "print only problems and the result")
    .action(async (name: string, _: unknown, command: Command) => {
      const { demo } = await import("./demo.js");
      done(await demo(name, command.optsWithGlobals<DemoFlags>()));
    });

  program
    .command("learn")
    .description("watch a model learn from the compiler what random programs cost, until asking it pays")
    .option("--programs <count>", "how many programs to compile (default: 600)", wholeNumberFrom(20, 100_000))
    .option("--arch <arch>", "architecture to compile for (default: sm_90)")
    .option("--seed <number>", "seed of the programs (default: 1)", seedWord)
    .option("--workers <count>", "threads that compile (default: one per core)", workersWord)
    .option("-q, --quiet", "print only problems and the result")
    .action(async (_: unknown, command: Command) => {
      const { learn } = await import("./learn.js");
      done(await learn(command.optsWithGlobals<LearnFlags>()));
    });

  program
    .command("shrink")
    .description(
      "look for the shortest stub that computes the same as a given one, and say how that was checked",
    )
    .argument("<kernel>", "PTX with the site", pathWord)
    .addOption(
      requiredOption(new Option("--stub <file>", "the stub").argParser(pathWord), { example: "stub.ptx" }),
    )
    .option("--site <name>", "the site (default: the only one)")
    .option("-o, --out <file>", "file for the stub (default: stdout)", pathWord)
    .option("--seconds <number>", "how long to search (default: 10)", positiveWord)
    .option(
      "--instructions <names...>",
      "instructions of PTX (default: those of the stub, and + - * & | ^ ~ << >>)",
    )
    .option(
      "--constants <numbers...>",
      "constants besides those of the stub (default: 1 31 0xffffffff)",
      bitsWord,
    )
    .option(
      "--rows <count>",
      "random rows in the final comparison (default: 1048576)",
      wholeNumberFrom(1, 2 ** 24),
    )
    .option("--no-exhaustive", "do not compare programs with one operand on all 2^32 inputs")
    .option("--seed <number>", "seed of the random numbers (default: 0)", seedWord)
    .option("--workers <count>", "threads (default: one per core)", workersWord)
    .option("-q, --quiet", "print only problems and the result")
    .action(async (kernel: string, _: unknown, command: Command) => {
      const { shrink } = await import("./shrink.js");
      done(await shrink(kernel, command.optsWithGlobals<ShrinkFlags>()));
    });

  program
    .command("bench")
    .description(
      "run searches for which others have published figures, and print both; finished runs are stored, so you can end the command and start it again",
    )
    .argument(
      "[names...]",
      "sphere, nguyen, nguyen-constants, jin or livermore (default: sphere nguyen, about two minutes)",
      completedBy(yardstickNames, (word: string, before: readonly string[] = []) => [...before, word]),
    )
    .option("--runs <count>", "seeds of each problem (default: 3)", wholeNumberFrom(1, 1000))
    .option("-o, --out <folder>", "folder for the results (default: mm-ptx-search-bench)", pathWord)
    .option("--show", "print the stored results without running anything")
    .option("-q, --quiet", "print only problems and the result")
    .action(async (names: readonly string[] = [], _: unknown, command: Command) => {
      const { bench } = await import("./bench.js");
      done(await bench(names, command.optsWithGlobals<BenchFlags>()));
    });

  return program;
}

/** Only the completion of a shell needs these names. */
const demoNames = async (): Promise<readonly string[]> => (await import("../node/demos/demo.js")).DEMOS;

const yardstickNames = async (): Promise<readonly string[]> =>
  (await import("./yardsticks.js")).YARDSTICKS.map(({ name }) => name);
