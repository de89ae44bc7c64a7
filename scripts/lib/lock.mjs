// Allows one set-up at a time in a checkout. The lock names its process and the children that work for it, with
// their start times, so that a lock whose owner was killed is recognized as stale even if the process id has
// been reused.

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { STATE_FOLDER, writeWhole } from "./stamps.mjs";

/**
 * @typedef {{ pid: number, started: string }} Owner a process; `started` is empty if the system does not
 * report it
 */
/** @typedef {{ owner: Owner, children?: Owner[] }} Holder */

/**
 * @param {number} pid
 * @returns {Owner}
 */
export function processIdentity(pid) {
  try {
    // The command name may contain blanks and brackets, so fields are counted after it; the start time is
    // field 22.
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return { pid, started: status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? "" };
  } catch {
    return { pid, started: "" };
  }
}

/**
 * @param {Owner | undefined} owner
 */
export function isAlive(owner) {
  if (owner === undefined || !Number.isInteger(owner.pid) || owner.pid <= 0) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPERM") return false;
  }
  return processIdentity(owner.pid).started === owner.started && !isZombie(owner.pid);
}

/**
 * Whether it is a dead process that its parent never waited for, as they remain in containers without an init
 * process.
 *
 * @param {number} pid
 */
function isZombie(pid) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * Takes the lock. Waits for a live holder; ends the children of a dead one that still run, and removes its
 * lock.
 *
 * @param {string} root
 * @param {{ onWait?: (pid: number) => void, signal?: AbortSignal }} [options]
 * @returns {Promise<{ addChild: (pid: number) => void, removeChild: (pid: number) => void, release: () => void }>}
 */
export async function takeLock(root, { onWait, signal } = {}) {
  const path = join(root, STATE_FOLDER, "lock");
  const owner = processIdentity(process.pid);
  let told = false;
  while (!tryCreate(path, { owner })) {
    signal?.throwIfAborted();
    const holder = readHolder(path);
    if (holder === undefined || isAlive(holder.owner)) {
      if (holder !== undefined && !told) onWait?.(holder.owner.pid);
      told ||= holder !== undefined;
      await sleep(100, undefined, { signal });
      continue;
    }
    await Promise.all((holder.children ?? []).map(endOrphan));
    removeStale(path, holder);
  }
  /** @type {Map<number, Owner>} */
  const children = new Map();
  const write = () => writeWhole(path, JSON.stringify({ owner, children: [...children.values()] }));
  return {
    addChild: (pid) => {
      children.set(pid, processIdentity(pid));
      write();
    },
    removeChild: (pid) => {
      children.delete(pid);
      write();
    },
    release: () => {
      if (readHolder(path)?.owner.pid === process.pid) rmSync(path, { force: true });
    },
  };
}

/**
 * Creates a hard link, which appears with its whole content atomically and fails if the name is taken.
 *
 * @param {string} path
 * @param {Holder} holder
 */
function tryCreate(path, holder) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.new.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(holder));
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * @param {string} path
 * @returns {Holder | undefined} `undefined` if there is no lock; an unreadable lock counts as stale
 */
function readHolder(path) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    const holder = JSON.parse(text);
    if (typeof holder?.owner?.pid === "number") return holder;
  } catch {}
  return { owner: { pid: 0, started: "" } };
}

/**
 * Removes a stale lock. Two waiting processes may both see the dead holder, and the second must not remove
 * the new lock of the first, so the lock is checked again after it was moved aside.
 *
 * @param {string} path
 * @param {Holder} dead
 */
function removeStale(path, dead) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved !== undefined && moved.owner.pid !== dead.owner.pid && isAlive(moved.owner)) {
    try {
      linkSync(aside, path);
    } catch {}
  }
  rmSync(aside, { force: true });
}

/**
 * Ends a child of a killed set-up, which would otherwise write to the same files as the next one.
 *
 * @param {Owner} child
 */
async function endOrphan(child) {
  for (const [name, patience] of /** @type {const} */ ([
    ["SIGTERM", 3000],
    ["SIGKILL", 1000],
  ])) {
    if (!isAlive(child)) return;
    try {
      process.kill(-child.pid, name);
    } catch {}
    for (let waited = 0; waited < patience && isAlive(child); waited += 50) await sleep(50);
  }
}
