// Programs that this package starts, and the folders that they work in: both are gone after a failure, a stop, and the end
// of this process; where a keeper runs them, also after an end that lets this process do nothing more.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { findWorker } from "../native/load.js";

/** A log longer than this is cut: a compiler repeats itself by then. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** How a program ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it wrote to standard error. */
  readonly log: string;
  readonly timedOut: boolean;
  /** Why it could not be started. */
  readonly error?: Error;
  /** What it wrote to descriptor 3, where it was given an `input`. */
  readonly answer: Buffer;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** Besides that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** 0: none. */
  readonly timeoutMs?: number;
  /** The folder that the program works in, where it starts others: all have to go with it, and with this process. */
  readonly folder?: string;
  readonly encoding?: "latin1" | "utf8";
  /** The descriptor of a file that takes what it writes to standard output, which is dropped without one. */
  readonly stdout?: number;
  /** Goes to standard input, which stays open until the program ends. */
  readonly input?: Uint8Array;
}

/** A program that runs. */
export interface Running {
  /** Never rejects. */
  readonly exit: Promise<Exit>;
  kill(): void;
}

/** Starts a program. */
export function startProgram(path: string, args: readonly string[], options: ProgramOptions = {}): Running {
  const { cwd, environment, timeoutMs = 0, folder, encoding = "latin1", stdout = "ignore", input } = options;
  guardExit();
  const talks = input === undefined ? "ignore" : "pipe";
  const keeper = folder === undefined ? undefined : findKeeper();
  const group = folder !== undefined;
  const [file, words] = keeper === undefined ? [path, args] : [keeper, [KEEP, folder!, path, ...args]];
  const child = spawn(file, words, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: [keeper === undefined ? talks : "pipe", stdout, "pipe", talks],
    // What ends with its input does so by itself: what a terminal sends to this process is this process's to handle.
    detached: group || input !== undefined,
  });
  const kill = keeper === undefined ? () => killAll(child, group) : () => void child.stdin?.destroy();
  const exit = new Promise<Exit>((resolve) => {
    kills.set(child, kill);
    let log = "";
    let timedOut = false;
    const answer: Buffer[] = [];
    const timer =
      timeoutMs === 0
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            kill();
          }, timeoutMs);
    const end = (ended: Pick<Exit, "code" | "signal" | "error">): void => {
      clearTimeout(timer);
      kills.delete(child);
      resolve({ ...ended, log, timedOut, answer: Buffer.concat(answer) });
    };
    // One that ends early does not read all that it is given, and tells so by how it ends.
    child.stdin?.on("error", () => {});
    if (input !== undefined) child.stdin?.write(input);
    (child.stdio[3] as Readable | null)?.on("data", (chunk: Buffer) => answer.push(chunk));
    child.stderr?.setEncoding(encoding).on("data", (chunk: string) => {
      if (log.length < MAX_LOG_BYTES) log += chunk;
    });
    child.on("error", (error) => end({ code: null, signal: null, error }));
    child.on("close", (code, signal) => {
      if (keeper !== undefined && code === NOT_STARTED)
        end({ code: null, signal, error: new Error(log.trim()) });
      else end({ code, signal });
    });
  });
  return { exit, kill };
}

/** Runs a program and blocks until it ends. Never throws. */
export function runProgram(path: string, args: readonly string[], timeoutMs: number): Exit {
  const ended = spawnSync(path, args, {
    stdio: ["ignore", "ignore", "pipe"],
    maxBuffer: MAX_LOG_BYTES,
    killSignal: "SIGKILL",
    ...(timeoutMs === 0 ? {} : { timeout: timeoutMs }),
  });
  const { status: code, signal, error, stderr } = ended;
  const timedOut = (error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT";
  return {
    code,
    signal,
    log: stderr?.toString("latin1") ?? "",
    timedOut,
    ...(error === undefined ? {} : { error }),
    answer: Buffer.alloc(0),
  };
}

/**
 * Our worker executable as what runs a program: it learns of the end of this process, however that ends, and of a kill by
 * the end of its input. Without it programs outlive a process that dies of a signal.
 */
function findKeeper(): string | undefined {
  return process.platform === "win32" ? undefined : findWorker().path;
}

const KEEP = "--keep";
/** Its exit code where the program could not be started: `kNotStarted`. */
const NOT_STARTED = 78;

function killAll(child: ChildProcess, group: boolean): void {
  if (!group || child.pid === undefined || process.platform === "win32") {
    child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Runs `work` with a new folder, which is gone afterwards whatever happens. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  guardExit();
  const folder = await mkdtemp(join(tmpdir(), "mm-ptx-"));
  leftovers.add(folder);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    leftovers.delete(folder);
  }
}

/** As `inTemporaryFolder`, for work that blocks. */
export function inTemporaryFolderAtOnce<T>(work: (folder: string) => T): T {
  guardExit();
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-"));
  leftovers.add(folder);
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    leftovers.delete(folder);
  }
}

const kills = new Map<ChildProcess, () => void>();
const leftovers = new Set<string>();
let guarded = false;

/** A process that exits takes what it started and their folders with it. */
function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.once("exit", () => {
    for (const kill of kills.values()) kill();
    for (const folder of leftovers) rmSync(folder, { recursive: true, force: true });
  });
}
