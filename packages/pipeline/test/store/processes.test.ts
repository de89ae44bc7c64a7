// Results stores of several processes: killed ones, ones that have the folder open, and ones whose disk is full.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { openResultsStore } from "../../src/index.js";
import { FINGERPRINT, signatureOf, withFolderLater } from "../support/results.js";

const WRITER = fileURLToPath(new URL("../support/results-writer.mjs", import.meta.url));
const WINDOWS = process.platform === "win32";

const open = (folder: string) => openResultsStore(folder, { fingerprint: FINGERPRINT });

/** The values that a process prints. */
async function* saidBy({ stdout }: ChildProcessWithoutNullStreams): AsyncGenerator<unknown> {
  for await (const line of createInterface({ input: stdout })) yield JSON.parse(line);
}

/** What a process prints first, and its end. */
async function answerOf(child: ChildProcessWithoutNullStreams): Promise<Record<string, unknown>> {
  const closed = once(child, "close");
  const { value } = await saidBy(child).next();
  await closed;
  return value as Record<string, unknown>;
}

const start = (task: string, folder: string) => spawn(process.execPath, [WRITER, task, folder]);

it("everything that was flushed survives the end of a killed process, whose lock is taken over", async () => {
  await withFolderLater(async (folder) => {
    let certain = 0;
    for (let round = 0; round < smoke(50); round++) {
      const child = start("put", folder);
      const closed = once(child, "close");
      const said = saidBy(child);
      const atLeast = certain + 1 + Math.floor(Math.random() * 500);
      while (certain < atLeast) certain = (await said.next()).value as number;
      const busy = expect.objectContaining({
        code: "STORE",
        message: `can't open the results store \`${folder}\`: process ${child.pid} has it open`,
      });
      expect(() => open(folder)).toThrow(busy);
      child.kill("SIGKILL");
      await closed;
      for await (const value of said) certain = value as number;

      using store = open(folder);
      expect(store.size).toBeGreaterThanOrEqual(certain);
      expect(store.problems.count).toBe(0);
      const { size } = store;
      for (let index = 0; index < size; index++) {
        const { score, outputs } = store.get(signatureOf(index))!;
        expect(score === index && outputs?.[0]?.[499] === 499).toBe(true);
      }
    }
    expect(readdirSync(folder).sort()).toEqual(["index", "results.jsonl"]);
  });
});

it.skipIf(WINDOWS)("a file that can't grow ends with a whole line, and what is in it is found", async () => {
  await withFolderLater(async (folder) => {
    // Shells that count blocks of 512 bytes and those that count KiB give different limits.
    const command = `ulimit -f 200; exec "$0" "$@"`;
    const child = spawn("/bin/sh", ["-c", command, process.execPath, WRITER, "fill", folder]);
    const { count, found, failure, again, dispose } = await answerOf(child);
    const error = { code: "STORE", cause: "EFBIG" };
    expect([failure, again, dispose]).toEqual([error, error, error]);
    expect(found).toBe(count);
    const path = join(folder, "results.jsonl");
    expect(statSync(path).size).toBeGreaterThan(90_000);
    expect(readFileSync(path).at(-1)).toBe(10);

    using store = open(folder);
    expect(store.problems.count).toBe(0);
    expect(store.size).toBe(readFileSync(path, "latin1").split("\n").length - 1);
    for (let index = 0; index < store.size; index++) expect(store.get(signatureOf(index))?.score).toBe(index);
  });
});

it("processes that take over locks never have one together", async () => {
  for (let round = 0; round < smoke(50); round++)
    await withFolderLater(async (folder) => {
      const answers = await Promise.all([1, 2].map(() => answerOf(start("locks", folder))));
      expect(answers).toEqual(answers.map(() => ({ taken: 200, shared: 0 })));
    });
});

it("a lock that can't be judged stays, and the error says what to do", async () => {
  await withFolderLater(async (folder) => {
    const lock = join(folder, "lock");
    const hint = `delete \`${lock}\` if no process uses the folder`;
    const elsewhere = JSON.stringify({ pid: 7, host: "elsewhere", id: "" });
    for (const [contents, reason] of [
      [elsewhere, `process 7 of host \`elsewhere\` has it open: ${hint}`],
      ["", `the lock file names no process: ${hint}`],
      ["{}", `the lock file names no process: ${hint}`],
    ] as const) {
      writeFileSync(lock, contents);
      const message = `can't open the results store \`${folder}\`: ${reason}`;
      expect(() => open(folder)).toThrow(expect.objectContaining({ code: "STORE", message }));
      expect(readFileSync(lock, "utf8")).toBe(contents);
    }
    expect(existsSync(join(folder, "results.jsonl"))).toBe(false);
  });
});
