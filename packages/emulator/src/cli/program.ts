// The command line: one file, one launch, and the outputs to produce.

import { quoted } from "@mm-ptx/types/internal";
import { Command, Option } from "commander";
import { ENGINES, type EngineName, MOST_WORKERS } from "../device/options.js";
import type { Dimensions } from "../run/dimensions.js";
import { MOST_MEMORY } from "../run/paged-memory.js";
import { type ArgumentWord, argumentWord } from "./arguments.js";
import { addCheckOptions, CHECK_HELP, type CheckOptions } from "./check-options.js";
import { type Outcome, oneOf, pathWord, UsageError, wholeNumber } from "./framework.js";
import { type NumberFormat, numberFormat } from "./numbers.js";
import { buildRun } from "./run-command.js";
import { aboveZero, atMost } from "./words.js";

/** The options of a checked command line. */
export interface EmulateOptions extends CheckOptions {
  readonly kernel?: string;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly shared: number;
  readonly arg?: readonly ArgumentWord[];
  readonly engine: EngineName;
  readonly cooperative?: boolean;
  readonly cluster?: Dimensions;
  readonly lockstep?: boolean;
  readonly heap?: number;
  readonly workers?: number;
  readonly memory?: number;
  readonly budget?: number;
  readonly timeout?: number;
  readonly print?: readonly NumberFormat[];
  readonly npy?: true;
  readonly trace?: TracedThread;
  readonly listing?: string;
  readonly heatMap?: string;
  readonly lcov?: string;
  readonly json?: true;
}

/** The thread selected by `--trace`. */
export interface TracedThread {
  readonly block: Dimensions;
  readonly thread: Dimensions;
}

/** @param done receives the outcome of the launch or of the program */
export function buildProgram(done: (outcome: Outcome) => void): Command {
  return addCheckOptions(new Command("mm-ptx-emulate"))
    .enablePositionalOptions()
    .addCommand(buildRun(done))
    .description(
      "Runs a kernel of a PTX file on the CPU:\n" +
        "`mm-ptx-emulate scale.ptx --grid 4 --block 256 --arg buffer=in.bin:out.bin --arg f32=2`.",
    )
    .argument(
      "<file>",
      "PTX, CUDA C++, a program, a fatbin, or a filled kernel as JSON; - for stdin",
      pathWord,
    )
    .argument("[words...]", "the arguments of a program; -- precedes them if one begins with -")
    .option("-k, --kernel <name>", "the kernel to launch; optional if the file has only one")
    .addOption(dimensionsOption("-g, --grid <x,y,z>", "blocks"))
    .addOption(dimensionsOption("-b, --block <x,y,z>", "threads per block"))
    .option("--cooperative", "launch all blocks at the same time, so that they can synchronize")
    .option("--cluster <x,y,z>", "blocks per cluster", clusterWord)
    .option("--lockstep", "run the threads of a warp in step, as old warp-synchronous code expects")
    .option("--shared <bytes>", "dynamic shared memory per block", wholeNumber, 0)
    .option("-a, --arg <type=value>", "a kernel argument; repeat in parameter order", collected)
    .option("--engine <name>", "the engine that runs the kernel", oneOf("engine", ENGINES), "auto")
    .option("--workers <n>", "number of worker threads that share the blocks", workersWord)
    .option("--memory <bytes>", "size of the device memory", memoryWord)
    .option("--heap <bytes>", "the most bytes that kernels may allocate with malloc at a time", memoryWord)
    .option("--budget <n>", "stop after this many instructions of all threads", aboveZero)
    .option("--timeout <ms>", "stop after this many milliseconds", aboveZero)
    .option("-p, --print <type>", "print memory as numbers after the launch; repeat for several types", types)
    .option("--npy", "read and write the files of buffers as NumPy arrays")
    .option("-t, --trace <thread>", "print each instruction of a thread: x,y,z or block:thread", tracedWord)
    .option("--listing <file>", "write the PTX with the execution count of each line; - for stdout", pathWord)
    .option("--heat-map <file>", "write the same counts as a picture (SVG)", pathWord)
    .option("--lcov <file>", "write how often lines of the CUDA source ran as an lcov tracefile", pathWord)
    .addHelpText(
      "after",
      `
CUDA C++ is compiled. Without --kernel and --arg, its \`main\` runs if there is one.
\`mm-ptx-emulate run ./program\` runs a CUDA program; \`mm-ptx-emulate run --help\` lists its options.

Arguments: f32=2, f64=2, f16=2, bf16=2, u8=2, s8=-2, u16=2, s16=-2, u32=2, s32=-2, u64=2, s64=-2,
  buffer=in.bin, buffer=in.bin:out.bin  memory with a file's bytes; written to out.bin after the launch
  zeros=4096, zeros=4096:out.bin        zeroed memory of this many bytes
  bytes=in.bin                          a struct that is passed by value
--print writes a line for each argument with memory: \`--print f32\`, or one type for each of them;
  \`--print f32:8\` prints the first eight numbers.
--npy: a buffer keeps the type and shape of its array; zeros get the type of --print, or u8, and one dimension.
${CHECK_HELP}

Exit codes: 0 for success, 1 for problems of the PTX or the launch and for findings that are errors, 2 for an invalid command line.`,
    )
    .action(async (file: string, words: readonly string[], options: EmulateOptions, command: Command) => {
      if (options.kernel === undefined && options.arg === undefined) {
        const { executableOf } = await import("./executable.js");
        using executable = await executableOf(file);
        if (executable !== undefined) {
          refuseOfLaunch(file, command);
          const { run } = await import("./run.js");
          return done(await run(executable.path, words, options));
        }
      }
      if (words.length > 0)
        throw new UsageError(
          `expected arguments only after a program, found ${words.map(quoted).join(", ")} after a file with kernels: kernels get theirs by \`--arg\``,
        );
      const { emulate } = await import("./emulate.js");
      done(await emulate(file, options));
    });
}

/** Options of one launch say nothing about a program with its own launches. @throws UsageError */
function refuseOfLaunch(file: string, command: Command): void {
  const given = command.options.find((option) => {
    const name = option.attributeName();
    return OF_A_LAUNCH.has(name) && command.getOptionValueSource(name) === "cli";
  });
  if (given !== undefined)
    throw new UsageError(
      `expected \`--kernel\` or \`--arg\` with \`${given.long}\`, found neither: without them, the \`main\` of \`${file}\` runs`,
    );
}

const OF_A_LAUNCH: ReadonlySet<string> = new Set([
  ...["grid", "block", "cooperative", "cluster", "shared", "budget"],
  ...["print", "npy", "trace", "listing", "heatMap"],
]);

const memoryWord = atMost(MOST_MEMORY, "bytes of memory");
const workersWord = atMost(MOST_WORKERS, "workers");

/** Numbers of blocks or threads; omitted ones are 1. */
function dimensionsOption(flags: string, description: string): Option {
  return new Option(flags, description).default([1, 1, 1], "1").argParser(sizes);
}

const sizes = (word: string): Dimensions =>
  triple(word, 1, "1 to 3 numbers above 0, separated by commas, such as 16,16");
const clusterWord = (word: string): Dimensions => sizes(word);

/** `5`, `5,0,0`, or `1,2:5` for a thread of a block other than the first. */
function tracedWord(word: string): TracedThread {
  const [last = "", first = "0", ...more] = word.split(":").reverse();
  const expected = "a thread as x,y,z, or block:thread";
  if (more.length > 0) throw new UsageError(`expected ${expected}, found ${quoted(word)}`);
  return { block: triple(first, 0, expected), thread: triple(last, 0, expected) };
}

/** @param least the minimum of each number, and the default for omitted ones */
function triple(word: string, least: number, expected: string): Dimensions {
  const parts = word.split(",");
  if (parts.length > 3 || !parts.every((part) => /^\d{1,10}$/.test(part) && Number(part) >= least)) {
    throw new UsageError(`expected ${expected}, found ${quoted(word)}`);
  }
  const [x = least, y = least, z = least] = parts.map(Number);
  return [x, y, z];
}

function collected(word: string, before: readonly ArgumentWord[] = []): readonly ArgumentWord[] {
  return [...before, argumentWord(word)];
}

function types(word: string, before: readonly NumberFormat[] = []): readonly NumberFormat[] {
  return [...before, numberFormat(word)];
}
