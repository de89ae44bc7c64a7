// `mm-ptx-search bench`: runs that are stored, tables beside published figures, and what is refused.
import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { YARDSTICKS } from "../../src/cli/yardsticks.js";
import { SearchFolder } from "./folder.js";

let folder: SearchFolder;
beforeAll(() => {
  folder = new SearchFolder();
});
afterAll(() => folder.remove());

const FILE = "bench/results.jsonl";
const show = (...words: string[]) => folder.run(["bench", ...words, "-o", "bench", "--show"]);

it("goes on after what is stored, and draws the table of it", async () => {
  const empty = await show("nguyen");
  expect(empty).toEqual({ code: 0, stderr: "", stdout: "Nguyen: no run is finished\n" });
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const store = (key: string, result: object, made = version) =>
    appendFileSync(folder.path(FILE), `\n${JSON.stringify({ version: made, key, result })}`);
  const found = { formula: "x", loss: 0, evaluations: 1000, seconds: 0.5 };
  const nguyen = YARDSTICKS.find(({ name }) => name === "nguyen")!;
  const keys = nguyen.runs(1).map(({ key }) => key);
  expect(keys).toHaveLength(12);
  for (const key of keys.slice(1)) store(key, { ...found, isRecovered: key !== "Nguyen-12*/1" });
  store(keys[0]!, { ...found, isRecovered: false }, "0.0.0");
  appendFileSync(folder.path(FILE), '\n{"version":"torn');

  const { code, stdout, stderr } = await folder.run(["bench", "nguyen", "--runs", "1", "-o", "bench"]);
  expect([code, stderr]).toEqual([0, "1 of 1 runs: Nguyen-1/1\n"]);
  const lines = stdout.split("\n");
  expect(lines[1]).toMatch(/^ +recovered +CPU s +MCTS +NGGP +DSR +PySR +formula$/);
  expect(lines[2]).toMatch(/^Nguyen-1 +1 of 1 +[\d.]+ +100 +100 +100 +100 +x\^3 \+ x\^2 \+ x$/);
  expect(lines[13]).toMatch(/^Nguyen-12\* +0 of 1 +0\.5 +22 +12 +0 +0 /);
  expect(lines[14]).toMatch(/^mean +91\.7 % +[\d.]+ +93\.25 +92\.33 +83\.58 +74\.41$/);
  expect(await show("nguyen", "--runs", "1")).toMatchObject({ code: 0, stdout });
  const { runs } = JSON.parse((await show("nguyen", "--runs", "1", "--json")).stdout);
  expect(runs).toHaveLength(12);
  expect(runs[0]).toMatchObject({
    ...{ yardstick: "nguyen", key: "Nguyen-1/1", result: { isRecovered: true, formula: expect.any(String) } },
  });
});

test("means and deviations of the sphere", () => {
  const sphere = YARDSTICKS.find(({ name }) => name === "sphere")!;
  const scores = { 54000: 30, 108000: 40, 270000: 50, 540000: 60 };
  const results = new Map<string, unknown>([
    ["line20/1", { scores, coverage: 70 }],
    ["line20/2", { scores: { ...scores, 540000: 62 }, coverage: 72 }],
  ]);
  const lines = sphere.table(3, (key) => results.get(key));
  expect(lines).toHaveLength(7);
  expect(lines[5]).toMatch(
    /^sphere of 20, iso 0\.5, line 0\.2 +540,000 +61\.00 +1\.41 +58\.91 +0\.20 +2 seeds$/,
  );
  expect(lines[6]).toMatch(/coverage % +71\.00 +1\.41 +74\.52 +0\.24 +2 seeds$/);
  expect(sphere.runs(10)).toHaveLength(40);
});

it("refuses names and folders that do not exist", async () => {
  expect(await show("nguyenn")).toEqual({
    ...{ code: 2, stdout: "" },
    stderr: "error: expected some of sphere, nguyen, nguyen-constants, jin, livermore, found `nguyenn`\n",
  });
  folder.write("file", "");
  const { code, stderr } = await folder.run(["bench", "--show", "-o", "file"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: expected a folder for results, found `file`: /),
  ]);
});
