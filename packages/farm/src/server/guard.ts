// No nats-server outlives the process that started it: a shell ends it when that process is gone, however it
// ended. If an earlier process has left one running anyway, it is ended before its folder is served again.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FarmError } from "../error.js";

/** Reads numbers of processes, and ends the last one when nobody is left who could write another. An empty line names no process. */
const SCRIPT = 'while read -r pid; do last=$pid; done; [ -z "$last" ] || kill "$last"';

/** Watches over one process at a time, except on Windows. */
export class Guard {
  readonly #shell: ChildProcess | undefined;

  constructor() {
    if (process.platform === "win32") return;
    // In a group of its own, so that signals for this process's group do not end it before.
    this.#shell = spawn("/bin/sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
    this.#shell.on("error", () => {});
    this.#shell.stdin!.on("error", () => {});
    this.#shell.unref();
  }

  watch(pid: number | undefined): void {
    this.#shell?.stdin?.write(`${pid ?? ""}\n`);
  }

  end(): void {
    this.#shell?.stdin?.end("\n");
  }
}

const STEP_MS = 20;
const END_MS = 10_000;

/** Where nats-server writes its number. */
export const pidFileOf = (folder: string): string => join(folder, "nats-server.pid");
const ownerFileOf = (folder: string): string => join(folder, "serve.pid");

/**
 * Makes this process the one that serves a folder, and ends a nats-server without a parent that still runs there.
 *
 * @param config the path of its configuration, by which its command is known
 * @throws FarmError `SERVER` if another process serves the folder
 */
export async function takeFolder(folder: string, config: string): Promise<void> {
  const [pid, owner] = [numberIn(pidFileOf(folder)), numberIn(ownerFileOf(folder))];
  const parent = pid === undefined ? undefined : parentOf(pid, config);
  if (pid !== undefined && parent !== undefined) {
    if (parent === owner)
      throw new FarmError("SERVER", `expected nobody else who serves ${folder}, found process ${owner}`);
    await end(pid, config);
  }
  writeFileSync(ownerFileOf(folder), `${process.pid}\n`, { mode: 0o600 });
}

async function end(pid: number, config: string): Promise<void> {
  process.kill(pid, "SIGTERM");
  for (let waited = 0; parentOf(pid, config) !== undefined; waited += STEP_MS) {
    if (waited === END_MS) process.kill(pid, "SIGKILL");
    await new Promise<void>((resolve) => setTimeout(resolve, STEP_MS));
  }
}

/** The parent of a process, if it runs and a word of its command is `config`. */
function parentOf(pid: number, config: string): number | undefined {
  try {
    if (process.platform === "linux") {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      const [, parent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      return words.includes(config) ? Number(parent) : undefined;
    }
    const found = execFileSync("ps", ["-o", "ppid=,args=", "-p", `${pid}`], { encoding: "utf8" });
    return found.includes(config) ? Number.parseInt(found, 10) : undefined;
  } catch {
    return undefined;
  }
}

function numberIn(file: string): number | undefined {
  try {
    const number = Number(readFileSync(file, "utf8"));
    return Number.isSafeInteger(number) && number > 0 ? number : undefined;
  } catch {
    return undefined;
  }
}
