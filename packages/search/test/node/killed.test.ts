// Runs whose process is killed at any moment are what they would have been.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { cases, SOAK } from "../../../../tests/support/counts.js";
import { linesOf, withFolder } from "../support/recorded.js";

const RECORDER = fileURLToPath(new URL("../support/recorded-run.mjs", import.meta.url));
const BATCHES = SOAK ? 500 : 200;

/** Runs a process until it has printed some lines and a little time has passed, or to its end. Returns its last line. */
async function recorded(folder: string, lines = Number.POSITIVE_INFINITY): Promise<string> {
  const child = spawn(process.execPath, [RECORDER, folder, `${BATCHES}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let count = 0;
  let last = "";
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    if (++count === lines) setTimeout(() => child.kill("SIGKILL"), Math.random() * 20);
  }
  await closed;
  return last;
}

/** The rows of a log, without times. */
const rowsOf = (folder: string) => linesOf(folder).map(({ seconds: _, check: __, ...row }) => row);

it("a killed run loses seconds and never a row", async () => {
  await withFolder(async (folder) => {
    const whole = join(folder, "whole");
    const killed = join(folder, "killed");
    const expected = await recorded(whole);
    expect(expected).toMatch(/^hash /);
    let before = "";
    for (let round = 0; round < cases(20); round++) {
      if ((await recorded(killed, 1 + Math.floor(Math.random() * 60))).startsWith("hash")) break;
      const log = join(killed, "log.jsonl");
      const text = existsSync(log) ? readFileSync(log, "latin1") : "";
      // All rows of the batches that were in the log before are still there.
      const end = before.lastIndexOf('{"batch":');
      expect(text.startsWith(before.slice(0, before.indexOf("\n", end) + 1))).toBe(true);
      before = text;
    }
    expect(await recorded(killed)).toBe(expected);
    expect(rowsOf(killed)).toEqual(rowsOf(whole));
  });
});
