// The worker processes of a process, and signals to them.

import { readdirSync, readFileSync } from "node:fs";

/** The ids of the worker processes that a process has started, by default this one. */
export function workerProcesses(parent: number = process.pid): number[] {
  return readdirSync(`/proc/${parent}/task`).flatMap((thread) => {
    try {
      const children = readFileSync(`/proc/${parent}/task/${thread}/children`, "latin1");
      return children.split(" ").map(Number).filter(isWorker);
    } catch {
      // The thread has ended.
      return [];
    }
  });
}

function isWorker(pid: number): boolean {
  try {
    return pid > 0 && readFileSync(`/proc/${pid}/comm`, "latin1").trim() === "mmptx-worker";
  } catch {
    return false;
  }
}

/** Sends a signal. @returns whether the process was still there */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
