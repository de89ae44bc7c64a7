// The three forms of a kernel mean the same: with the same stubs they become the same instructions, byte for byte. And
// stubs that copy nothing leave what the compiler of the CUDA source wrote.

import { describe, expect, it } from "vitest";
import { sameMachineCode } from "../packages/cuda/dist/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import { assemble, BACKENDS, type Module } from "./support/assemble.js";
import { cases } from "./support/counts.js";
import { emptyStub, idleStub, randomStackStubs, type StubMaker, stubsFor } from "./support/kernel-stubs.js";
import { KERNELS, type Kernel, STYLES } from "./support/kernels.js";

const TARGETS = ["sm_80", "sm_90", "sm_120"];

/** A kernel's PTX in each style, with stubs of the same meaning. */
function styles(kernel: Kernel, what: string, makerFor: () => StubMaker): Module[] {
  return STYLES.map((style) => {
    const annotated = kernel.annotated(style);
    return {
      what: `${kernel.name}, ${style}, ${what}`,
      ptx: annotated.render(stubsFor(annotated, makerFor())),
    };
  });
}

/** Sections that differ, but for the tables of source lines: those tell the sources apart. */
const differing = (a: Uint8Array, b: Uint8Array): string[] =>
  sameMachineCode(a, b).filter((section) => !section.includes("debug_"));

describe.runIf(BACKENDS.length > 0).each(TARGETS)("the forms of each kernel, on %s,", (arch) => {
  it("are the same machine code with the same stubs", { timeout: 900_000 }, async () => {
    const seed = runSeed();
    const groups = KERNELS.flatMap((kernel) => [
      styles(kernel, "empty stub", () => emptyStub),
      styles(kernel, "idle stub", () => idleStub),
      ...Array.from({ length: cases(20) }, (_, n) =>
        styles(kernel, `program ${n}`, () => randomStackStubs((seed + n) >>> 0, kernel.target)),
      ),
    ]);
    const { cubins, failures } = await assemble(groups.flat(), arch, BACKENDS[0]!);
    expect(failures, `seed ${seed}`).toEqual([]);
    for (const [first, ...others] of groups) {
      for (const { what } of others) {
        const sections = differing(cubins.get(first!.what)!, cubins.get(what)!);
        expect(sections, `seed ${seed}: ${first!.what} and ${what}`).toEqual([]);
      }
    }
  });

  it("are what nvcc wrote when stubs are empty", { timeout: 900_000 }, async () => {
    // Markers are comments, so that is PTX as well. A site that only writes leaves a value that nobody set, and what the
    // compiler makes of that may differ.
    const kernels = KERNELS.filter(({ injections }) =>
      injections.every(({ operands }) => operands.every((operand) => !operand.startsWith("out "))),
    );
    expect(kernels.length).toBeGreaterThan(3);
    const pairs = kernels.flatMap((kernel) =>
      styles(kernel, "empty stub", () => emptyStub).map((rendered, index) => {
        const what = `${rendered.what}, unrendered`;
        return { rendered, written: { what, ptx: kernel.ptx(STYLES[index]!) } };
      }),
    );
    const modules = pairs.flatMap(({ rendered, written }) => [rendered, written]);
    const { cubins, failures } = await assemble(modules, arch, BACKENDS[0]!);
    expect(failures).toEqual([]);
    for (const { rendered, written } of pairs) {
      const sections = differing(cubins.get(rendered.what)!, cubins.get(written.what)!);
      expect(sections, rendered.what).toEqual([]);
    }
  });
});
