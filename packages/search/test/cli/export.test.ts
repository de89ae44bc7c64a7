// `mm-ptx-search export`: what of a run is exported, as what, and into which kernel.
import { readFileSync } from "node:fs";
import { readProgramFile } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SearchFolder } from "./folder.js";

const KERNEL = `.version 8.0
.target sm_75
.address_size 64
.visible .entry k()
{
	{
	// PTX_INJECT_START func
	// _x0 o f32 F32 z
	// _x1 i f32 F32 a_cm
	// PTX_INJECT_END
	}
	ret;
}
`;

let folder: SearchFolder;
beforeAll(async () => {
  folder = new SearchFolder();
  const rows = Array.from({ length: 20 }, (_, row) => [row / 4, row % 3, 3 * (row / 4) ** 2]);
  folder.write("data.csv", ["a (cm),sin,y", ...rows.map((row) => row.join(","))].join("\n"));
  folder.write("kernel.ptx", KERNEL);
  const few = ["--functions", "*", "+", "square", "--max-length", "5", "--batches", "4", "--workers", "1"];
  const { code, stderr } = await folder.run(["regress", "data.csv", "-o", "run", ...few]);
  expect([code, stderr.split("\n").slice(0, 3)]).toEqual([
    0,
    [
      "column `a (cm)` is `a_cm` in equations",
      "column `sin` is `sin_` in equations",
      "y of a_cm, sin_: 20 rows",
    ],
  ]);
  await folder.run(["run", "search.mjs", "-o", "vectors", "--batches", "2", "-q"]);
});
afterAll(() => folder.remove());

const run = (...words: string[]) => folder.run(["export", ...words]);

it("exports the equation to pick in all formats", async () => {
  const expected = {
    text: /^3 \* \(?square\(a_cm\)\)?\n$/,
    stub: /mul\.ftz\.f32 .*mov\.f32 %result/s,
    ptx: /\.visible \.entry program\(/,
    cuda: /__device__ .*float program\(/s,
    c: /Arguments: in_a_cm = a_cm, in_sin_ = sin_\n.*float program\(float in_a_cm, float in_sin_\)/s,
    latex: /\^\{2\}/,
    json: /^\{.*"complexity": 2,.*"loss": /s,
  };
  for (const [as, pattern] of Object.entries(expected)) {
    const { code, stdout, stderr } = await run("run", "--as", as);
    expect([as, code, stderr]).toEqual([
      as,
      0,
      "column `a (cm)` is `a_cm` in equations\ncolumn `sin` is `sin_` in equations\n",
    ]);
    expect(stdout).toMatch(pattern);
  }
  const named = await run("run", "--as", "c", "--name", "area", "-o", "area.c", "--json");
  expect(JSON.parse(named.stdout)).toMatchObject({ ok: true, as: "c", out: "area.c" });
  expect(folder.read("area.c")).toContain("float area(float in_a_cm");
});

it("fills a site with the registers of its kernel", async () => {
  const stub = await run("run", "--as", "stub", "--kernel", "kernel.ptx");
  expect(stub.stdout).toContain("%_x1, %_x1");
  expect(stub.stdout).toMatch(/mov\.f32 %_x0, /);
  const filled = await run("run", "--as", "ptx", "--kernel", "kernel.ptx", "--site", "func");
  expect(filled.stdout).toContain(stub.stdout);
  expect(filled.stdout).toContain(".visible .entry k()");
});

it("exports all elites of a stack space as a program file", async () => {
  folder.write(
    "stack.mjs",
    `import { evolve, functionEvaluator, gridArchive, stackSpace } from "@mm-ptx/search";
import { table } from "@mm-ptx/stack/default";
const operand = (name, direction, register) => ({ name, direction, register, registerType: "f32", type: "F32" });
export default ({ seed }) => ({
  seed, batchSize: 64, emitters: [evolve()],
  space: stackSpace(table, {
    operands: [operand("z", "out", "_x0"), operand("x", "in", "_x1")],
    instructions: ["add.ftz.f32", "mul.ftz.f32"], maxLength: 12,
  }),
  archive: gridArchive({ axes: [{ name: "words", min: 0, max: 40 }] }),
  evaluator: functionEvaluator({ name: "words", measures: ["words"], score: ({ length }) => ({ objective: -length, measures: [length] }) }),
});
`,
  );
  const { code, stderr, stdout } = await folder.run([
    "run",
    "stack.mjs",
    "-o",
    "stack",
    "--batches",
    "3",
    "--json",
    "-q",
  ]);
  expect([code, stderr]).toEqual([0, ""]);
  const { elites } = JSON.parse(stdout);
  expect((await run("stack", "--as", "programs", "-o", "elites.mmptx")).code).toBe(0);
  const { programs, registers, requests } = readProgramFile(readFileSync(folder.path("elites.mmptx")), table);
  expect(programs.length).toBe(elites);
  expect([registers.map(({ name }) => name), requests.length]).toEqual([["_x0", "_x1"], 1]);
});

it("says what it can't export", async () => {
  const cases: Record<string, [number, string]> = {
    "run --as fortran": [
      2,
      "expected a format (text, stub, ptx, cuda, c, latex, json, programs), found `fortran`",
    ],
    "run --as c --kernel kernel.ptx": [2, "expected `--as stub` or `--as ptx` with `--kernel`, found `c`"],
    "run --as c --site func": [2, "expected `--kernel` with `--site`, found none"],
    "run --as c --cell 1,1,1 --complexity 1": [2, "expected one of `--cell` and `--complexity`, found both"],
    "vectors --as c": [1, "expected a space of programs for `--as c`, found one of kind `vector`"],
    "vectors --as text --complexity 2": [
      2,
      "expected `--complexity` for a run of `regress`, found another run",
    ],
    "run --as c --complexity 99": [1, "found 99"],
    "run --as stub --kernel kernel.ptx --site other": [1, "found `other`"],
    "run --as programs": [1, "expected a stack space for `--as programs`, found one of kind `ast`"],
    "run --as programs --cell 1,1": [2, "with `--as programs`, which has all elites"],
    "none --as c": [1, "expected a run in `none`, found no `search.json`"],
  };
  for (const [words, [expected, message]] of Object.entries(cases)) {
    const { code, stdout, stderr } = await run(...words.split(" "));
    expect([words, code, stdout, stderr.includes(message) || stderr]).toEqual([words, expected, "", true]);
  }
  expect((await run("vectors", "--as", "text")).stdout).toMatch(/\d/);
});
