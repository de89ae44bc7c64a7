// Programs that this package starts, and the folders that they work in: both are gone after a failure, a stop, and the end
// of this process.

import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

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
  /** Whether the program starts others, which have to end with it. */
  readonly group?: boolean;
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
  const {
    cwd,
    environment,
    timeoutMs = 0,
    group = false,
    encoding = "latin1",
    stdout = "ignore",
    input,
  } = options;
  guardExit();
  const talks = input === undefined ? "ignore" : "pipe";
  const child = spawn(path, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: [talks, stdout, "pipe", talks],
    detached: group,
  });
  const kill = (): void => killAll(child, group);
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
    child.stdin?.on("error", () => {}).write(input);
    (child.stdio[3] as Readable | null)?.on("data", (chunk: Buffer) => answer.push(chunk));
    child.stderr?.setEncoding(encoding).on("data", (chunk: string) => {
      if (log.length < MAX_LOG_BYTES) log += chunk;
    });
    child.on("error", (error) => end({ code: null, signal: null, error }));
    child.on("close", (code, signal) => end({ code, signal }));
  });
  return { exit, kill };
}

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
