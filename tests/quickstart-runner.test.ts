// Running the quickstart's programs: the results by the reference, and the reports of wrong results and
// failing launches.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Kernel } from "../apps/quickstart/dist/kernel.js";
import { bitsOf, ReferenceMachine } from "../apps/quickstart/dist/reference.js";
import { findRunner, Runner } from "../apps/quickstart/dist/runner.js";
import { StubMaker } from "../apps/quickstart/dist/stubs.js";
import { EmulatedDevice } from "../packages/emulator/dist/index.js";
import { parsePtx } from "../packages/inject/dist/index.js";
import { table } from "../packages/stack/dist/generated/default/index.js";
import { assemble } from "../packages/stack/dist/index.js";
import { ROOT } from "./support/workspace.js";

const TEXT = readFileSync(join(ROOT, "apps/quickstart/kernel.ptx"), "utf8");

function kernelOf(text: string): Kernel {
  const annotated = parsePtx(text);
  return {
    text,
    site: annotated.injection("func"),
    fill: (stub) => annotated.fill({ func: stub }),
    render: (stub) => annotated.render({ func: stub }),
    target: "sm_75",
    ptxVersion: "9.0",
    entries: ["evaluate"],
    origin: "a test",
  };
}

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
  const open = () => EmulatedDevice.open();

  it("confirms that a program agrees with its reference, and reports where another does not", async () => {
    using runner = new Runner(open, KERNEL, table);
    const [sum, difference] = [program("input 1; input 2; add.f32"), program("input 1; input 2; sub.f32")];
    expect((await runner.run(sum, stubs.make(sum))).difference).toBeUndefined();
    expect((await runner.run(sum, stubs.make(difference))).difference).toMatch(
      /^expected \S+ \(0x[0-9a-f]{8}\) for \(\S+ \(0x[0-9a-f]{8}\), .*\), found \S+ \(0x[0-9a-f]{8}\)$/,
    );
  });

  it("continues after a launch that failed, and names its site", async () => {
    using runner = new Runner(open, KERNEL, table);
    const sum = program("input 1; input 2; add.f32");
    await expect(runner.run(sum, "\ttrap;")).rejects.toMatchObject({
      code: "TRAP",
      message: expect.stringContaining("(injection `func`, site 1, stub line 1)"),
    });
    expect((await runner.run(sum, stubs.make(sum))).difference).toBeUndefined();
  });

  it("is not available for a kernel with other parameters", () => {
    const other = kernelOf(
      TEXT.replaceAll(/\.param \.u32 (\w+_4)/g, ".param .u64 $1").replace("ld.param.u32", "ld.param.b32"),
    );
    expect(findRunner("auto", other, table)).toMatchObject({
      runner: undefined,
      why: "the kernel's parameters are not an array for each operand and a count",
    });
  });

  it("is not available for a kernel that the emulator refuses, which is an error only if it was requested", () => {
    const broken = kernelOf(TEXT.replace("mad.lo.s32", "mad.hop.s32"));
    expect(findRunner("auto", broken, table)).toMatchObject({ runner: undefined, why: /mad.hop.s32/ });
    expect(() => findRunner("emulator", broken, table)).toThrow("mad.hop.s32");
  });
});
