// `mm-ptx-pipeline run`: where kernels, programs and data come from, and what is written.
import { writeFileSync } from "node:fs";
import { parsePtx } from "@mm-ptx/inject";
import { disassemble, siteJob, writeProgramFile } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { writeKernelFile } from "@mm-ptx/types/kernel-file";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeDriver, HAS_FAKE_DRIVER } from "../../../cuda/test/driver/support/fake-driver.js";
import { doubled, KERNEL, plus, times, X } from "../support/kernel.js";
import { PipelineFolder } from "./folder.js";

let folder: PipelineFolder;
beforeAll(() => {
  folder = new PipelineFolder();
  folder.lines("programs.jsonl", [times(2), times(3), times(2), "nonsense"]);
});
afterAll(() => folder.remove());

const run = (...words: string[]) => folder.run(["run", ...words]);
const multiplied = (factor: number) => [...X].map((x) => Math.fround(x * factor));

async function resultsOf(config: string, ...words: string[]) {
  const { code, stdout, stderr } = await run(config, "--ordered", ...words);
  expect(
    [
      code,
      stderr
        .split("\n")
        .at(-2)
        ?.match(/^[\d,]+ results? \(/)?.length,
    ],
    stderr,
  ).toEqual([0, 1]);
  return folder.results(stdout);
}

describe("results", () => {
  it("are lines on standard output", async () => {
    const results = await resultsOf(folder.config("a.mjs"));
    expect(results.map(({ index, status }) => [index, status])).toEqual([
      ...[
        [0, "ok"],
        [1, "ok"],
        [2, "ok"],
        [3, results[3].error.code],
      ],
    ]);
    expect(results[1].outputs).toEqual([multiplied(3)]);
    expect(results[2].from).toEqual({ kind: "duplicate", index: 0 });
    expect(new Set(results.map(({ run: id }) => id)).size).toBe(1);
    expect(results[0].run).toMatch(/^[0-9a-f]{16}$/);
  });

  it("have numbers that JSON does not have as texts", async () => {
    folder.lines("odd.jsonl", [
      ...["0f7fc00000", "0f7f800000", "0fff800000", "0f80000000", "0f3dcccccd"].map(
        (bits) => `\tmov.f32 %_x0, ${bits};`,
      ),
    ]);
    const { stdout } = await run(folder.config("odd.mjs", { programs: '"odd.jsonl"' }), "--ordered");
    const firsts = [...stdout.matchAll(/"outputs":\[\[([^,]*),/g)].map(([, first]) => first);
    expect(firsts).toEqual(['"NaN"', '"Infinity"', '"-Infinity"', "-0", "0.10000000149011612"]);
  });

  it("go to a file, with a summary as JSON and a picture", async () => {
    const config = folder.config("b.mjs", {
      out: 'new URL("out/b.jsonl", import.meta.url)',
      read: "squaredError(x)",
    });
    const { code, stdout, stderr } = await run(config, "--report", "b.svg", "--json", "--pack", "2");
    expect([code, stderr]).toEqual([0, ""]);
    const { out, report, stats, plan, ...rest } = JSON.parse(stdout);
    expect(rest).toMatchObject({ ok: true, written: 4, kept: 0 });
    expect([out, report]).toEqual([folder.path("out/b.jsonl"), "b.svg"]);
    expect([stats.done, stats.failed, stats.duplicates, plan.size]).toEqual([3, 1, 1, 2]);
    expect(folder.read("b.svg")).toMatch(/^<svg .*Distribution of score.*<\/svg>\n$/s);
    const [first] = folder.results(folder.read("out/b.jsonl")).filter(({ index }) => index === 0);
    expect(first).toMatchObject({ status: "ok", score: X.reduce((sum, x) => sum + x * x, 0) });
    expect(first).not.toHaveProperty("outputs");
  });

  it("come with progress, or with nothing but problems", async () => {
    const config = folder.config("c.mjs");
    const { stderr } = await run(config, "-o", "c.jsonl", "--progress");
    expect(stderr).toMatch(/^0 programs, 0\/s, packs of \d+\n/);
    expect(stderr).toMatch(
      /\n4 results \(3 done, 1 failed, 1 equal to others\) in [\d.]+ m?s, [\d,.]+ a second\nwritten c.jsonl\n$/,
    );
    expect(await run(config, "-o", "c.jsonl", "--quiet", "--pack", "none")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });

  it("have figures of a compiler, also without a device", async () => {
    const compiler = '{ arch: "sm_90", effort: "draft", cache: false, workers: 1 }';
    const [one] = await resultsOf(folder.config("d.mjs", { device: '"none"', compiler }));
    expect(one).toMatchObject({ status: "ok", spills: 0, effort: "draft" });
    expect(one.registers).toBeGreaterThan(0);
    expect(one).not.toHaveProperty("outputs");
  });
});

describe("programs", () => {
  const programs = [doubled(1), doubled(2), doubled(1)];
  const sums = [2, 3, 2].map((factor) => [multiplied(factor)]);
  const outputs = async (config: string) => (await resultsOf(config)).map((result) => result.outputs);

  it("are in a program file", async () => {
    writeFileSync(folder.path("p.mmptx"), Buffer.concat([...writeProgramFile(table, {}, programs)]));
    const config = folder.config("e.mjs", { sites: "{ func: stackSite(table) }", programs: '"p.mmptx"' });
    expect(await outputs(config)).toEqual(sums);
  });

  it("are texts for Stack PTX and for expressions", async () => {
    folder.lines(
      "stack.jsonl",
      programs.map((program) => disassemble(program, table)),
    );
    const stack = folder.config("f.mjs", { sites: "{ func: stackSite(table) }", programs: '"stack.jsonl"' });
    expect(await outputs(stack)).toEqual(sums);
    folder.lines("ast.jsonl", ["x + x", "3 * x", "x + x", "y"]);
    const before = 'import { table as ast } from "@mm-ptx/ast/f32";';
    const config = folder.config(
      "g.mjs",
      { sites: "{ func: astSite(ast) }", programs: '"ast.jsonl"' },
      before,
    );
    const results = await resultsOf(config);
    expect(results.slice(0, 3).map((result) => result.outputs)).toEqual(sums);
    expect(results[3].status).toBe("SYNTAX");
  });

  it("are in a kernel file, with the kernel and what fills its site", async () => {
    const { registers, requests } = siteJob(table, KERNEL.injection("func").operands);
    const job = { registers, requests: Array.from(requests) };
    const words = programs.map((program) => program.words);
    const bytes = writeKernelFile({
      ptx: KERNEL.text,
      stack: { table: table.fingerprint, jobs: [{ site: "func", job, programs: words }] },
    });
    writeFileSync(folder.path("kernel.mmk"), bytes);
    const config = folder.config("h.mjs", {
      kernel: '"kernel.mmk"',
      sites: "undefined",
      programs: "undefined",
      tables: "[table]",
    });
    expect(await outputs(config)).toEqual(sums);
    const other = folder.config("i.mjs", { sites: "{ func: stackSite(table) }", programs: '"kernel.mmk"' });
    expect(await outputs(other)).toEqual(sums);
  });

  it("are any iterable, of a function that returns the configuration", async () => {
    const iterable = `(async function* () { yield ${JSON.stringify(times(5))}; })()`;
    folder.config("j.mjs", { programs: iterable });
    folder.write("j.mjs", folder.read("j.mjs").replace("export default () =>", "export default async () =>"));
    expect(await outputs("j.mjs")).toEqual([[multiplied(5)]]);
  });

  it("are combined of a file for each site", async () => {
    folder.lines("inner.jsonl", [times(2), times(3)]);
    folder.lines("outer.jsonl", [plus(10), plus(20), plus(30)]);
    const fields = {
      ...{ kernel: '"two.ptx"', sites: "{ inner: textSite(), outer: textSite() }", combine: '"cross"' },
      programs: '{ inner: "inner.jsonl", outer: "outer.jsonl" }',
    };
    const expected = [2, 3].flatMap((factor) =>
      [10, 20, 30].map((term) => [multiplied(factor).map((x) => x + term)]),
    );
    expect(await outputs(folder.config("k.mjs", fields))).toEqual(expected);
    folder.lines("pairs.jsonl", [{ inner: times(2), outer: plus(10) }]);
    const pairs = { ...fields, programs: '"pairs.jsonl"', combine: '"pairwise"' };
    expect(await outputs(folder.config("l.mjs", pairs))).toEqual([expected[0]]);
  });

  it("of a kernel can be in annotated PTX", async () => {
    writeFileSync(folder.path("kernel.mma"), parsePtx(KERNEL.text).toBytes());
    expect((await resultsOf(folder.config("m.mjs", { kernel: '"kernel.mma"' })))[0].outputs).toEqual([
      multiplied(2),
    ]);
  });
});

describe("a GPU", () => {
  const fields = {
    device: '"cuda"',
    compiler: '{ arch: "sm_90", effort: "draft", cache: false, workers: 1 }',
  };

  it.runIf(HAS_FAKE_DRIVER)("runs the programs", async () => {
    using fake = new FakeDriver();
    const config = folder.config("gpu.mjs", fields);
    const { code, stdout, stderr } = await folder.run(["run", config, "--ordered"], {
      MM_PTX_DRIVER: fake.path,
    });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^4 results \(3 done, 1 failed/)]);
    // The fake driver computes nothing.
    expect(folder.results(stdout)[0]).toMatchObject({
      status: "ok",
      spills: 0,
      outputs: [[...X].map(() => 0)],
    });
    fake.expectClean();
  });

  it("may be missing", async () => {
    const config = folder.config("none.mjs", fields);
    const { code, stderr } = await folder.run(["run", config], { MM_PTX_DRIVER: "/nowhere/libcuda.so" });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^none\.mjs: error: .*driver/)]);
  });
});

it("a device that the configuration opened runs the programs, and is disposed", async () => {
  const before =
    'import { EmulatedDevice } from "@mm-ptx/emulator";\nconst device = EmulatedDevice.open({ memoryBytes: 2 ** 24 });';
  const [first] = await resultsOf(folder.config("open.mjs", { device: "device" }, before));
  expect(first.outputs).toEqual([multiplied(2)]);
});
