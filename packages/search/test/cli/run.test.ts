// `mm-ptx-search run`, `resume`, `replay` and `show`: what they print, write and refuse.
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchCommand, searchFailure } from "../../dist/command.js";
import { SearchError } from "../../dist/index.js";
import { SearchFolder } from "./folder.js";

let folder: SearchFolder;
beforeAll(() => {
  folder = new SearchFolder();
});
afterAll(() => folder.remove());

const run = (...words: string[]) => folder.run(words);

async function json(...words: string[]) {
  const { code, stdout, stderr } = await run(...words, "--json");
  expect(stderr).toBe("");
  return { code, ...JSON.parse(stdout) };
}

describe("a run", () => {
  it("is recorded, continued, repeated and shown", async () => {
    const first = await run("run", "search.mjs", "-o", "runs/a", "--batches", "20", "--seed", "7");
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(
      /^6\d\d evaluations in [\d.]+ s \([\d,.]+\/s, 0\.0 % duplicates\), the batches are done\n\d\d of 20 cells, best -[\d.e-]+\nrecorded in runs\/a\nruns\/a\/report.html has pictures; `mm-ptx-search show runs\/a` lists the elites\n$/,
    );
    expect(readdirSync(folder.path("runs/a")).sort()).toEqual([
      ...["archive-20.bin", "log.jsonl", "report.html", "search.json"],
    ]);
    expect(JSON.parse(folder.read("runs/a/search.json")).source).toEqual({
      ...{
        kind: "config",
        config: "../../search.mjs",
        digest: expect.stringMatching(/^[0-9a-f]{16}$/),
        seed: 7,
      },
      limits: { batches: 20 },
    });

    const complete = await run("resume", "runs/a");
    expect([complete.code, complete.stdout]).toEqual([0, first.stdout]);
    expect(complete.stderr).toMatch(/^the run has reached its limit; `--seconds` lets it go on/);
    const more = await json("resume", "runs/a", "--batches", "5", "-q");
    const whole = await json("run", "search.mjs", "-o", "runs/b", "--batches", "25", "--seed", "7", "-q");
    expect(more).toMatchObject({ code: 0, ok: true, out: "runs/a", reason: "batches", batches: 25 });
    expect([more.hash, more.best]).toEqual([whole.hash, whole.best]);
    const other = await json("run", "search.mjs", "-o", "runs/c", "--batches", "25", "-q");
    expect(other.hash).not.toBe(whole.hash);

    const checked = await run("replay", "runs/a", "--check");
    expect(checked).toEqual({
      ...{ code: 0, stderr: "" },
      stdout: `25 batches computed again, equal to the log: 800 evaluations, hash ${whole.hash}\n`,
    });
    expect(await json("replay", "runs/a", "--batches", "3")).toMatchObject({
      ok: true,
      batches: 3,
      evaluations: 96,
    });

    const { elites, top, coverage } = await json("show", "runs/a", "--top", "3");
    expect([elites, coverage]).toEqual([whole.elites, whole.coverage]);
    expect(top[0]).toMatchObject({ ...whole.best, measures: { c: whole.best.measures.c } });
    expect(top.map(({ objective }: { objective: number }) => objective)).toEqual(
      top.map(({ objective }: { objective: number }) => objective).sort((a: number, b: number) => b - a),
    );
    const listed = await run("show", "runs/a", "--top", "3");
    expect(listed.stdout.split("\n")[0]).toMatch(/^ *objective +c +half +vector$/);
    expect(listed.stdout.split("\n").length).toBe(5);
    expect(listed.stderr).toMatch(/^800 evaluations in [\d.]+ s, \d\d of 20 cells, QD score -?[\d.]+\n$/);

    const { elite, lineage } = await json("show", "runs/a", "--cell", "0.1,left", "--lineage");
    expect(elite.measures.half).toBe("left");
    expect(elite.measures.c).toBeGreaterThanOrEqual(0);
    expect(elite.measures.c).toBeLessThan(0.2);
    expect(lineage.at(-1)).toMatchObject({ elite: elite.serial, text: elite.text });
    expect(lineage[0].parents).toEqual([]);
    const shown = await run("show", "runs/a", "--cell", "0.1,0");
    expect(shown.stdout).toContain(`half:           left\n`);
    expect(shown.stdout).toContain(elite.text);
    const tree = await run("show", "runs/a", "--lineage");
    expect(tree.stdout).toMatch(/\n *serial {2}made by +objective {2}program\n *\d+ {2}new /);
  });

  it("is drawn", async () => {
    await run("run", "search.mjs", "-o", "drawn", "--batches", "6", "-q");
    const { code, stdout, stderr } = await run("plot", "drawn");
    const files = ["archive", "course", "operators", "lineage"].map((name) => `drawn/pictures/${name}.svg`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").slice(0, -1)).toEqual([
      ...files.filter((file) => !file.includes("operators")),
      "drawn/report.html",
    ]);
    for (const file of stdout.split("\n").slice(0, -2))
      expect(folder.read(file)).toMatch(/^<svg .*<\/svg>\n$/s);
    const report = folder.read("drawn/report.html");
    expect(report.match(/<svg /g)?.length).toBe(3);
    expect(report).toContain("Search in drawn");
    expect(await json("plot", "drawn", "-o", "elsewhere")).toMatchObject({
      ok: true,
      written: expect.arrayContaining(["elsewhere/archive.svg"]),
    });
  });

  it("that differs from its log ends a replay with 1", async () => {
    await run("run", "search.mjs", "-o", "differs", "--batches", "4", "-q");
    writeFileSync(folder.path("other.mjs"), folder.read("search.mjs").replace("-(a * a)", "-(a * b)"));
    const { code, stdout, stderr } = await run("replay", "differs", "--check", "--config", "other.mjs");
    expect([code, stdout]).toEqual([1, "0 batches equal to the log\n"]);
    expect(stderr).toMatch(
      /^other.mjs is not the configuration .*\ndiffers: error: batch 0 differs: `.*` is `.*` in the log, and `.*` now\n$/,
    );
    const { code: same, divergence } = await json(
      "replay",
      "differs",
      "--check",
      "-q",
      "--config",
      "other.mjs",
    );
    expect([same, divergence.batch]).toEqual([1, 0]);
    const resumed = await run("resume", "differs", "--batches", "1", "--config", "other.mjs");
    expect([resumed.code, resumed.stderr.split("\n")[0]]).toEqual([
      0,
      "other.mjs is not the configuration that the run was started with, or has changed since then",
    ]);
  });

  it("goes on after Ctrl-C, which saves everything", async () => {
    process.env.SLOW = "1";
    const child = folder.start(["run", "search.mjs", "-o", "interrupted", "--batches", "60", "--seed", "7"]);
    delete process.env.SLOW;
    let [stdout, stderr] = ["", ""];
    child.stdout!.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr!.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const log = folder.path("interrupted/log.jsonl");
    while (child.exitCode === null && !(existsSync(log) && statSync(log).size > 0))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = once(child, "close");
    child.kill("SIGINT");
    expect(await closed).toEqual([130, null]);
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^[\d,]+ evaluations in .*, you interrupted it$/),
      expect.stringMatching(/^\d+ of 20 cells, best -/),
      "recorded in interrupted; `mm-ptx-search resume interrupted` goes on",
      "interrupted/report.html has pictures; `mm-ptx-search show interrupted` lists the elites",
      "",
    ]);
    expect(stdout).toMatch(/\d/);
    const batches = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.startsWith('{"batch"')).length;
    expect(readdirSync(folder.path("interrupted"))).toContain(`archive-${batches}.bin`);
    expect(batches).toBeLessThan(60);
    const resumed = await json("resume", "interrupted", "-q");
    expect([resumed.batches, resumed.reason]).toEqual([60, "batches"]);
    expect((await json("replay", "interrupted", "--check")).hash).toBe(resumed.hash);
  });
});

it("a wrong command line ends with 2", async () => {
  const cases: Record<string, string> = {
    "": "expected a command, found nothing; `mm-ptx-search --help` lists them",
    rnu: "found `rnu`, did you mean `run`?",
    "run -o x": "expected the argument `config`, found nothing",
    "run search.mjs --seed 1": "expected `--out`, such as `--out run1`, found nothing",
    "run search.mjs -o x --seconds 0": "option `--seconds`: expected a number above 0, found `0`",
    "run search.mjs -o x --target best": "option `--target`: expected a number, found `best`",
    "run search.mjs -o x --batches 1.5":
      "option `--batches`: expected a whole number of at least 1, found `1.5`",
    "run search.mjs -o x --sed 1": "expected a known option, found `--sed`, did you mean `--seed`?",
    "show x --cell 1,": "option `--cell`: expected a value for each axis, such as `4,1`, found `1,`",
  };
  for (const [words, message] of Object.entries(cases)) {
    const { code, stdout, stderr } = await run(...(words === "" ? [] : words.split(" ")));
    expect([words, code, stdout, stderr.endsWith(`${message}\n`) || stderr]).toEqual([words, 2, "", true]);
  }
  expect(existsSync(folder.path("x"))).toBe(false);
});

it("problems of files and runs end with 1", async () => {
  folder.write("none.mjs", "export const a = 1;");
  folder.write("number.mjs", "export default () => 1;");
  folder.write("throws.mjs", "export default () => {\n  throw new Error('no');\n};");
  folder.write(
    "options.mjs",
    "export default () => ({ space: {}, archive: {}, emitters: [], evaluator: { measures: [] } });",
  );
  await run("run", "search.mjs", "-o", "problems", "--batches", "1", "-q");
  const cases: Record<string, string> = {
    "run search.mjz -o x":
      "error: expected a file to read, found `search.mjz`: no such file, did you mean `search.mjs`?",
    "run none.mjs -o x": "none.mjs: error: expected a default export, found `a`",
    "run number.mjs -o x":
      "number.mjs: error: expected a `Search` or the options of one, or a function that returns it, found `1`",
    "run throws.mjs -o x": "throws.mjs:2:9: error: expected a configuration, but the module threw: no",
    "run options.mjs -o x":
      "options.mjs: error: option `space`: expected a space such as `astSpace(table, options)`, found an object",
    "run search.mjs -o problems": "error: expected a folder without a run, found one in `problems`",
    "resume x": "error: expected a run in `x`, found no `search.json`",
    "show problems --cell 1": "error: option `--cell`: expected 2 values for the axes `c`, `half`, found `1`",
    "show problems --cell 0,top":
      "error: option `--cell`: expected one of `left`, `right` for the axis `half`, found `top`",
    "show problems --cell 0.95,left": "error: expected an elite in the cell `0.95,left`, found none",
  };
  for (const [words, message] of Object.entries(cases)) {
    const { code, stdout, stderr } = await run(...words.split(" "));
    const expected = message.includes("axis") || message.includes("axes") ? 2 : 1;
    expect([words, code, stdout, stderr]).toEqual([words, expected, "", `${message}\n`]);
  }
  expect(existsSync(folder.path("x"))).toBe(false);
});

it("an unknown demo lists all of them", async () => {
  const { code, stderr } = await run("demo", "geluu", "-q");
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: expected one of the demos gelu, .*, found geluu\n$/),
  ]);
});

it("the command can be a part of another one", () => {
  const names = searchCommand(() => {}).commands.map((command) => command.name());
  expect(names).toEqual(expect.arrayContaining(["run", "resume", "replay", "show"]));
  expect(searchFailure(new SearchError("RECORD", "no room"))).toMatchObject({
    ...{ code: 1, json: { code: "RECORD", message: "no room" } },
  });
  expect(searchFailure(new Error("a bug"))).toBeUndefined();
});
