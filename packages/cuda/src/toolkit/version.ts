// The versions of NVIDIA's programs.

import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

/** Cached by path and modification time, because a query blocks the event loop for 10 ms or more. */
const known = new Map<string, string>();

/**
 * The version that `--version` reports, for example `13.0.88`. @throws Error if the program does not run or reports no
 * version
 */
export function versionOf(path: string): string {
  const key = `${path} ${statSync(path).mtimeMs}`;
  let version = known.get(key);
  if (version === undefined) {
    version = askVersion(path);
    known.set(key, version);
  }
  return version;
}

function askVersion(path: string): string {
  const { stdout, error, status, signal } = spawnSync(path, ["--version"], {
    encoding: "utf8",
    timeout: 20_000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (error !== undefined) throw error;
  const version = /V(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`reports no version (${signal ?? `exit code ${status}`})`);
  return version;
}
