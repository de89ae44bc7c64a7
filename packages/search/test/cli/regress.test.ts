// `mm-ptx-search regress`: equations of a table.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { equationLines } from "../../src/cli/equations.js";
import { equationNames } from "../../src/cli/regression-source.js";
import type { Equation } from "../../src/regress/index.js";
import { pickEquation } from "../../src/regress/pick.js";
import { SearchFolder } from "./folder.js";

const ROWS = Array.from({ length: 50 }, (_, row) => {
  const [a, b] = [row / 10 - 2, Math.abs((row % 7) - 3)];
  return [a, b, 1, 3 * a * a + b];
});
const TABLE = ["a,b,one,y", ...ROWS.map((row) => row.join(","))].join("\n");

let folder: SearchFolder;
beforeAll(() => {
  folder = new SearchFolder();
  folder.write("data.csv", TABLE);
  folder.write("data.tsv.gz", gzipSync(TABLE.replaceAll(",", "\t")));
  folder.write("gaps.csv", TABLE.replace("\n", "\n1,,1,2\n"));
});
afterAll(() => folder.remove());

const FEW = ["--functions", "+", "-", "*", "--max-length", "9", "--workers", "1"];

async function json(...words: string[]) {
  const { code, stdout, stderr } = await folder.run([...words, "--json", "-q"]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

it("finds equations of a table, which are in the folder of the run", async () => {
  const { code, stdout, stderr } = await folder.run(["regress", "data.csv", "--batches", "12", ...FEW]);
  expect(code).toBe(0);
  expect(stderr.split("\n")).toEqual([
    "column `one` is left out: it is 1 in all rows",
    "y of a, b: 40 rows and 10 held out",
    expect.stringMatching(/^[\d,]+ evaluations in .*, the batches are done$/),
    expect.stringMatching(/^\d+ of [\d,]+ cells, best -/),
    "recorded in data-y",
    "data-y/report.html has pictures, and data-y/equations.csv the equations",
    "`mm-ptx-search export data-y --as ptx` makes PTX of the equation with >>>>",
    "",
  ]);
  const [head, ...lines] = stdout.trimEnd().split("\n");
  expect(head).toMatch(/^ +complexity +1 - R² +held out +equation$/);
  expect(lines.filter((line) => line.startsWith(">>>>")).length).toBe(1);
  const csv = folder.read("data-y/equations.csv").trimEnd().split("\n");
  expect(csv[0]).toBe("complexity,loss,held_out,equation");
  expect(csv.length).toBe(lines.length + 1);

  const report = folder.read("data-y/report.html");
  expect(report.match(/<tr/g)?.length).toBe(csv.length);
  expect(report).toContain("1 - R² against complexity");

  const other = await json("regress", "data.tsv.gz", "--batches", "12", "-o", "tsv", ...FEW);
  expect(other.equations[0]).toMatchObject({ complexity: 1 });
  expect(other.equations.at(-1).loss).toBeLessThan(1e-10);
  expect(other.equations.length).toBe(lines.length);
  const again = await json("regress", "data.csv", "--batches", "10", ...FEW);
  expect(again.out).toBe("data-y-2");
  const resumed = await json("resume", "data-y-2", "--batches", "2", "--workers", "1");
  expect([resumed.hash, resumed.equations]).toEqual([other.hash, other.equations]);
  expect(await json("replay", "data-y-2", "--check", "--workers", "1")).toMatchObject({
    ok: true,
    batches: 12,
  });
});

it("takes the last column unless it is told another, and the inputs that it is told", async () => {
  const { code, stderr } = await folder.run([
    ...[
      "regress",
      "data.csv",
      "--target",
      "b",
      "--inputs",
      "y",
      "-o",
      "inputs",
      "--held-out",
      "0",
      "--batches",
      "1",
    ],
    ...FEW,
  ]);
  expect([code, stderr.split("\n")[0]]).toEqual([0, "b of y: 50 rows"]);
});

it("says what is wrong with a table", async () => {
  const cases: Record<string, string> = {
    "none.csv": "error: expected a table to read, found `none.csv`: no such file",
    "gaps.csv":
      'gaps.csv: error: line 2: expected a number in column `b`, found an empty cell; rows with missing cells can be left out (`missing: "drop"`, `--drop-missing`)',
    "data.csv --target z": "data.csv: error: expected a column of the table, found `z`",
    "data.csv --functions + tangent":
      "error: expected the name of an instruction or function, found `tangent`",
    "data.csv --inputs one":
      "data.csv: error: expected a column besides the target that differs between rows, found none (column `one` is left out: it is 1 in all rows)",
    "data.csv -o data.csv":
      "column `one` is left out: it is 1 in all rows\ny of a, b: 40 rows and 10 held out\nerror: expected a folder for a run, found the file `data.csv`",
  };
  for (const [words, message] of Object.entries(cases)) {
    const line = ["regress", "-o", "x", "--batches", "1", ...words.split(" ")];
    const { code, stdout, stderr } = await folder.run(line);
    expect([words, code, stdout, stderr.startsWith(message) || stderr]).toEqual([words, 1, "", true]);
  }
  const usage: Record<string, string> = {
    "--inputs a a": "expected each column once after `--inputs`, found `a` twice",
    "--seed 4294967296": "option `--seed`: expected a whole number from 0 to 4294967295, found `4294967296`",
    "--workers 0": "option `--workers`: expected a whole number from 1 to 256, found `0`",
    "--max-length 0": "option `--max-length`: expected a whole number from 1 to 1000, found `0`",
    "--held-out 1": "option `--held-out`: expected a number from 0 to 0.9, found `1`",
    "--batches 0": "option `--batches`: expected a whole number of at least 1, found `0`",
    "--seconds 0": "option `--seconds`: expected a number above 0, found `0`",
  };
  for (const [words, message] of Object.entries(usage)) {
    const { code, stderr } = await folder.run(["regress", "data.csv", "-o", "x", ...words.split(" ")]);
    expect([code, stderr]).toEqual([2, `error: ${message}\n`]);
  }
  const { equations } = await json(
    "regress",
    "gaps.csv",
    "--drop-missing",
    "-o",
    "gaps",
    "--batches",
    "1",
    ...FEW,
  );
  expect(equations.length).toBeGreaterThan(0);
});

it("says what is wrong with the folder of a run", async () => {
  await json("regress", "data.csv", "-o", "spoilt", "--batches", "2", ...FEW);
  const description = JSON.parse(folder.read("spoilt/search.json"));
  const withSource = (source: object): void => {
    folder.write("spoilt/search.json", JSON.stringify({ ...description, source }));
  };
  withSource({ ...description.source, inputs: "a" });
  expect((await folder.run(["show", "spoilt"])).stderr).toBe(
    "error: the `search.json` of `spoilt`: option `source.inputs`: expected a list of texts, found `a`\n",
  );
  withSource({ ...description.source, data: undefined });
  expect((await folder.run(["show", "spoilt"])).stderr).toContain("option `source.data`");
  withSource(description.source);
  folder.write("spoilt/log.jsonl", "");
  const plotted = await folder.run(["plot", "spoilt"]);
  expect([plotted.code, plotted.stderr]).toEqual([
    0,
    expect.stringMatching(/^without the lineage of the best elite: expected an elite .* found none\n$/),
  ]);
  folder.write("data2.csv", TABLE.replace("a,b", "b,a"));
  const { code, stderr } = await folder.run(["show", "spoilt", "--config", "data2.csv"]);
  expect([code, stderr.split("\n").slice(0, 2)]).toEqual([
    1,
    [
      "data2.csv is not the table that the run was started with, or has changed since then",
      expect.stringMatching(/^error: expected the search of the run `spoilt`, found another one/),
    ],
  ]);
});

it("calls columns by identifiers that are no functions, and no registers of stubs", () => {
  const columns = ["température", "Δv", "µ", "a (cm)", "a_cm", "sin", "ast0", "2nd", "重さ", "exp", "x-ray"];
  expect(equationNames(columns, ["+", "tanh"])).toEqual(
    "temperature deltav mu a_cm a_cm_ sin_ ast0_ x2nd column9 exp_ x_ray".split(" "),
  );
});

it("picks the equation before which the loss falls most, among the exact ones", () => {
  const equation = (complexity: number, loss: number, heldOut?: number): Equation => ({
    ...{ complexity, loss, heldOut, formula: `f${complexity}` },
    ...{ words: new Uint32Array(0), scale: 1, offset: 0 },
  });
  expect(pickEquation([])).toBe(-1);
  expect(pickEquation([equation(1, 0.5)])).toBe(0);
  expect(pickEquation([equation(1, 0.5), equation(3, 0.4), equation(5, 1e-6), equation(9, 9e-7)])).toBe(2);
  // An equation that only knows the rows of the search is not picked.
  expect(pickEquation([equation(1, 0.5, 0.5), equation(5, 1e-3, 1e-3), equation(9, 1e-9, 0.4)])).toBe(1);
  expect(equationLines([equation(1, 0.5), equation(5, 1e-6)])).toEqual([
    "      complexity  1 - R²  equation",
    "               1     0.5  f1",
    ">>>>           5    1e-6  f5",
  ]);
});
