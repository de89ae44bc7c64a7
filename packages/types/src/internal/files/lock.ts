// A lock file that names the process which has a folder open. A lock whose process has ended is taken over.
import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  readFileSync,
  readlinkSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { openRegular } from "./regular-file.js";

/** Another process has a lock, or nobody can say whether it does. */
export class LockedError extends Error {}

/** What a lock file contains, as JSON. */
interface Owner {
  readonly pid: number;
  /** When the process started, as its system counts; it tells apart processes that had the same number. */
  readonly started: string | undefined;
  /** The host, and on Linux the namespace in which `pid` counts. */
  readonly host: string;
  readonly id: string;
}

/** Other processes may take or release the lock at the same time, so taking it is tried more than once. */
const TRIES = 20;

/** Takes a lock, and returns a function that releases it. @throws LockedError, and errors of the file system */
export function takeLock(path: string): () => void {
  const { pid } = process;
  const owner: Owner = { pid, started: startOf(pid)?.started, host: hostOfProcess(), id: randomUUID() };
  const contents = `${JSON.stringify(owner)}\n`;
  for (let tries = 0; tries < TRIES; tries++) {
    if (create(path, contents, owner.id)) return () => release(path, contents);
    const found = read(path);
    if (found !== undefined) removeDead(path, found);
  }
  throw new LockedError(`other processes keep taking \`${path}\``);
}

/** Creates a file with its contents in one step, and returns false if it exists. */
function create(path: string, contents: string, id: string): boolean {
  const temporary = `${path}.${id}`;
  try {
    writeFileSync(temporary, contents, { flag: "wx" });
    try {
      linkSync(temporary, path);
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      // This file system has no links.
      copyFileSync(temporary, path, constants.COPYFILE_EXCL);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function read(path: string): string | undefined {
  let file: number;
  try {
    file = openRegular(path, constants.O_RDONLY);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/**
 * Removes the lock of a process that has ended. If several processes find it, only the one that holds the lock of the
 * lock may remove it, and only if it is still the same.
 */
function removeDead(path: string, found: string): void {
  const owner = parseOwner(found);
  const hint = `delete \`${path}\` if no process uses the folder`;
  if (owner === undefined) throw new LockedError(`the lock file names no process: ${hint}`);
  const { pid, host } = owner;
  if (host !== hostOfProcess())
    throw new LockedError(`process ${pid} of host \`${host}\` has it open: ${hint}`);
  if (isRunning(owner)) {
    const whose = pid === process.pid ? "another thread of this process" : `process ${pid}`;
    throw new LockedError(`${whose} has it open`);
  }
  const releaseOuter = takeLock(`${path}.removal`);
  try {
    if (read(path) === found) unlinkSync(path);
  } finally {
    releaseOuter();
  }
}

function release(path: string, contents: string): void {
  try {
    if (read(path) === contents) unlinkSync(path);
  } catch {
    // It is taken over when this process has ended.
  }
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Owner;
    return Number.isSafeInteger(owner.pid) && owner.pid > 0 && typeof owner.host === "string"
      ? owner
      : undefined;
  } catch {
    return undefined;
  }
}

function isRunning({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
  }
  const found = startOf(pid);
  if (found === undefined) return true;
  return !found.ended && (started === undefined || started === found.started);
}

/** When a process started and whether it has ended and only waits for its parent, as Linux says in `/proc`; otherwise `undefined`. */
function startOf(pid: number): { readonly started: string; readonly ended: boolean } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain anything. See proc_pid_stat(5): `state` is field 3 and `starttime` is field 22.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    const started = fields[19];
    return started === undefined ? undefined : { started, ended: "ZX".includes(fields[0]!) };
  } catch {
    return undefined;
  }
}

function hostOfProcess(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}
