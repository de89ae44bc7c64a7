// The command-line assembler as a backend: a process for each compile, killed when its time is over.

import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
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
/** A log longer than this is cut: the compiler repeats itself by then. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;

interface Job {
  readonly source: Source;
  readonly target: Target;
  readonly timeoutMs: number;
  readonly priority: number;
  readonly done: (outcome: BackendOutcome) => void;
  forgotten: boolean;
  child: ChildProcess | undefined;
}

/** What a process left behind when it ended. */
interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly log: string;
  readonly timedOut: boolean;
  readonly error?: Error;
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
    job.child?.kill("SIGKILL");
  };
  return {
    name: "ptxas",
    version: ptxas.version,
    start(order, done) {
      const job: Job = { ...order, done, forgotten: false, child: undefined };
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
  let folder: string | undefined;
  const start = performance.now();
  guardExit();
  try {
    folder = await mkdtemp(join(tmpdir(), "mm-ptx-"));
    leftovers.add(folder);
    const input = join(folder, "in.ptx");
    const output = join(folder, "out.cubin");
    await writeFile(input, text, "latin1");
    const ended = await assemble(path, [...compilerArguments(job.target), input, "-o", output], job);
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
  } catch (error) {
    const how = error instanceof Error ? error.message : String(error);
    return {
      kind: "failed",
      failure: { is: "internal", how },
      log: "",
      milliseconds: performance.now() - start,
    };
  } finally {
    if (folder !== undefined) {
      await rm(folder, { recursive: true, force: true }).catch(() => {});
      leftovers.delete(folder);
    }
  }
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

function assemble(path: string, args: readonly string[], job: Job): Promise<Exit> {
  return new Promise((resolve) => {
    if (job.forgotten) {
      resolve({ code: null, signal: "SIGKILL", log: "", timedOut: false });
      return;
    }
    const child = spawn(path, args, { stdio: ["ignore", "ignore", "pipe"] });
    job.child = child;
    children.add(child);
    let log = "";
    let timedOut = false;
    const timer =
      job.timeoutMs === 0
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill("SIGKILL");
          }, job.timeoutMs);
    const end = (exit: Pick<Exit, "code" | "signal" | "error">): void => {
      clearTimeout(timer);
      children.delete(child);
      resolve({ ...exit, log, timedOut });
    };
    child.stderr.setEncoding("latin1");
    child.stderr.on("data", (chunk: string) => {
      if (log.length < MAX_LOG_BYTES) log += chunk;
    });
    child.on("error", (error) => end({ code: null, signal: null, error }));
    child.on("close", (code, signal) => end({ code, signal }));
  });
}

// A process that exits while assemblers run takes them and their folders with it.
const children = new Set<ChildProcess>();
const leftovers = new Set<string>();
let guarded = false;

function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.once("exit", () => {
    for (const child of children) child.kill("SIGKILL");
    for (const folder of leftovers) rmSync(folder, { recursive: true, force: true });
  });
}
