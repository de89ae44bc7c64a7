// Runs the steps of set-up, concurrently where they do not depend on each other. A step is skipped if its inputs
// and outputs have not changed since it last succeeded.

import { beginStep, say, sayTail } from "./console.mjs";
import { takeLock } from "./lock.mjs";
import { childEnvironment, run } from "./process.mjs";
import { clearStamp, markRunning, readStamp, writeStamp } from "./stamps.mjs";
import { findProgram } from "./tools.mjs";

/**
 * @typedef {object} Context what a step may use
 * @property {string} root
 * @property {Record<string, string | undefined>} environment
 * @property {import("./tools.mjs").Program[]} missingForAddon programs without which the addon can't be built
 * @property {AbortSignal} signal
 * @property {(command: string, args: string[], cwd: string, environment?: Record<string, string | undefined>) => Promise<{ ok: boolean, output: string }>} run
 */

/**
 * @typedef {object} Step
 * @property {string} name the name of its stamp
 * @property {string} title shown while it runs
 * @property {boolean} required whether nothing works without it
 * @property {readonly string[]} [after] the names of the earlier steps that must have ended before it begins; all
 * earlier steps by default
 * @property {(context: Context) => boolean} [applies]
 * @property {(context: Context) => boolean} [current] whether it has nothing to do, for a step without a stamp
 * @property {(context: Context) => string} [inputs] a hash of its inputs
 * @property {(context: Context) => string | undefined} [outputs] a hash of its outputs, `undefined` if one is
 * missing
 * @property {(context: Context & { cutOff: boolean }) => Promise<{ problem?: string, output?: string, note?: string }>} work
 */

/** @typedef {{ name: string, state: "current" | "done" | "failed" | "left out", problem?: string }} StepResult */

/** The programs that building the addon needs in addition to Node. */
const ADDON_PROGRAMS = /** @type {const} */ (["compiler", "make", "cmake"]);

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} environment
 * @param {AbortSignal} signal
 * @returns {Context}
 */
export function createContext(root, environment, signal) {
  return {
    root,
    environment,
    missingForAddon: ADDON_PROGRAMS.filter((program) => findProgram(program, environment) === undefined),
    signal,
    run: () => Promise.reject(new Error("expected a step that holds the lock")),
  };
}

/**
 * Whether a step is up to date, cannot run on this machine, or has to run.
 *
 * @param {Step} step
 * @param {Context} context
 * @returns {"current" | "left out" | "stale"}
 */
export function stateBefore(step, context) {
  if (isCurrent(step, context)) return "current";
  return (step.applies?.(context) ?? true) ? "stale" : "left out";
}

/**
 * @param {Step} step
 * @param {Context} context
 */
function isCurrent(step, context) {
  if (step.current !== undefined) return step.current(context);
  const stamp = readStamp(context.root, step.name);
  if (stamp === undefined) return false;
  return stamp.inputs === step.inputs?.(context) && stamp.outputs === step.outputs?.(context);
}

/**
 * Brings all steps up to date. If a required step fails, no further step begins; if another step fails, the remaining
 * steps still run.
 *
 * @param {readonly Step[]} steps
 * @param {Context} context
 * @returns {Promise<StepResult[]>} of the steps that began, in the order of `steps`
 */
export async function runSteps(steps, context) {
  const before = steps.map((step) => ({ name: step.name, state: stateBefore(step, context) }));
  if (before.every(({ state }) => state !== "stale")) return /** @type {StepResult[]} */ (before);
  const lock = await takeLock(context.root, {
    signal: context.signal,
    onWait: (pid) => say(`set-up: waiting for another set-up of this folder (process ${pid})`),
  });
  try {
    const environment = childEnvironment(context.environment);
    const locked = {
      ...context,
      run: (
        /** @type {string} */ command,
        /** @type {string[]} */ args,
        /** @type {string} */ cwd,
        own = environment,
      ) =>
        run(command, args, {
          cwd,
          environment: childEnvironment(own),
          signal: context.signal,
          onStart: lock.addChild,
          onEnd: lock.removeChild,
        }),
    };
    return await runAfterEachOther(steps, context.signal, (step) => runStep(step, locked));
  } finally {
    lock.release();
  }
}

/**
 * @param {readonly Step[]} steps
 * @param {AbortSignal} signal
 * @param {(step: Step) => Promise<StepResult>} work
 * @returns {Promise<StepResult[]>}
 */
async function runAfterEachOther(steps, signal, work) {
  let stopped = false;
  /** @type {Map<string, Promise<StepResult | undefined>>} */
  const ends = new Map();
  for (const step of steps) {
    const earlier = [...ends].filter(([name]) => step.after?.includes(name) ?? true).map(([, end]) => end);
    const end = Promise.all(earlier).then(async () => {
      if (stopped) return undefined;
      signal.throwIfAborted();
      const result = await work(step);
      stopped ||= result.state === "failed" && step.required;
      return result;
    });
    ends.set(step.name, end);
  }
  // An error must not end this before the other steps have ended, because the lock is released next.
  await Promise.allSettled(ends.values());
  const results = await Promise.all(ends.values());
  return results.filter((result) => result !== undefined);
}

/**
 * @param {Step} step
 * @param {Context} context
 * @returns {Promise<StepResult>}
 */
async function runStep(step, context) {
  // Checked again, because another set-up may have run it while this one waited for the lock, and earlier
  // steps may have changed its inputs.
  const before = stateBefore(step, context);
  if (before !== "stale") return { name: step.name, state: before };
  clearStamp(context.root, step.name);
  const mark = markRunning(context.root, step.name);
  const line = beginStep(step.title);
  let result;
  try {
    // Hashed before the work, so that an edit of a source meanwhile makes the step stale again.
    const inputs = step.inputs?.(context);
    result = await step.work({ ...context, cutOff: mark.cutOff });
    const outputs = step.outputs?.(context);
    const made = step.current?.(context) ?? outputs !== undefined;
    if (result.problem === undefined && !made) {
      result = {
        problem: `expected files that ${step.title} makes, found some of them missing`,
        output: result.output,
      };
    }
    if (result.problem === undefined && inputs !== undefined && outputs !== undefined) {
      writeStamp(context.root, step.name, { inputs, outputs });
    }
  } catch (error) {
    // The caller of set-up reports an interrupt, once for all steps.
    if (context.signal.aborted) line.dropped();
    else line.failed();
    throw error;
  }
  mark.done();
  if (result.problem === undefined) {
    line.done(result.note);
    return { name: step.name, state: "done" };
  }
  line.failed();
  if (result.output) sayTail(result.output);
  say(`set-up: ${result.problem}`);
  return { name: step.name, state: "failed", problem: result.problem };
}
