// Runs of `mm-ptx-pipeline` that end early, and others that continue them.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { times } from "../support/kernel.js";
import { PipelineFolder } from "./folder.js";

let folder: PipelineFolder;
beforeAll(() => {
  folder = new PipelineFolder();
});
afterAll(() => folder.remove());

const COUNT = SOAK ? 400 : 160;
/** The others are equal to earlier ones. */
const DISTINCT = COUNT - 50;
/** Programs that come slowly, the last ones after as many milliseconds as the environment says, so that a run can be ended in the middle. */
const SLOW = `(async function* () {
  for (let i = 0; i < ${COUNT}; i++) {
    const ms = i === ${COUNT - 8} ? process.env.SLOW : 40;
    if (i % 8 === 0 && process.env.SLOW) await new Promise((resolve) => setTimeout(resolve, ms));
    yield ${JSON.stringify(times(1))}.replace(/0f.*;/, \`0f3f\${(100000 + (i % ${DISTINCT})).toString(16)}0;\`);
  }
})()`;

const config = (name: string) => folder.config(name, { programs: SLOW, pack: "16", read: "outputHash()" });

/** Runs a command line in a process of its own until its file has results, and ends it with a signal. */
async function ended(
  words: readonly string[],
  out: string,
  signal: NodeJS.Signals,
): Promise<[number | null, string]> {
  // An interrupted run waits for the program that is about to come.
  process.env.SLOW = signal === "SIGKILL" ? "30000" : "40";
  const child: ChildProcess = folder.start(["run", ...words, "-o", out]);
  delete process.env.SLOW;
  let stderr = "";
  child.stderr!.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const path = folder.path(out);
  while (child.exitCode === null && !(existsSync(path) && statSync(path).size > 0))
    await new Promise((resolve) => setTimeout(resolve, 5));
  const closed = once(child, "close");
  child.kill(signal);
  const [code] = await closed;
  return [code, stderr];
}

function expectEachOnce(out: string, most = COUNT): void {
  const results = folder.results(folder.read(out));
  expect(results.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...Array(most).keys()]);
  for (const { index, status, score } of results) {
    expect(status).toBe("ok");
    expect(score).toBe(results.find((other) => other.index === index % DISTINCT).score);
  }
}

describe("a run that is killed", () => {
  it("is continued with `--resume`", async () => {
    const name = config("killed.mjs");
    await ended([name], "killed.jsonl", "SIGKILL");
    const before = folder.results(`${folder.read("killed.jsonl").replace(/[^\n]*$/, "")}`).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(COUNT);
    const { code, stderr } = await folder.run(["run", name, "-o", "killed.jsonl", "--resume"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${before} already in the file`)]);
    expectEachOnce("killed.jsonl");
  });

  it("is run again with a store, from which earlier results come", async () => {
    const name = config("stored.mjs");
    await ended([name, "--store", "store"], "stored.jsonl", "SIGKILL");
    const { code, stderr } = await folder.run(["run", name, "-o", "stored.jsonl", "--store", "store"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(" from the store")]);
    expectEachOnce("stored.jsonl");
  });
});

it("a run that is interrupted writes what is done, and the report", async () => {
  const [code, stderr] = await ended(
    [config("stopped.mjs"), "--report", "stopped.svg"],
    "stopped.jsonl",
    "SIGINT",
  );
  expect(stderr).toMatch(/^error: interrupted: \d+ results \(\d+ done.*\) in .*\n$/);
  expect(code).toBe(130);
  expect(folder.read("stopped.jsonl").endsWith("}\n")).toBe(true);
  const written = folder.results(folder.read("stopped.jsonl")).length;
  expect(stderr).toContain(`interrupted: ${written} results (`);
  expect(folder.read("stopped.svg")).toContain("</svg>");
});

describe("with `--resume`", () => {
  const resume = (name: string, out: string) => folder.run(["run", name, "-o", out, "--resume"]);

  it("any part of a file is continued", async () => {
    const name = config("parts.mjs");
    expect((await resume(name, "all.jsonl")).code).toBe(0);
    expectEachOnce("all.jsonl");
    const text = folder.read("all.jsonl");
    const lines = text.split(/(?<=\n)/);
    const parts = [
      "",
      text.slice(0, 30),
      text.slice(0, text.length - 1),
      lines.filter((_, i) => i % 3 === 1).join(""),
      lines.toReversed().slice(5).join("") + lines[0]!.slice(0, 50),
      text,
    ];
    for (const [i, part] of parts.entries()) {
      folder.write(`part${i}.jsonl`, part);
      expect((await resume(name, `part${i}.jsonl`)).code).toBe(0);
      expectEachOnce(`part${i}.jsonl`);
    }
  });

  it("files of other runs are refused, and stay as they are", async () => {
    const name = config("own.mjs");
    await resume(name, "own.jsonl");
    const text = folder.read("own.jsonl");
    const other = folder.config("other.mjs", { programs: SLOW, read: "squaredError(x)" });
    expect(await resume(other, "own.jsonl")).toMatchObject({
      code: 1,
      stderr:
        "own.jsonl:1: error: expected results of this configuration, found those of another kernel, other data or other options: choose another `--out`, or leave out `--resume`\n",
    });
    expect(folder.read("own.jsonl")).toBe(text);
    folder.write("notes.txt", "some\nnotes");
    expect((await resume(name, "notes.txt")).stderr).toBe(
      "notes.txt:1: error: expected a result of this command, found another line\n",
    );
    expect(folder.read("notes.txt")).toBe("some\nnotes");
  });

  it("combinations that have a result are not written again", async () => {
    folder.lines("inner.jsonl", [times(2), times(3)]);
    folder.lines("outer.jsonl", [times(4), times(5), times(6)]);
    const name = folder.config("cross.mjs", {
      ...{ kernel: '"two.ptx"', sites: "{ inner: textSite(), outer: textSite() }", combine: '"cross"' },
      programs: '{ inner: "inner.jsonl", outer: "outer.jsonl" }',
    });
    await resume(name, "cross.jsonl");
    const lines = folder.read("cross.jsonl").split(/(?<=\n)/);
    expect(lines).toHaveLength(6);
    folder.write("cross.jsonl", lines.slice(2, 4).join(""));
    await resume(name, "cross.jsonl");
    expect(
      folder
        .results(folder.read("cross.jsonl"))
        .map(({ index }) => index)
        .sort(),
    ).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
