// The command-line assembler as a backend: a process for each compile, killed when its time is over.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Exit, inTemporaryFolder, type Running, startProgram } from "../toolkit/process.js";
import type { Backend, BackendOutcome } from "./backend.js";
import type { Ptxas } from "./find-ptxas.js";
import { renderSource, type Source } from "./job.js";
import type { ResolvedOptions } from "./options.js";
import { scanPtx } from "./refuse.js";
import type { Effort, Target } from "./target.js";

const EFFORT_ARGUMENT: Readonly<Record<Effort, string>> = {
  final: "-O3",
  balanced: "-O1",
  draft: "--Ofast-compile=max",
};
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

/** A backend over an assembler that was found; at most `options.workers` processes at once. */
export function ptxasBackend(ptxas: Ptxas, options: ResolvedOptions): Backend {
  const queue: Job[] = [];
  const running = new Set<Job>();
  let compiled = 0;
  let failed = 0;

  const next = (): void => {
    while (running.size < options.workers && queue.length > 0) {
      const job = queue.shift()!;
      running.add(job);
      void run(ptxas.path, job).then((outcome) => {
        running.delete(job);
        next();
        if (outcome.kind === "compiled") compiled++;
        else if (!job.forgotten) failed++;
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
    figures: () => ({ ...NO_WORKERS, queued: queue.length, running: running.size, compiled, failed }),
    close() {
      for (const job of [...queue, ...running]) forget(job);
    },
  };
}

function compilerArguments(target: Target): string[] {
  const args = [`-arch=${target.arch}`, "-v", target.debug ? "-O0" : EFFORT_ARGUMENT[target.effort]];
  if (target.maxRegisters !== undefined) args.push(`-maxrregcount=${target.maxRegisters}`);
  if (target.lineInfo) args.push("-lineinfo");
  if (target.debug) args.push("--device-debug");
  if (!target.fmad) args.push("--fmad=false");
  return args;
}

/** Never rejects: whatever happens is an outcome. */
async function run(path: string, job: Job): Promise<BackendOutcome> {
  const ptx = renderSource(job.source);
  const text = typeof ptx === "string" ? ptx : Buffer.from(ptx).toString("latin1");
  const refusal = scanPtx(text);
  if (refusal !== undefined) {
    // A turn of the event loop, as every other outcome takes: endless refusals must not keep it from running.
    await setImmediate();
    return { kind: "refused", ...refusal };
  }
  const start = performance.now();
  try {
    return await inTemporaryFolder((folder) => assemble(path, folder, text, job, start));
  } catch (error) {
    const how = error instanceof Error ? error.message : String(error);
    return {
      kind: "failed",
      failure: { is: "internal", how },
      log: "",
      milliseconds: performance.now() - start,
    };
  }
}

async function assemble(
  path: string,
  folder: string,
  text: string,
  job: Job,
  start: number,
): Promise<BackendOutcome> {
  const input = join(folder, "in.ptx");
  const output = join(folder, "out.cubin");
  await writeFile(input, text, "latin1");
  // Nobody is told what becomes of a forgotten job.
  if (job.forgotten) return { kind: "timeout", milliseconds: 0 };
  const args = [...compilerArguments(job.target), input, "-o", output];
  job.running = startProgram(path, args, { timeoutMs: job.timeoutMs, folder });
  const ended = await job.running.exit;
  // The library names its input so; with the same words both backends' logs are equal.
  const exit = { ...ended, log: ended.log.replaceAll(input, "application ptx input") };
  const milliseconds = performance.now() - start;
  if (exit.timedOut) return { kind: "timeout", milliseconds };
  if (exit.code !== 0) return { ...failureOf(exit), milliseconds };
  const cubin = await readFile(output);
  return {
    kind: "compiled",
    cubin: new Uint8Array(cubin.buffer, cubin.byteOffset, cubin.byteLength),
    log: exit.log,
    milliseconds,
    from: "compiled",
  };
}

function failureOf(exit: Exit): { kind: "failed"; failure: BackendFailure; log: string } {
  const { log } = exit;
  if (exit.error !== undefined)
    return { kind: "failed", failure: { is: "internal", how: exit.error.message }, log };
  if (exit.signal !== null) {
    return { kind: "failed", failure: { is: "crashed", how: `ptxas ended by ${exit.signal}` }, log };
  }
  if (log.trim() === "") {
    return { kind: "failed", failure: { is: "internal", how: `ptxas ended with code ${exit.code}` }, log };
  }
  return { kind: "failed", failure: { is: "refused-by-compiler" }, log };
}

type BackendFailure = Extract<BackendOutcome, { kind: "failed" }>["failure"];
