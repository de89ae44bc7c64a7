// The three forms of a kernel are equivalent: with the same stubs they become the same instructions, byte for
// byte. With empty stubs, they become the instructions that nvcc generates for the CUDA source.

import { describe, expect, it } from "vitest";
import { diffMachineCode } from "../packages/cuda/dist/index.js";
import { type AnnotatedPtx, parsePtx } from "../packages/inject/dist/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import { assemble, BACKENDS, type Module } from "./support/assemble.js";
import { cases } from "./support/counts.js";
import { emptyStub, idleStub, randomStackStubs, type StubMaker, stubsFor } from "./support/kernel-stubs.js";
import { KERNELS, type Kernel, STYLES } from "./support/kernels.js";
import { HAS_NVCC, nvccPtx } from "./support/nvcc.js";
import { TARGETS } from "./support/targets.js";

/** PTX in each style with stubs of the same meaning. */
function rendered(
  texts: readonly AnnotatedPtx[],
  what: string,
  makerFor: () => StubMaker,
): readonly Module[] {
  return texts.map((annotated, index) => ({
    what: `${what}, ${STYLES[index]}`,
    ptx: annotated.render(stubsFor(annotated, makerFor())),
  }));
}

/** The committed PTX of a kernel. */
const styles = (kernel: Kernel): AnnotatedPtx[] => STYLES.map((style) => kernel.annotated(style));

/** Modules of a group whose instructions differ from those of the first, in words. */
async function differences(groups: readonly (readonly Module[])[], arch: string): Promise<string[]> {
  const { cubins, failures } = await assemble(groups.flat(), arch, BACKENDS[0]!);
  if (failures.length > 0) return [...failures];
  return groups.flatMap(([first, ...others]) =>
    others.flatMap(({ what }) =>
      diffMachineCode(cubins.get(first!.what)!, cubins.get(what)!)
        // Tables of source lines would make the sources distinguishable.
        .filter((section) => !section.includes("debug_"))
        .map((section) => `${first!.what} and ${what}: ${section}`),
    ),
  );
}

describe.runIf(BACKENDS.length > 0).each(TARGETS)("the forms of each kernel, on %s,", (arch) => {
  it("are the same machine code with the same stubs", { timeout: 900_000 }, async () => {
    const seed = runSeed();
    const groups = KERNELS.flatMap((kernel) => [
      rendered(styles(kernel), `${kernel.name}, empty stub`, () => emptyStub),
      rendered(styles(kernel), `${kernel.name}, idle stub`, () => idleStub),
      ...Array.from({ length: cases(20) }, (_, n) =>
        rendered(styles(kernel), `${kernel.name}, program ${n}`, () =>
          randomStackStubs((seed + n) >>> 0, kernel.target),
        ),
      ),
    ]);
    expect(await differences(groups, arch), `seed ${seed}`).toEqual([]);
  });

  it("are nvcc's machine code with empty stubs", { timeout: 900_000 }, async () => {
    // Markers are comments, so the unfilled text is PTX as well. A site that only writes leaves its value
    // undefined, for which the compiler may generate different code.
    const kernels = KERNELS.filter(({ injections }) =>
      injections.every(({ operands }) => operands.every((operand) => !operand.startsWith("out "))),
    );
    expect(kernels.length).toBeGreaterThan(3);
    const groups = kernels.flatMap((kernel) =>
      rendered(styles(kernel), kernel.name, () => emptyStub).map((module, index) => [
        module,
        { what: `${module.what}, as nvcc wrote it`, ptx: kernel.ptx(STYLES[index]!) },
      ]),
    );
    expect(await differences(groups, arch)).toEqual([]);
  });
});

// From compute_100 on, another generation of nvcc's compiler writes the PTX, in which floats have untyped
// registers.
describe.runIf(BACKENDS.length > 0 && HAS_NVCC)(
  "the forms of a kernel that nvcc compiles for new GPUs",
  () => {
    it.each(KERNELS.slice(0, cases(KERNELS.length)))(
      "$name: are the same machine code with the same stubs",
      { timeout: 120_000 },
      async (kernel) => {
        const seed = runSeed();
        const texts = await Promise.all(
          STYLES.map(async (style) => parsePtx(await nvccPtx(kernel, style, { arch: "compute_120" }))),
        );
        const group = rendered(texts, kernel.name, () => randomStackStubs(seed, "sm_120"));
        expect(await differences([group], "sm_120"), `seed ${seed}`).toEqual([]);
      },
    );
  },
);
