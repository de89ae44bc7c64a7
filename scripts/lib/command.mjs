// Shared by the scripts behind `npm run` that run after set-up: running a tool of node_modules with the
// user's terminal, and the folder for reports.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { ROOT } from "./workspace.mjs";

/** The folder for machine-readable reports, relative to the root. */
export const REPORTS = "out/reports";

/**
 * Runs a Node script with this terminal and waits for it. Signals are forwarded to the child, whose exit code
 * is returned.
 *
 * @param {string} script relative to the root
 * @param {readonly string[]} args
 * @param {Record<string, string>} [environment] in addition to this process's own
 * @returns {Promise<number>} the exit code, as a shell would give it
 */
export function runScript(script, args, environment = {}) {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  // A terminal signals the whole process group. If only this process was signaled, forwarding reaches the
  // child.
  for (const name of signals) process.on(name, () => child.kill(name));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
  });
}
