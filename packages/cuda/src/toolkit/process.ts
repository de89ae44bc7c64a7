// Programs that this package starts, and their temporary folders. Both are cleaned up after a failure, a stop and the
// exit of this process; if a keeper runs the program, also after a crash of this process.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { findWorker } from "../native/load.js";

/** Longer logs are truncated, since compilers repeat themselves by then. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** How a program ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Its output to standard error. */
  readonly log: string;
  readonly timedOut: boolean;
  /** Whether it took more memory than it may, together with what it started. */
  readonly outgrown: boolean;
  /** Why it could not be started. */
  readonly error?: Error;
  /** Its output to descriptor 3, if it was given an `input`. */
  readonly answer: Buffer;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** 0: no limit. */
  readonly timeoutMs?: number;
  /**
   * The program's working folder, if it starts other programs: all of them are removed with it, and with this process.
   */
  readonly folder?: string;
  /** The bytes that the program and what it starts may have in memory together; 0: no limit. It requires a keeper. */
  readonly memoryLimitBytes?: number;
  /** Whether they can write only into that folder, and open no TCP connection; they do not start otherwise. */
  readonly confined?: boolean;
  readonly encoding?: "latin1" | "utf8";
  /** A file descriptor that receives its standard output; without one, the output is dropped. */
  readonly stdout?: number;
  /** Written to standard input, which stays open until the program ends. */
  readonly input?: Uint8Array;
  /** The size of the longest `answer`; a program that answers more is killed. Default: 0. */
  readonly maxAnswerBytes?: number;
}

/** A running program. */
export interface Running {
  /** Never rejects. */
  readonly exit: Promise<Exit>;
  kill(): void;
}

/** Starts a program. */
export function startProgram(path: string, args: readonly string[], options: ProgramOptions = {}): Running {
  const {
    cwd,
    environment = process.env,
    timeoutMs = 0,
    folder,
    memoryLimitBytes = 0,
    confined = false,
    encoding = "latin1",
    stdout = "ignore",
    input,
    maxAnswerBytes = 0,
  } = options;
  guardExit();
  const talks = input === undefined ? "ignore" : "pipe";
  const keeper = folder === undefined ? undefined : findKeeper();
  const group = folder !== undefined;
  const [file, words] =
    keeper === undefined
      ? [path, args]
      : [keeper, [confined ? KEEP_CONFINED : KEEP, `${memoryLimitBytes}`, folder!, path, ...args]];
  const child = spawn(file, words, {
    cwd,
    env: environment,
    stdio: [keeper === undefined ? talks : "pipe", stdout, "pipe", talks],
    // A program with an input ends when its input does, and the terminal's signals to this process are for this process
    // to handle.
    detached: group || input !== undefined,
  });
  const kill = keeper === undefined ? () => killAll(child, group) : () => void child.stdin?.destroy();
  const exit = new Promise<Exit>((resolve) => {
    kills.set(child, kill);
    let log = "";
    let timedOut = false;
    let answer: Buffer[] = [];
    let answered = 0;
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
      const outgrown = answered > maxAnswerBytes || (keeper !== undefined && ended.code === OUTGROWN);
      resolve({ ...ended, log, timedOut, outgrown, answer: Buffer.concat(answer) });
    };
    // A program that ends early does not read all of its input; its exit status reports the failure.
    child.stdin?.on("error", () => {});
    if (input !== undefined) child.stdin?.write(input);
    (child.stdio[3] as Readable | null)?.on("data", (chunk: Buffer) => {
      answered += chunk.length;
      if (answered <= maxAnswerBytes) {
        answer.push(chunk);
        return;
      }
      answer = [];
      kill();
    });
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
    outgrown: false,
    ...(error === undefined ? {} : { error }),
    answer: Buffer.alloc(0),
  };
}

/**
 * The worker executable as a keeper, which runs a program. The end of its input signals a kill or the end of this
 * process, however it ended. Without a keeper, programs outlive a process that is killed by a signal.
 */
function findKeeper(): string | undefined {
  return process.platform === "win32" ? undefined : findWorker().path;
}

const KEEP = "--keep";
const KEEP_CONFINED = "--keep-confined";
/** Its exit code if the program could not be started: `kNotStarted`. */
const NOT_STARTED = 78;
const OUTGROWN = 79;

function killAll(child: ChildProcess, group: boolean): void {
  if (!group || child.pid === undefined || process.platform === "win32") {
    child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** Runs `work` with a new folder, which is removed afterwards in any case. */
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

/** Same as `inTemporaryFolder`, for blocking work. */
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

/** When this process exits, it kills the programs it started and removes their folders. */
function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.once("exit", () => {
    for (const kill of kills.values()) kill();
    for (const folder of leftovers) rmSync(folder, { recursive: true, force: true });
  });
}
