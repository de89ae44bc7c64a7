// Records the inputs and outputs of each step's last success. A stamp is written only after its step
// succeeded, and removed before the step begins again, so an interrupted step is never mistaken for a
// finished one.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of set-up's own state, which git ignores. */
export const STATE_FOLDER = ".setup";

/** @typedef {{ inputs: string, outputs: string }} Stamp hashes of a step's inputs and outputs */

/**
 * @param {string} root
 * @param {string} step
 */
const stampPath = (root, step) => join(root, STATE_FOLDER, `${step}.json`);

/**
 * The stamp of the step's last success; `undefined` if there is no readable one.
 *
 * @param {string} root
 * @param {string} step
 * @returns {Stamp | undefined}
 */
export function readStamp(root, step) {
  try {
    const { inputs, outputs } = JSON.parse(readFileSync(stampPath(root, step), "utf8"));
    return typeof inputs === "string" && typeof outputs === "string" ? { inputs, outputs } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} root
 * @param {string} step
 * @param {Stamp} stamp
 */
export function writeStamp(root, step, stamp) {
  writeWhole(stampPath(root, step), `${JSON.stringify(stamp)}\n`);
}

/**
 * @param {string} root
 * @param {string} step
 */
export function clearStamp(root, step) {
  rmSync(stampPath(root, step), { force: true });
}

/**
 * Marks a step as running. If the mark still exists when the step starts again, the step was interrupted.
 *
 * @param {string} root
 * @param {string} step
 * @returns {{ cutOff: boolean, done: () => void }}
 */
export function markRunning(root, step) {
  const path = join(root, STATE_FOLDER, `${step}.running`);
  const cutOff = existsSync(path);
  writeWhole(path, "");
  return { cutOff, done: () => rmSync(path, { force: true }) };
}

/**
 * Writes a file atomically, so that no reader sees a part of it.
 *
 * @param {string} path
 * @param {string} text
 */
export function writeWhole(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}
