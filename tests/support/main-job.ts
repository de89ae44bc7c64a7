// The built main job as a process, and its outputs.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ROOT } from "./workspace.js";

/** The program that `npm start` runs once everything is built. */
export const MAIN = join(ROOT, "apps/quickstart/dist/main.js");

/** Runs the built main job to its end. */
export function run(args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", ...env },
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
