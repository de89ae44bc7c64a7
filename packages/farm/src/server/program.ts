// Where the program nats-server is: the one that MM_PTX_NATS_SERVER names, on PATH, fetched by set-up in a clone, or fetched into
// the user's cache folder.

import { execFile } from "node:child_process";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultCacheFolder } from "@mm-ptx/cuda";
import { FarmError } from "../error.js";

/** A program that can be started. */
export interface ServerProgram {
  readonly path: string;
  readonly version: string;
  /** What named the place. */
  readonly named: string;
}

/** Older versions lack `sync_interval: always` and corrections of the queue after restarts. */
const LEAST = [2, 12] as const;
const NAME = process.platform === "win32" ? "nats-server.exe" : "nats-server";

/** The folder of a fetched nats-server. */
export const fetchedServerFolder = (): string => join(defaultCacheFolder(), "programs");

interface Place {
  readonly named: string;
  readonly path: string;
}

function* places(): Generator<Place> {
  const named = process.env.MM_PTX_NATS_SERVER;
  if (named) {
    // It is the user's choice, so nothing else is tried.
    yield { named: "MM_PTX_NATS_SERVER", path: named };
    return;
  }
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter((each) => each !== ""))
    yield { named: "PATH", path: join(folder, NAME) };
  const clone = fileURLToPath(new URL("../../../../.deps", import.meta.url));
  for (const folder of [clone, fetchedServerFolder()])
    for (const name of fetchedIn(folder))
      yield { named: folder === clone ? "set-up" : "fetched", path: join(folder, name, NAME) };
}

/** Names of folders with a fetched nats-server, newest first. */
function fetchedIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith("nats-server-"))
      .sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  } catch {
    return [];
  }
}

/**
 * The program to start.
 *
 * @throws FarmError `NO_PROGRAM`, with every program that was found and what is wrong with it
 */
export async function findServer(): Promise<ServerProgram> {
  const tried: string[] = [];
  for (const { named, path } of places()) {
    if (named !== "MM_PTX_NATS_SERVER" && !isProgram(path)) continue;
    const found = await versionOf(path);
    if ("problem" in found) tried.push(`${path}: ${found.problem}`);
    else return { path, named, version: found.version };
  }
  const found = tried.length === 0 ? "none" : `\n${tried.map((each) => `  - ${each}`).join("\n")}\n`;
  throw new FarmError(
    "NO_PROGRAM",
    `expected nats-server ${LEAST.join(".")} or later in MM_PTX_NATS_SERVER or on PATH, found ${found}; \`mm-ptx-farm fetch\` downloads it`,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const TIMEOUT_MS = 20_000;

async function versionOf(path: string): Promise<{ readonly version: string } | { readonly problem: string }> {
  const output = await new Promise<string | Error>((resolve) => {
    execFile(path, ["--version"], { timeout: TIMEOUT_MS, windowsHide: true }, (error, stdout) =>
      resolve(error ?? stdout),
    );
  });
  if (typeof output !== "string") return { problem: output.message.trim() };
  const [, version, major, minor] = /v?((\d+)\.(\d+)\.\S+)/.exec(output) ?? [];
  if (version === undefined) return { problem: `it does not print its version, but ${output.trim()}` };
  const isNew = Number(major) > LEAST[0] || (Number(major) === LEAST[0] && Number(minor) >= LEAST[1]);
  return isNew
    ? { version }
    : { problem: `it is version ${version}, which can lose or block jobs after restarts` };
}
