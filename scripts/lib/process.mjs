// Runs the programs that set-up needs. Each child leads a process group of its own, so that an interrupt also
// ends the processes that it started, and its output is kept in case it fails.

import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Thrown from set-up if a signal ends it; the exit code is the one that shells use for the signal. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** The length of a child's output that is kept, in UTF-16 units. */
const KEPT = 64 * 1024;

/**
 * Runs `work` with an AbortSignal that an interrupt aborts, with `Interrupted` as the reason. Node's default,
 * which is to exit immediately, would leave children running and the lock taken.
 *
 * The handlers remain after `work` has finished. The caller may still be loading modules, and a signal that
 * arrives meanwhile is only delivered in a later turn of the event loop; without the handlers it would be
 * lost. From then on, the handlers exit the process, unless there are other listeners for the signal.
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
    // `work` may not have waited for anything, and the process may exit next, so signals get a chance to be
    // delivered. The first of the two turns may belong to the current iteration of the loop, which has
    // already checked for signals.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    controller.signal.throwIfAborted();
    return result;
  } catch (error) {
    // An interrupted operation fails with some other error, which the interrupt replaces.
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
 * @property {(pid: number) => void} [onStart] receives the child's process id
 * @property {(pid: number) => void} [onEnd] receives it again after the child has exited
 */

/**
 * Runs a program to its end, without standard input.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<{ ok: boolean, output: string }>} `ok` if it exited with 0; if it could not be started,
 * `output` is the reason
 */
export async function run(command, args, { cwd, environment, signal, onStart, onEnd }) {
  signal.throwIfAborted();
  const grouped = process.platform !== "win32";
  const child = spawn(command, args, {
    cwd,
    env: /** @type {NodeJS.ProcessEnv} */ (environment),
    stdio: ["ignore", "pipe", "pipe"],
    detached: grouped,
    shell: !grouped && /\.(cmd|bat)$/i.test(command),
  });
  if (child.pid !== undefined) onStart?.(child.pid);
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
  // Processes that the child left in its group would otherwise go on writing.
  if (signal.aborted) end("SIGKILL");
  if (child.pid !== undefined) onEnd?.(child.pid);
  signal.throwIfAborted();
  return { ok, output };
}

/**
 * The environment for a child, without the variables that npm sets for its scripts. They would change what a
 * nested npm, npx or pnpm does; `npm --silent`, for example, would hide the reason of a failure.
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
