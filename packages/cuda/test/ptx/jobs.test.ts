// Forms of jobs: text, bytes, a template with stubs; for one architecture or several; with priorities.

import type { PtxTemplate } from "@mm-ptx/types/core";
import { describe, expect, test } from "vitest";
import { diffMachineCode, PtxCompileError, PtxCompiler, type PtxJob, readCubin } from "../../src/index.js";
import { resolveJob } from "../../src/ptx/job.js";
import { BACKENDS } from "../support/backends.js";
import { module, slowModule } from "../support/ptx.js";

const PTX = module();
const ADD = "\tadd.f32 \t%f2, %f1, %f1;\n";
const [BEFORE, AFTER] = PTX.split(ADD) as [string, string];
const LINES = BEFORE.split("\n").length;
/** The module with a hole where it adds, and the same hole once more. */
const TEMPLATE: PtxTemplate = {
  names: ["second", "first"],
  segments: [BEFORE, "", AFTER],
  holes: [1, 0],
  lines: [
    { kernelLine: 1, lines: LINES - 1, head: 0, tail: 0 },
    { kernelLine: LINES, lines: 0, head: 0, tail: 0 },
    { kernelLine: LINES, lines: AFTER.split("\n").length - 1, head: 0, tail: 0 },
  ],
};

describe("an invalid template is rejected", () => {
  const { lines } = TEMPLATE;
  test.each<[string, object, string]>([
    ["no names", { names: undefined }, "`template.names`: expected an array"],
    ["a number as a name", { names: ["second", 5] }, "`template.names[1]`: expected a name"],
    ["a name twice", { names: ["first", "first"] }, "`template.names[1]`: expected a name that no other"],
    [
      "a segment that is not text",
      { segments: [BEFORE, {}, AFTER] },
      "`template.segments[1]`: expected a string",
    ],
    ["a segment too few", { segments: [BEFORE, AFTER] }, "`template.segments.length`: expected 3"],
    ["a hole of no injection", { holes: [1, 2] }, "`template.holes[1]`: expected a whole number from 0 to 1"],
    ["a hole before the first", { holes: [-1, 0] }, "`template.holes[0]`"],
    ["not a number", { holes: [1, Number.NaN] }, "`template.holes[1]`"],
    ["half a hole", { holes: [0.5, 1] }, "`template.holes[0]`"],
    ["a hole as text", { holes: ["0", 1] }, "`template.holes[0]`"],
    ["a hole beyond 32 bits", { holes: [2 ** 32, 1] }, "`template.holes[0]`"],
    ["a gap in the holes", { holes: Object.assign([1], { length: 2 }) }, "`template.holes[1]`"],
    ["no lines", { lines: undefined }, "`template.lines`: expected an array"],
    ["lines too few", { lines: lines.slice(1) }, "`template.lines[0]`: expected the lines of its segment"],
    ["lines at the end too few", { lines: lines.slice(0, 2) }, "`template.lines.length`: expected 3"],
    ["lines too many", { lines: [...lines, lines[1]] }, "`template.lines[3]`"],
    ["lines of something else", { lines: [{ first: 1 }, lines[1], lines[2]] }, "`template.lines[0]`"],
    [
      "more around than there is",
      { lines: [lines[0], { ...lines[1], head: 1 }, lines[2]] },
      "`template.lines[1]`",
    ],
  ])("%s", (_, change, message) => {
    const job = { template: { ...TEMPLATE, ...change }, stubs: { first: "", second: "" } };
    expect(() => resolveJob(job)).toThrow(PtxCompileError);
    expect(() => resolveJob(job)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    expect(() => resolveJob(job)).toThrow(message);
  });

  test("and a valid one is frozen, so that data derived from it cannot become stale", () => {
    const template = structuredClone(TEMPLATE);
    resolveJob({ template, stubs: { first: "", second: "" } });
    const { names, segments, holes, lines } = template;
    for (const part of [template, names, segments, holes, lines, ...lines])
      expect(Object.isFrozen(part)).toBe(true);
    expect(() => resolveJob({ template, stubs: { first: "", second: "" } })).not.toThrow();
  });
});

test("a job that throws when it is read fails alone", async () => {
  using compiler = new PtxCompiler({ cache: false, arch: "sm_80" });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = (thrown: unknown): PtxJob => ({
    get ptx(): string {
      throw thrown;
    },
  });
  const bad = [null, undefined, "text", Symbol("mark"), proxy, new RangeError("far")].map(throwing);
  const results = await compiler.compileAll([PTX, ...bad, proxy as PtxJob, PTX]);
  expect(results.map((result) => (result.ok ? "ok" : result.error.code))).toEqual([
    "ok",
    ...bad.map(() => "INTERNAL"),
    "INTERNAL",
    "ok",
  ]);
  const errors = results.flatMap((result) => (result.ok ? [] : [result.error]));
  expect(errors[0]!.message).toBe("null");
  expect(errors[5]).toMatchObject({ message: "far", cause: expect.any(RangeError) });
});

describe.each(BACKENDS)("backend %s", (backend) => {
  const failure = (compile: Promise<unknown>) => compile.catch((error: unknown) => error as PtxCompileError);

  test("a template compiles to the same cubin as its rendering", async () => {
    using compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend });
    for (const [first, second] of [
      ["", ADD],
      [ADD, ""],
      [ADD, "\tmul.f32 %f2, %f2, %f1;\n"],
    ] as const) {
      const filled = await compiler.compile({ template: TEMPLATE, stubs: { first, second } });
      const inMap = await compiler.compile({
        template: TEMPLATE,
        stubs: new Map([
          ["first", first],
          ["second", second],
        ]),
      });
      const text = await compiler.compile(BEFORE + first + second + AFTER);
      expect(diffMachineCode(filled.cubin, text.cubin)).toEqual([]);
      expect(diffMachineCode(inMap.cubin, text.cubin)).toEqual([]);
    }
  });

  test("an error in a stub is traced to the stub's line", async () => {
    using compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend });
    const second = `${ADD}\tadd.f32 %f2, %nosuch, %f1;\n`;
    const error = await failure(compiler.compile({ template: TEMPLATE, stubs: { first: ADD, second } }));
    expect(error).toMatchObject({
      code: "SEMANTIC",
      message: expect.stringContaining("injection `second`, site 1, stub line 2: "),
    });
    const origin = { kind: "stub", injection: "second", site: 0, stubLine: 2, kernelLine: LINES };
    expect((error as PtxCompileError).diagnostics[0]?.origin).toEqual(origin);
  });

  test("a job may have several architectures", async () => {
    using compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend });
    const result = await compiler.compile({ ptx: PTX, arch: ["sm_90", "sm_120", "sm_75"] });
    expect(result.modules.map(({ arch, cubin }) => [arch, readCubin(cubin).arch])).toEqual([
      ["sm_90", "sm_90"],
      ["sm_120", "sm_120"],
      ["sm_75", "sm_75"],
    ]);
    expect(result.cubin).toBe(result.modules[0]!.cubin);
    const one = await compiler.compile({ ptx: PTX, arch: "sm_75" });
    expect(one.modules).toHaveLength(1);
    expect(diffMachineCode(one.cubin, result.modules[2]!.cubin)).toEqual([]);
    expect((await compiler.compile(PTX)).arch).toBe("sm_80");
    const high = PTX.replace("sm_75", "sm_90").replace("7.5", "8.0");
    const error = await failure(compiler.compile({ ptx: high, arch: ["sm_90", "sm_80"] }));
    expect(error).toMatchObject({ code: "TARGET_TOO_LOW", options: { arch: "sm_80" } });
  });

  test("a job may have other properties", async () => {
    using compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend });
    expect((await compiler.compile({ ptx: PTX, index: 3, generation: 7 } as PtxJob)).arch).toBe("sm_80");
  });

  test("a higher priority starts first", async () => {
    using compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend, workers: 1 });
    const order: string[] = [];
    const blocking = compiler.compile(slowModule(100));
    const names = ["low", "first", "second", "high"];
    const priorities = [-1, 0, 0, 7];
    await Promise.all(
      names.map(async (name, i) => {
        await compiler.compile({ ptx: module(name), priority: priorities[i]! });
        order.push(name);
      }),
    );
    await blocking;
    expect(order).toEqual(["high", "first", "second", "low"]);
  });

  test("a job may have its own signal and timeout", async () => {
    using compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend });
    const controller = new AbortController();
    const results = compiler.compileAll([
      { ptx: slowModule(4000), signal: controller.signal },
      module("a"),
      { ptx: slowModule(4000), timeoutMs: 60 },
      { ptx: module("b"), signal: AbortSignal.abort() },
    ]);
    setTimeout(() => controller.abort(), 200);
    expect((await results).map((result) => (result.ok ? "ok" : result.error.code))).toEqual([
      "ABORTED",
      "ok",
      "TIMEOUT",
      "ABORTED",
    ]);
  });

  test.each<[string, unknown, string]>([
    [
      "a misspelt option",
      { ptx: PTX, prioritty: 1 },
      "unknown option `prioritty` of a job, did you mean `priority`?",
    ],
    ["PTX under another name", { PTX }, "unknown option `PTX` of a job, did you mean `ptx`?"],
    ["half a priority", { ptx: PTX, priority: 0.5 }, "option `priority`: expected a whole number"],
    ["no architecture", { ptx: PTX, arch: [] }, "option `arch`: expected at least one architecture"],
    ["null as a template", { template: null, stubs: {} }, "`template`: expected a template"],
    ["one twice", { ptx: PTX, arch: ["sm_80", "sm_80"] }, "expected each architecture once"],
    ["an unknown one", { ptx: PTX, arch: ["sm_8"] }, "found `sm_8`"],
    ["no template", { template: {}, stubs: {} }, "`template.names`: expected an array"],
    ["no stubs", { template: TEMPLATE }, "`stubs`: expected stubs by the names of injections"],
    ["a stub too few", { template: TEMPLATE, stubs: { first: "" } }, "`stubs.second`: expected PTX text"],
    [
      "a stub too many",
      { template: TEMPLATE, stubs: { first: "", second: "", third: "" } },
      "`stubs.third`: expected the name of an injection",
    ],
  ])("%s is an error", async (_, job, message) => {
    using compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend });
    const error = await failure(compiler.compile(job as PtxJob));
    expect(error).toBeInstanceOf(PtxCompileError);
    expect((error as PtxCompileError).message).toContain(message);
  });
});
