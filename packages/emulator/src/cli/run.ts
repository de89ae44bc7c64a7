// `mm-ptx-emulate run`: runs a CUDA program, or every program of a folder.

import { demangle } from "@mm-ptx/ptx";
import type { EmulatedDeviceOptions, EngineName } from "../device/options.js";
import { EmulatorError } from "../error.js";
import type { Finding } from "../run/finding.js";
import { MOST_MEMORY } from "../run/paged-memory.js";
import type { CorpusRow } from "../runtime/corpus.js";
import type { LaunchRecord } from "../runtime/session.js";
import type { ReportContext } from "../view/findings/places.js";
import { type CheckOptions, refuseWithoutCheck } from "./check-options.js";
import { CountSums } from "./count-sums.js";
import { type FindingsReporter, findingsReporter } from "./findings-report.js";
import { type Outcome, printable, STANDARD, writeWhole } from "./framework.js";
import { sourceView } from "./source-view.js";
import { inOptions } from "./words.js";

/** The compute capability that programs see by default. */
const CAPABILITY = { major: 9, minor: 0 };

/** The options of a program. */
export interface RunOptions extends CheckOptions {
  readonly engine: EngineName;
  readonly workers?: number;
  readonly memory?: number;
  readonly timeout?: number;
  readonly capability?: { readonly major: number; readonly minor: number };
  readonly heap?: number;
  readonly lockstep?: boolean;
  readonly stats?: true;
  readonly lcov?: string;
  readonly corpus?: string;
  readonly json?: true;
}

/** Runs a program. @throws EmulatorError, FileError, UsageError */
export async function run(program: string, words: readonly string[], options: RunOptions): Promise<Outcome> {
  const { runProgram } = await import("../runtime/run-program.js");
  refuseWithoutCheck(options);
  const report = options.check === undefined ? undefined : await findingsReporter(options);
  const { capability = CAPABILITY } = options;
  const launches: LaunchRecord[] = [];
  const coverage = new CountSums();
  const found: Finding[] = [];
  let leftOut = 0;
  let stopped = false;
  const { exitCode: own } = await runProgram(program, words, {
    device: deviceOf(options),
    capability,
    findsErrors: options.check?.api === true,
    complain: (message, error) => {
      stopped ||= error instanceof EmulatorError;
      const frames = error instanceof EmulatorError ? (error.fault?.place?.frames ?? []) : [];
      const lines = [inOptions(message), ...sourceView(frames, program)];
      process.stderr.write(`mm-ptx-emulate: ${printable(lines.join("\n"))}\n`);
    },
    counts: options.lcov !== undefined,
    onLaunch: ({ counted, ...launch }) => {
      launches.push(launch);
      if (counted !== undefined) coverage.add(counted);
    },
    onFindings: (findings, more) => {
      found.push(...findings);
      leftOut += more;
    },
    // With `--json`, standard output is for the report.
    output: options.json === true ? "stderr" : "inherit",
  });
  const tracefile = options.lcov === undefined ? undefined : await tracefileOf(coverage, options.lcov);
  const findings = report && (await reported(found, report, { leftOut, stopped }));
  // A program may ignore a failed launch and exit as if nothing had happened.
  const exitCode = own === 0 ? (findings?.exitCode ?? 0) : own;
  const ok = exitCode === 0;
  return {
    ok,
    exitCode,
    text: () => (tracefile?.text ?? "") + (findings?.text ?? ""),
    complaints: () =>
      (findings?.complaints ?? "") +
      (tracefile?.complaints ?? "") +
      (options.stats === true ? statistics(launches) : ""),
    json: () => ({
      ok,
      exitCode,
      kernels: kernelsOf(launches),
      ...(findings && { findings: findings.json }),
    }),
  };
}

/** Reports findings with the lines of the host. */
async function reported(found: readonly Finding[], report: FindingsReporter, context: ReportContext) {
  const { withHostLines } = await import("./host-lines.js");
  const { findings, hint } = await withHostLines(found);
  return report(findings, { ...context, hint });
}

/** Writes the coverage; it is part of the output if the path is that of standard output. */
async function tracefileOf({ runs }: CountSums, path: string) {
  const [{ lcov }, { hasSourceLines }] = await Promise.all([
    import("../view/lcov.js"),
    import("../source/frames.js"),
  ]);
  const text = lcov(runs);
  if (path !== STANDARD) writeWhole(path, Buffer.from(text));
  const complaints = runs.some(({ program }) => hasSourceLines(program))
    ? ""
    : "no source lines to count: compile the program with nvcc -lineinfo\n";
  return { text: path === STANDARD ? text : "", complaints };
}

function deviceOf(options: RunOptions): EmulatedDeviceOptions {
  const { engine, workers = 1, memory = MOST_MEMORY, timeout, heap, lockstep } = options;
  const { api: _, ...check } = options.check ?? {};
  return {
    engine,
    workers,
    memoryBytes: memory,
    limits: timeout === undefined ? {} : { timeoutMs: timeout },
    check,
    ...(heap === undefined ? {} : { heapBytes: heap }),
    lockstep: lockstep === true,
  };
}

/** Runs the programs of a folder. The table grows while they run. */
export async function runAll(options: RunOptions): Promise<Outcome> {
  const { runCorpus } = await import("../runtime/corpus.js");
  const { capability = CAPABILITY, corpus = "", json } = options;
  const rows: CorpusRow[] = [];
  for await (const row of runCorpus(corpus, { device: deviceOf(options), capability })) {
    rows.push(row);
    if (json === true) continue;
    const { program, words, result, exitCode, reason, milliseconds } = row;
    const code = exitCode === undefined || exitCode === 0 ? "" : ` (exit code ${exitCode})`;
    const why = reason === "" ? "" : `: ${reason.split("\n", 1)[0]}`;
    const line = `${result.padEnd(8)}${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${[program, ...words].join(" ")}${code}${why}`;
    process.stdout.write(`${printable(line)}\n`);
  }
  const count = (result: CorpusRow["result"]) => rows.filter((row) => row.result === result).length;
  const ok = rows.every(({ result }) => result === "right");
  return {
    ok,
    text: () => `${count("right")} right, ${count("wrong")} wrong, ${count("refused")} refused\n`,
    json: () => ({ ok, programs: rows }),
  };
}

interface KernelTimes {
  readonly kernel: string;
  /** The name in CUDA. */
  readonly kernelName: string;
  readonly launches: number;
  readonly milliseconds: number;
  readonly engines: readonly string[];
}

/** The launches of each kernel; the one that took longest comes first. */
function kernelsOf(launches: readonly LaunchRecord[]): readonly KernelTimes[] {
  const names = [...new Set(launches.map(({ kernel }) => kernel))];
  return names
    .map((kernel) => {
      const own = launches.filter((one) => one.kernel === kernel);
      const milliseconds = own.reduce((sum, one) => sum + one.milliseconds, 0);
      return {
        kernel,
        kernelName: demangle(kernel),
        launches: own.length,
        milliseconds,
        engines: [...new Set(own.map((one) => one.engine))],
      };
    })
    .sort((a, b) => b.milliseconds - a.milliseconds);
}

function statistics(launches: readonly LaunchRecord[]): string {
  const lines = kernelsOf(launches).map(
    ({ kernelName, launches, milliseconds, engines }) =>
      `${milliseconds.toFixed(1).padStart(10)} ms  ${`${launches}`.padStart(8)} ${launches === 1 ? "launch  " : "launches"}  ${printable(kernelName)} (${engines.join(", ")})\n`,
  );
  return lines.join("");
}
