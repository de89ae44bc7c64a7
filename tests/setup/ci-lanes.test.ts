// Parallel stages of CI: what is printed, what counts, and that no process is left running.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runStages, type Stage } from "../../scripts/lib/ci-lanes.mjs";

const folder = mkdtempSync(join(tmpdir(), "mm-ptx-lanes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Stages = Parameters<typeof runStages>[0];

async function run(stages: Stages, { limit = 60_000, signal = new AbortController().signal } = {}) {
  const printed: string[] = [];
  const options = { root: folder, lanes: 2, limit, print: (text: string) => printed.push(text), signal };
  const results = await runStages(stages, options);
  return { printed, results: results.map(({ milliseconds: _, ...result }) => result) };
}

const shell = (stage: Stage, script: string) => stage.run("sh", ["-c", script]);
const passes = { passed: 1, failed: 0 };
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/status`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

it("prints the output of a stage in one piece, and keeps the order of the stages in the results", async () => {
  const { printed, results } = await run({
    // This stage ends when the other one has printed.
    first: async (stage) => {
      await shell(stage, "echo one; until [ -f printed ]; do sleep 0.02; done; echo two >&2");
      return passes;
    },
    second: async (stage) => {
      const { stdout } = await stage.run("sh", ["-c", "echo report; echo three >&2; touch printed"], {
        isReport: true,
      });
      stage.say(`read ${stdout.trim()}`);
      return { passed: 0, failed: 2 };
    },
    third: async () => passes,
  });
  expect(printed).toContain("\nci: first\none\ntwo\n");
  expect(printed).toContain("\nci: second\nthree\nread report\n");
  expect(results).toEqual([
    { name: "first", passed: 1, failed: 0 },
    { name: "second", passed: 0, failed: 2 },
    { name: "third", passed: 1, failed: 0 },
  ]);
});

it("counts a stage that throws as a failure, and continues", async () => {
  const { printed, results } = await run({
    broken: () => Promise.reject(new Error("no report")),
    missing: async (stage) => {
      const { code } = await stage.run("/nowhere/program", []);
      return { passed: 0, failed: code === 0 ? 0 : 1 };
    },
    sound: async () => passes,
  });
  expect(results.map(({ failed }) => failed)).toEqual([1, 1, 0]);
  expect(printed.join("")).toMatch(/ci: broken\nci: Error: no report/);
  expect(printed.join("")).toMatch(/ci: missing\nci: spawn \/nowhere\/program ENOENT/);
});

it("stops a stage that hangs, with its child processes", async () => {
  const { printed, results } = await run(
    {
      hangs: async (stage) => {
        const { code } = await shell(stage, "sleep 600 & echo $!; wait");
        expect(code).not.toBe(0);
        await shell(stage, "echo started after its end");
        return passes;
      },
    },
    { limit: 3000 },
  );
  expect(results).toEqual([{ name: "hangs", passed: 1, failed: 1 }]);
  const [, pid] = /^(\d+)$/m.exec(printed.join("")) ?? [];
  expect(pid).toBeDefined();
  expect(isAlive(Number(pid))).toBe(false);
  expect(printed.join("")).toMatch(/ci: stopped after [\d.]+ minutes/);
  expect(printed.join("")).not.toContain("started after its end");
});

it("stops all stages at an interrupt, starts no others, and prints their output", async () => {
  const interrupt = new AbortController();
  const begun: Stage[] = [];
  const waits = async (stage: Stage) => {
    begun.push(stage);
    await shell(stage, "echo begun; sleep 600");
    return passes;
  };
  const watch = setInterval(() => {
    if (begun.length === 2 && begun.every(({ output }) => output.includes("begun"))) interrupt.abort();
  }, 20);
  const { printed, results } = await run(
    { one: waits, two: waits, three: waits },
    { signal: interrupt.signal },
  );
  clearInterval(watch);
  expect(results.map(({ name, failed }) => [name, failed])).toEqual([
    ["one", 1],
    ["two", 1],
  ]);
  expect(printed.join("")).toContain("ci: one\nbegun\nci: interrupted\n");
  expect(printed.join("")).toContain("ci: two\nbegun\nci: interrupted\n");
});
