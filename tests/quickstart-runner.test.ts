// Running the quickstart's programs: the results by the reference, and the reports of wrong results and
// failing launches.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Job } from "../apps/quickstart/dist/job.js";
import type { Kernel } from "../apps/quickstart/dist/kernel.js";
import type { Pack, Run } from "../apps/quickstart/dist/options.js";
import { bitsOf, ReferenceMachine } from "../apps/quickstart/dist/reference.js";
import { findRunner, openEmulator, Runner } from "../apps/quickstart/dist/runner.js";
import { StubMaker } from "../apps/quickstart/dist/stubs.js";
import { parsePtx } from "../packages/inject/dist/index.js";
import { table } from "../packages/stack/dist/generated/default/index.js";
import { assemble, type StackProgram } from "../packages/stack/dist/index.js";
import { ROOT } from "./support/workspace.js";

const TEXT = readFileSync(join(ROOT, "apps/quickstart/kernel.ptx"), "utf8");

function kernelOf(text: string): Kernel {
  const annotated = parsePtx(text);
  return {
    annotated,
    site: annotated.injection("func"),
    render: (stub) => annotated.render({ func: stub }),
    target: "sm_75",
    ptxVersion: "9.0",
    entries: ["evaluate"],
    origin: "a test",
  };
}

const wanted = (run: Run) => ({ run, programs: 3, workers: 1, pack: "auto" }) as const;
const KERNEL = kernelOf(TEXT);
const stubs = new StubMaker(table, KERNEL.site);
const program = (text: string) => assemble(text.replaceAll("; ", "\n"), table);

describe("the reference", () => {
  const machine = new ReferenceMachine(table);
  const columns = (...values: number[]) => values.map((value) => Uint32Array.of(bitsOf(value)));

  it.each([
    ["input 1; input 2; sub.ftz.f32", 7 - 5],
    ["input 1; input 2; swap F32; sub.ftz.f32", 5 - 7],
    ["input 1; input 2; input 3; rotate F32; sub.ftz.f32", 7 - 5],
    ["input 1; input 2; input 3; fma.rn.f32", 11 * 7 + 5],
    ["input 1; dup F32; mul.f32", 25],
    ["add.f32; dup F32; swap F32; input 1; swap F32; rotate F32; add.f32", 5],
    ["const F32 -1; sqrt.approx.ftz.f32", Number.NaN],
    ["const F32 3; const F32 -1; sqrt.approx.ftz.f32; copysign.f32", 3],
  ])("computes %s", (text, expected) => {
    expect(machine.evaluate(program(text), columns(0, 5, 7, 11))).toEqual(Uint32Array.of(bitsOf(expected)));
  });

  it("keeps the sign of a NaN", () => {
    const negative = program("const F32 -1; sqrt.approx.ftz.f32; const F32 -2; copysign.f32");
    expect(machine.evaluate(negative, columns(0))).toEqual(Uint32Array.of(0xffffffff));
  });

  it("has no value if the stack is empty, and refuses instructions that are never drawn", () => {
    expect(machine.evaluate(program("add.f32"), [])).toBeUndefined();
    expect(() => machine.evaluate(program("special tid.x"), [])).toThrowError(
      expect.objectContaining({ code: "REFERENCE" }),
    );
    expect(() => machine.evaluate(program("reverse F32"), [])).toThrow("found `meta`");
  });
});

describe("a runner", () => {
  /** What comes of stubs that run in one pack, or each alone, beside the program that each should be of. */
  async function ran(pack: Pack, ...pairs: readonly (readonly [StackProgram, string])[]) {
    using runner = new Runner(openEmulator(1), KERNEL, table, pack);
    const jobs = pairs.map(([source, stub], index): Job => ({ index, source, program: "", stub, ran: {} }));
    await runner.run(jobs, new AbortController().signal);
    return jobs;
  }
  const [sum, difference] = [program("input 1; input 2; add.f32"), program("input 1; input 2; sub.f32")];

  it.each(["auto", "none"] as const)(
    "confirms that a program agrees with its reference, and reports where another does not (pack %s)",
    async (pack) => {
      const [right, wrong] = await ran(pack, [sum, stubs.make(sum)], [sum, stubs.make(difference)]);
      expect(right).toMatchObject({ ran: { ran: "emulator", agrees: true } });
      expect(right!.results).toHaveLength(50);
      expect(wrong!.ran.agrees).toBe(false);
      expect(wrong!.ran.difference).toMatch(
        /^expected \S+ \(0x[0-9a-f]{8}\) for \(\S+ \(0x[0-9a-f]{8}\), .*\), found \S+ \(0x[0-9a-f]{8}\)$/,
      );
    },
  );

  it.each(["auto", "none"] as const)(
    "continues after a launch that failed, and names its site (pack %s)",
    async (pack) => {
      const good = [sum, stubs.make(sum)] as const;
      const [first, second, third] = await ran(pack, good, [sum, "\ttrap;"], good);
      expect(second!.ran).toEqual({
        ran: "emulator",
        agrees: false,
        difference: expect.stringMatching(/trap.*\(injection `func`, stub line 1\)$/s),
      });
      for (const other of [first, third]) expect(other!.ran.agrees).toBe(true);
    },
  );

  it("has no results for a program that leaves them undefined", async () => {
    const none = program("add.f32");
    const [job] = await ran("auto", [none, stubs.make(none)]);
    expect(job!.ran.agrees).toBe(true);
    expect(job!.results).toBeUndefined();
  });

  it("is not available for a kernel with other parameters", () => {
    const other = kernelOf(
      TEXT.replaceAll(/\.param \.u32 (\w+_4)/g, ".param .u64 $1").replace("ld.param.u32", "ld.param.b32"),
    );
    expect(findRunner(wanted("auto"), other, table)).toMatchObject({
      runner: undefined,
      why: "the kernel's parameters are not an array for each operand and a count",
    });
  });

  it("is not available for a kernel that the emulator refuses, which is an error only if it was requested", () => {
    const broken = kernelOf(TEXT.replace("mad.lo.s32", "mad.hop.s32"));
    expect(findRunner(wanted("auto"), broken, table)).toMatchObject({
      runner: undefined,
      why: /mad.hop.s32/,
    });
    expect(() => findRunner(wanted("emulator"), broken, table)).toThrow("mad.hop.s32");
  });
});
