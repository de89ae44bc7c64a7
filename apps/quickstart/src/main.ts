// The quickstart as its list of passes: an annotated kernel in, verified cubins out.

import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { table } from "@mm-ptx/stack/default";
import { compareWithPtxas, ElfChecker, Sample } from "./checks.js";
import { findCompiler } from "./compiler.js";
import { Cubins } from "./cubins.js";
import { findCudaCompiler } from "./cuda.js";
import { messageOf, QuickstartError, writeProblem } from "./error.js";
import { LocalFarm } from "./farm.js";
import { Finisher } from "./finisher.js";
import { findGpu } from "./gpu.js";
import { Interrupt } from "./interrupt.js";
import { loadKernel } from "./kernel.js";
import { Monitor } from "./monitor.js";
import { type Options, parseOptions, type Settings } from "./options.js";
import { OutputFolder } from "./output-folder.js";
import { samplePrograms } from "./programs.js";
import { Progress, useColor } from "./progress.js";
import { makeReport, succeeded } from "./report.js";
import { drawReport } from "./report-svg.js";
import { KeptFiles, ResultsFile } from "./results.js";
import { runRounds } from "./rounds.js";
import { findRunner } from "./runner.js";
import { StubMaker } from "./stubs.js";
import { formatJson, formatTable } from "./summary.js";
import { Totals } from "./totals.js";

/** Programs that are compared with ptxas. */
const COMPARED = 8;
/** The architecture of the cubins if no GPU determines it. */
const DEFAULT_ARCH = "sm_90";
const REPOSITORY = resolve(fileURLToPath(new URL("../../../", import.meta.url)));

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  // Failures of stdout are reported to `print` as well; failures of stderr cannot be reported anywhere.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  using interrupt = new Interrupt();
  try {
    const options = parseOptions(args, join(REPOSITORY, "out"));
    if ("help" in options) {
      await print(options.help);
      return 0;
    }
    return await run(options, interrupt);
  } catch (error) {
    const untold = error instanceof QuickstartError && error.code === "STDOUT";
    if (interrupt.exitCode !== undefined && !untold) {
      process.stderr.write("stopped before the first program\n");
      return interrupt.exitCode;
    }
    process.stderr.write(`error: ${messageOf(error)}\n`);
    const usage = error instanceof QuickstartError && error.code === "USAGE";
    return interrupt.exitCode ?? (usage ? 2 : 1);
  }
}

/**
 * Writes the result. A reader that has gone away is no failure, because the files have been written.
 *
 * @throws QuickstartError `STDOUT`
 */
async function print(text: string): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) =>
    process.stdout.write(text, resolve),
  );
  if (!error || error.code === "EPIPE") return;
  throw new QuickstartError("STDOUT", `could not write to stdout: ${writeProblem(error)}`, { cause: error });
}

/**
 * The folder in which the command was typed. npm runs a script in the folder of its package.json, and passes the
 * original one.
 */
function callersFolder(): string {
  const cwd = process.cwd();
  return cwd === REPOSITORY ? resolve(process.env.INIT_CWD || cwd) : cwd;
}

async function run(given: Options, interrupt: Interrupt): Promise<number> {
  const gpu = findGpu(given.run, given.arch);
  using _gpu = gpu.gpu;
  const options: Settings = {
    ...given,
    arch: given.arch ?? (gpu.gpu === undefined ? DEFAULT_ARCH : gpu.arch),
  };
  const { programs: count, seed, arch } = options;
  const { signal } = interrupt;
  const folder = OutputFolder.open(options.out, callersFolder());
  folder.expectNoForeignFiles(options);
  const progress = new Progress(count);

  using cuda = findCudaCompiler(options.cache);
  const kernel = await loadKernel(cuda, signal);
  progress.note(kernel.warning ?? `kernel PTX: ${kernel.origin}`);
  const stubs = new StubMaker(table, kernel.site);
  const programs = samplePrograms(count, seed, table, stubs, kernel);

  await using farm = options.farm ? await LocalFarm.start(options.workers) : undefined;
  const found = findCompiler(options, farm);
  using _compiler = found.compiler;
  using _drafter = found.compiler && found.drafter;
  if (found.warning !== undefined) progress.note(found.warning);

  const runner = findRunner(options, kernel, table);
  using _runner = runner.runner;
  if (runner.runner === undefined && options.run !== "none")
    progress.note(`programs are not run: ${runner.why}`);

  await folder.begin({ programs: count, seed, arch, keep: options.keep, kernel: kernel.origin });
  await folder.write("annotated.ptx", kernel.annotated.text);
  const results = new ResultsFile(folder);
  const totals = new Totals();
  const sinks = { totals, progress, results, kept: options.keep ? new KeptFiles(folder) : undefined };
  const monitor = new Monitor(totals, progress);
  const elf = new ElfChecker(arch, kernel.entries);
  const sample = new Sample(count, COMPARED);
  using cubins = found.compiler && new Cubins(kernel, found.compiler, found.drafter, options.pack, gpu.gpu);
  const stations = {
    ...{ kernel, stubs, runner: runner.runner, cubins, gpu: gpu.gpu, elf, sample, totals, monitor },
    finisher: new Finisher(sinks, kernel, stubs),
  };
  try {
    await runRounds(programs, stations, signal);
  } catch (error) {
    // An interrupted run has no error to report; the report below shows what was done.
    if (!signal.aborted) throw error;
  } finally {
    progress.clear();
    results.finish();
  }

  const ptxas = await compareWithPtxas(sample.pairs(), kernel, arch, found, signal);
  const report = makeReport(options, {
    kernel,
    found,
    runner,
    gpu,
    totals,
    elf: elf.result(),
    ptxas,
    interrupted: signal.aborted,
  });
  await folder.write("report.svg", drawReport(report, totals));
  await print(options.json ? formatJson(report) : formatTable(report, useColor(process.stdout)));
  if (interrupt.exitCode !== undefined) return interrupt.exitCode;
  if (found.compiler === undefined) return options.requireCompile ? 1 : 0;
  return succeeded(report) ? 0 : 1;
}
