// Runs the programs that set-up needs. Each child leads a process group of its own, so that an interrupt ends all that
// it started, and its output is kept for the case that it fails.

import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Thrown out of set-up when a signal asks for its end; the exit code is the shell's for that signal. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** How much of a child's output is kept, in UTF-16 units. */
const KEPT = 64 * 1024;

/**
 * Runs `work` with an AbortSignal that an interrupt raises; its reason is `Interrupted`. Node's own way of dying at
 * once would leave children running and the lock taken.
 *
 * The handlers stay when `work` is done. What comes after it may still be loading, and a signal that came meanwhile is
 * delivered by a later turn of the loop only: with the handlers gone it would be lost. From then on they end the
 * process, unless whoever works now listens as well.
 *
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function interruptible(work) {
  const controller = new AbortController();
  let over = false;
  for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(name, () => {
      const interrupted = new Interrupted(name);
      if (!over) controller.abort(interrupted);
      else if (process.listenerCount(name) === 1) process.exit(interrupted.exitCode);
    });
  }
  try {
    const result = await work(controller.signal);
    // Nothing may have waited so far, and what is next may be the end of the process. The first of two may still be
    // part of the turn that is under way, which has looked for signals already.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    controller.signal.throwIfAborted();
    return result;
  } catch (error) {
    // Whatever was going on when the signal came fails in its own way.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    over = true;
  }
}

/**
 * @typedef {object} RunOptions
 * @property {string} cwd
 * @property {Record<string, string | undefined>} environment
 * @property {AbortSignal} signal
 * @property {(pid: number | undefined) => void} [onChild] told the child's number, and `undefined` when it is gone
 */

/**
 * Runs a program to its end, without standard input.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<{ ok: boolean, output: string }>} `ok` when it exited with 0; it could not be started: its reason as output
 */
export async function run(command, args, { cwd, environment, signal, onChild }) {
  signal.throwIfAborted();
  const grouped = process.platform !== "win32";
  const child = spawn(command, args, {
    cwd,
    env: /** @type {NodeJS.ProcessEnv} */ (environment),
    stdio: ["ignore", "pipe", "pipe"],
    detached: grouped,
    shell: !grouped && /\.(cmd|bat)$/i.test(command),
  });
  onChild?.(child.pid);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-KEPT);
    });
  }
  const end = (/** @type {NodeJS.Signals} */ name) => {
    try {
      if (child.pid !== undefined) process.kill(grouped ? -child.pid : child.pid, name);
    } catch {}
  };
  /** @type {NodeJS.Timeout | undefined} */
  let patience;
  const onAbort = () => {
    end("SIGINT");
    patience = setTimeout(() => end("SIGKILL"), 2000);
  };
  signal.addEventListener("abort", onAbort);
  const ok = await new Promise((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve(false);
    });
    child.once("close", (code) => resolve(code === 0));
  });
  clearTimeout(patience);
  signal.removeEventListener("abort", onAbort);
  // Whatever the child started and left behind in its group would go on writing.
  if (signal.aborted) end("SIGKILL");
  onChild?.(undefined);
  signal.throwIfAborted();
  return { ok, output };
}

/**
 * The environment for a child. npm tells its scripts about itself in variables that would change what a nested npm,
 * npx or pnpm does: `npm --silent` for one would silence the reason of a failure.
 *
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string | undefined>}
 */
export function childEnvironment(environment) {
  const own =
    /^npm_(package_|lifecycle_|command$|execpath$|node_execpath$|config_(loglevel|silent|json|yes)$)/i;
  return {
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => !own.test(name))),
    CI: "true",
    NO_COLOR: "1",
    FORCE_COLOR: undefined,
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
  };
}
