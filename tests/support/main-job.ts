// The built main job as a process, and its outputs.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { oneFile } from "./one-file.js";
import { runResident } from "./resident.js";
import { ROOT } from "./workspace.js";

/** The program that `npm start` runs once everything is built. */
export const MAIN = join(ROOT, "apps/quickstart/dist/main.js");

/** The same program in one file, which starts in half the time. */
export const IN_ONE_FILE = await oneFile("apps/quickstart/dist/main.js");

const NO_COLOR = { NO_COLOR: "1" };

/** Runs the built main job to its end, in a process that runs one after another. */
export async function run(args: readonly string[]) {
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const env = { ...inherited, ...NO_COLOR };
  const line = { main: MAIN, words: args, folder: ROOT, env, input: "" };
  const { code, stdout, stderr } = await runResident(line);
  return { status: code, stdout: Buffer.from(stdout).toString(), stderr: Buffer.from(stderr).toString() };
}

/** Runs it in a process of its own, for what a process reads once: its environment, its driver and its tools. */
export function runAlone(args: readonly string[], env: Record<string, string> = {}, cwd = ROOT) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [IN_ONE_FILE, ...args], {
    encoding: "utf8",
    cwd,
    env: { ...process.env, ...NO_COLOR, ...env },
  });
  return { status, stdout, stderr };
}

/** A replacement for a tool. */
export function script(tools: string, name: string, body: string): void {
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

/** The lines of a run's results.jsonl. */
export function lines(out: string): Record<string, unknown>[] {
  return readFileSync(join(out, "results.jsonl"), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** The files that a run has not finished. */
export const leftovers = (out: string): string[] => readdirSync(out).filter((name) => name.endsWith(".tmp"));

/** Gives the tests of a file output folders, which do not exist yet and are removed after the last test. */
export function outputFolders(): () => string {
  let base: string;
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), "mm-ptx-test-"));
  });
  afterAll(() => {
    rmSync(base, { recursive: true, force: true });
  });
  let count = 0;
  return () => join(base, `out-${count++}`);
}
