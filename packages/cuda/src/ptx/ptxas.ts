// The command-line assembler as a backend: a process for each compile, which is killed when its time limit is exceeded.

import { readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type Exit,
  inTemporaryFolder,
  inTemporaryFolderAtOnce,
  type Running,
  runProgram,
  startProgram,
} from "../toolkit/process.js";
import type { Backend, BackendJob, BackendOutcome } from "./backend.js";
import type { Target } from "./code-options.js";
import { withFileTimes } from "./file-times.js";
import type { Ptxas } from "./find-ptxas.js";
import type { ResolvedOptions } from "./options.js";
import { scanPtx } from "./refuse.js";
import { type Source, sourceText } from "./source.js";
import { compilerArguments } from "./target.js";

const NO_WORKERS = {
  workersStarted: 0,
  workersCrashed: 0,
  workersOutgrown: 0,
  workersRecycled: 0,
  workerPeakBytes: 0,
};
interface Job {
  readonly source: Source;
  readonly target: Target;
  readonly timeoutMs: number;
  readonly priority: number;
  readonly done: (outcome: BackendOutcome) => void;
  forgotten: boolean;
  running: Running | undefined;
}

/** A backend over an assembler; at most `options.workers` processes run at once. */
export function ptxasBackend(ptxas: Ptxas, options: ResolvedOptions): Backend {
  const queue: Job[] = [];
  const running = new Set<Job>();
  let successes = 0;
  let failures = 0;
  const count = (outcome: BackendOutcome): void => {
    if (outcome.kind === "compiled") successes++;
    else failures++;
  };

  const next = (): void => {
    while (running.size < options.workers && queue.length > 0) {
      const job = queue.shift()!;
      running.add(job);
      void run(ptxas.path, job).then((outcome) => {
        running.delete(job);
        next();
        if (outcome.kind === "compiled" || !job.forgotten) count(outcome);
        if (!job.forgotten) job.done(outcome);
      });
    }
  };
  const forget = (job: Job): void => {
    job.forgotten = true;
    const place = queue.indexOf(job);
    if (place !== -1) queue.splice(place, 1);
    job.running?.kill();
  };
  return {
    name: "ptxas",
    version: ptxas.version,
    start(order, done) {
      const job: Job = { ...order, done, forgotten: false, running: undefined };
      const behind = queue.findLastIndex(({ priority }) => priority >= job.priority);
      queue.splice(behind + 1, 0, job);
      next();
      return () => forget(job);
    },
    run(order) {
      const outcome = runAtOnce(ptxas.path, order);
      count(outcome);
      return outcome;
    },
    stats: () => ({
      ...NO_WORKERS,
      queued: queue.length,
      running: running.size,
      compiled: successes,
      failed: failures,
    }),
    close() {
      for (const job of [...queue, ...running]) forget(job);
    },
  };
}

/** Never rejects; every failure is an outcome. */
async function run(path: string, job: Job): Promise<BackendOutcome> {
  const { text, refused } = checkedText(job.source);
  if (refused !== undefined) {
    // Like every other outcome, a rejection takes a turn of the event loop, so that endless rejections can't starve it.
    await setImmediate();
    return refused;
  }
  const start = performance.now();
  try {
    return await inTemporaryFolder((folder) => assemble(path, folder, text, job, start));
  } catch (error) {
    return brokenBy(error, start);
  }
}

/** Same as `run`, but blocking. */
function runAtOnce(path: string, { source, target, timeoutMs }: BackendJob): BackendOutcome {
  const { text, refused } = checkedText(source);
  if (refused !== undefined) return refused;
  const start = performance.now();
  try {
    return inTemporaryFolderAtOnce((folder) => {
      const { input, output, args } = filesOf(folder, target);
      writeFileSync(input, text, "latin1");
      const exit = withPlainName(runProgram(path, args, timeoutMs), input);
      return unsuccessful(exit, start) ?? compiled(readFileSync(output), exit, start);
    });
  } catch (error) {
    return brokenBy(error, start);
  }
}

function checkedText(
  source: Source,
):
  | { readonly text: string; readonly refused?: undefined }
  | { readonly text?: undefined; readonly refused: BackendOutcome } {
  const text = sourceText(source);
  const refusal = scanPtx(text);
  return refusal === undefined ? { text: withFileTimes(text) } : { refused: { kind: "refused", ...refusal } };
}

async function assemble(
  path: string,
  folder: string,
  text: string,
  job: Job,
  start: number,
): Promise<BackendOutcome> {
  const { input, output, args } = filesOf(folder, job.target);
  await writeFile(input, text, "latin1");
  // The outcome of a cancelled job is not reported.
  if (job.forgotten) return { kind: "timeout", milliseconds: 0 };
  job.running = startProgram(path, args, { timeoutMs: job.timeoutMs, folder });
  const exit = withPlainName(await job.running.exit, input);
  return unsuccessful(exit, start) ?? compiled(await readFile(output), exit, start);
}

function filesOf(folder: string, target: Target) {
  const input = join(folder, "in.ptx");
  const output = join(folder, "out.cubin");
  return { input, output, args: [...compilerArguments(target), "--verbose", input, "-o", output] };
}

/** Uses the library's name for its input, so that the logs of both backends are equal. */
function withPlainName(exit: Exit, input: string): Exit {
  return { ...exit, log: exit.log.replaceAll(input, "application ptx input") };
}

function unsuccessful(exit: Exit, start: number): BackendOutcome | undefined {
  const milliseconds = performance.now() - start;
  if (exit.timedOut) return { kind: "timeout", milliseconds };
  return exit.code === 0 ? undefined : { ...failureOf(exit), milliseconds };
}

function compiled(cubin: Buffer, { log }: Exit, start: number): BackendOutcome {
  return {
    kind: "compiled",
    cubin: new Uint8Array(cubin.buffer, cubin.byteOffset, cubin.byteLength),
    log,
    milliseconds: performance.now() - start,
    from: "compiled",
  };
}

function brokenBy(error: unknown, start: number): BackendOutcome {
  const how = error instanceof Error ? error.message : String(error);
  return {
    kind: "failed",
    failure: { is: "internal", how },
    log: "",
    milliseconds: performance.now() - start,
  };
}

function failureOf(exit: Exit): { kind: "failed"; failure: BackendFailure; log: string } {
  const { log } = exit;
  if (exit.error !== undefined)
    return { kind: "failed", failure: { is: "internal", how: exit.error.message }, log };
  if (exit.signal !== null) {
    return { kind: "failed", failure: { is: "crashed", how: `ptxas was ended by ${exit.signal}` }, log };
  }
  if (log.trim() === "") {
    return { kind: "failed", failure: { is: "internal", how: `ptxas exited with code ${exit.code}` }, log };
  }
  return { kind: "failed", failure: { is: "refused-by-compiler" }, log };
}

type BackendFailure = Extract<BackendOutcome, { kind: "failed" }>["failure"];
