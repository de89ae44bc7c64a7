// Which version a program of NVIDIA's is.

import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

/** By path and time of change: asking holds the event loop for 10 ms and more. */
const known = new Map<string, string>();

/** What `--version` says, for example `13.0.88`. @throws when the program does not run, or says something else */
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
  if (version === undefined) throw new Error(`tells no version (${signal ?? `exit code ${status}`})`);
  return version;
}
