// One set-up at a time in a checkout. The lock names its process and the child that works for it, with their start
// times, so that a lock whose owner was killed is known to be stale even when its number was given out again.

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { STATE_FOLDER, writeWhole } from "./stamps.mjs";

/** @typedef {{ pid: number, started: string }} Owner a process; `started` is empty where the system does not tell */
/** @typedef {{ owner: Owner, child?: Owner }} Holder */

/**
 * @param {number} pid
 * @returns {Owner}
 */
export function processIdentity(pid) {
  try {
    // The command name may hold blanks and brackets, so the fields are counted from behind it; the start is field 22.
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
 * A dead process that its parent never asked for, as containers without an init process keep them.
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
 * Takes the lock, waiting for a live holder and clearing away what a dead one left, its still working child included.
 *
 * @param {string} root
 * @param {{ onWait?: (pid: number) => void, signal?: AbortSignal }} [options]
 * @returns {Promise<{ setChild: (pid: number | undefined) => void, release: () => void }>}
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
    await endOrphan(holder.child);
    removeStale(path, holder);
  }
  return {
    setChild: (pid) =>
      writeWhole(
        path,
        JSON.stringify(pid === undefined ? { owner } : { owner, child: processIdentity(pid) }),
      ),
    release: () => {
      if (readHolder(path)?.owner.pid === process.pid) rmSync(path, { force: true });
    },
  };
}

/**
 * A hard link appears with its whole content at once, and fails when the name is taken.
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
 * @returns {Holder | undefined} `undefined` when the lock is gone; an unreadable one belongs to nobody
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
 * Two waiting processes may both see the dead holder; the one that comes second must not take the first one's new
 * lock away, so what was moved aside is looked at again.
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
 * The child of a killed set-up would go on writing where the next one works.
 *
 * @param {Owner | undefined} child
 */
async function endOrphan(child) {
  if (child === undefined) return;
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
