// Runs the stages of CI side by side, in lanes. The output of a stage is kept while it runs and printed as one piece when
// the stage ends, so that the lines of different stages never mix. A stage that hangs is stopped at its time limit, and
// an interrupt stops all of them.

import { spawn } from "node:child_process";

/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {{ code: number | null, stdout: string }} Ended */
/** @typedef {Count & { name: string, milliseconds: number }} Result */

/** Processes that were asked to stop get this long to stop what they started. */
const GRACE = 5000;

/** One stage: its commands, and what they print. */
export class Stage {
  /** What the stage has printed so far. */
  output = "";
  #root;
  /** @type {Set<{ signal: (name: NodeJS.Signals) => void, end: (code: number | null) => void }>} */
  #running = new Set();
  #stopped = false;

  /** @param {string} root where its commands run */
  constructor(root) {
    this.#root = root;
  }

  /** @param {string} line */
  say(line) {
    this.output += `${line}\n`;
  }

  /**
   * Runs a command without standard input. Its stdout is returned, and also printed unless it is a report.
   *
   * @param {string} command
   * @param {readonly string[]} args
   * @param {{ isReport?: boolean }} [options]
   * @returns {Promise<Ended>}
   */
  run(command, args, { isReport = false } = {}) {
    if (this.#stopped) return Promise.resolve({ code: null, stdout: "" });
    const child = spawn(command, args, {
      cwd: this.#root,
      env: { ...process.env, CI: "true" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const signal = (/** @type {NodeJS.Signals} */ name) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name);
      } catch {}
    };
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      if (!isReport) this.output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      this.output += text;
    });
    return new Promise((resolve) => {
      const end = (/** @type {number | null} */ code) => {
        this.#running.delete(running);
        resolve({ code, stdout });
      };
      const running = { signal, end };
      this.#running.add(running);
      child.once("error", (error) => {
        this.say(`ci: ${error.message}`);
        end(null);
      });
      child.once("close", end);
    });
  }

  /** Stops what runs, and starts nothing more. */
  async stop() {
    this.#stopped = true;
    const running = [...this.#running];
    // Asked to stop, scripts end the process groups that they started. Killed immediately, they could not.
    for (const { signal } of running) signal("SIGTERM");
    const deadline = performance.now() + GRACE;
    while (this.#running.size > 0 && performance.now() < deadline) await delay(50);
    for (const { signal } of running) signal("SIGKILL");
    // A process that outlives its group may keep the pipes open, and is not waited for.
    for (const { end } of [...this.#running]) end(null);
  }
}

/** @param {number} milliseconds */
const delay = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Runs stages, a few at a time, and begins them in their order.
 *
 * @param {Record<string, (stage: Stage) => Promise<Count>>} stages
 * @param {object} options
 * @param {string} options.root where commands run
 * @param {number} options.lanes how many stages run at a time
 * @param {number} options.limit the milliseconds that a stage may take
 * @param {(text: string) => void} options.print
 * @param {AbortSignal} options.signal stops all stages; what they printed so far is printed
 * @returns {Promise<Result[]>} in the order of `stages`; a stage that was stopped counts as one failure
 */
export async function runStages(stages, { root, lanes, limit, print, signal }) {
  const waiting = Object.entries(stages).entries();
  /** @type {Result[]} */
  const results = [];
  const lane = async () => {
    for (const [index, [name, work]] of waiting) {
      if (signal.aborted) return;
      const began = performance.now();
      print(`ci: ${name} ...\n`);
      const count = await settled(new Stage(root), work, limit, signal, (output) =>
        print(`\nci: ${name}\n${output}`),
      );
      results[index] = { name, ...count, milliseconds: performance.now() - began };
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/**
 * @param {Stage} stage
 * @param {(stage: Stage) => Promise<Count>} work
 * @param {number} limit
 * @param {AbortSignal} signal
 * @param {(output: string) => void} print
 * @returns {Promise<Count>}
 */
async function settled(stage, work, limit, signal, print) {
  let stopped = false;
  const stop = (/** @type {string} */ why) => {
    stopped = true;
    stage.say(`ci: ${why}`);
    void stage.stop();
  };
  const timer = setTimeout(() => stop(`stopped after ${limit / 60_000} minutes`), limit);
  const onAbort = () => stop("interrupted");
  signal.addEventListener("abort", onAbort);
  try {
    const { passed, failed } = await work(stage);
    return { passed, failed: stopped ? Math.max(failed, 1) : failed };
  } catch (error) {
    stage.say(`ci: ${error instanceof Error ? error.stack : error}`);
    return { passed: 0, failed: 1 };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    print(stage.output);
  }
}
