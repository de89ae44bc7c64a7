// Every kernel of the corpus in every style, rendered with generated stubs, becomes machine code for three
// generations of GPUs, in the process and by ptxas: what the packages promise together.

import { describe, expect, it } from "vitest";
import type { BackendName } from "../packages/cuda/dist/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import { locateLine, renderText } from "../packages/types/dist/core/index.js";
import { assemble, BACKENDS, type Module } from "./support/assemble.js";
import { SOAK, smoke } from "./support/counts.js";
import {
  normalStub,
  randomAstStubs,
  randomStackStubs,
  type StubMaker,
  stubsFor,
} from "./support/kernel-stubs.js";
import { KERNEL_STYLES } from "./support/kernels.js";
import { TARGETS } from "./support/targets.js";

/** Programs per kernel: most for the default backend, and a few to show that the others accept the same. */
const countFor = (backend: BackendName): number => smoke(backend === BACKENDS[0] ? 20 : 10);
/** All backends contain the same compiler, so ten kernels suffice for the others except in a soak. */
const kernelsFor = (backend: BackendName) =>
  SOAK || backend === BACKENDS[0] ? KERNEL_STYLES : KERNEL_STYLES.slice(0, 10);

/** All kernels in all styles. @param makerFor returns the stubs for a target of the PTX */
function rendered(what: string, makerFor: (target: string) => StubMaker, kernels = KERNEL_STYLES): Module[] {
  return kernels.map(({ name, style, kernel }) => {
    const annotated = kernel.annotated(style);
    const ptx = annotated.render(stubsFor(annotated, makerFor(kernel.target)));
    return { what: `${name}, ${style}, ${what}`, ptx };
  });
}

describe.each(BACKENDS)("with the backend %s, kernels", (backend) => {
  it.each(TARGETS)("with random programs assemble for %s", { timeout: 900_000 }, async (arch) => {
    const seed = runSeed();
    const kernels = kernelsFor(backend);
    const modules = Array.from({ length: countFor(backend) }, (_, n) => [
      ...rendered(`Stack PTX program ${n}`, (target) => randomStackStubs((seed + n) >>> 0, target), kernels),
      ...rendered(`AST PTX program ${n}`, () => randomAstStubs((seed + n) >>> 0), kernels),
    ]);
    const { failures } = await assemble(modules.flat(), arch, backend);
    expect(failures, `seed ${seed}`).toEqual([]);
  });

  it.each(TARGETS)("with a Philox state draw normal numbers on %s", async (arch) => {
    const withState = KERNEL_STYLES.filter(({ kernel }) =>
      kernel.injections.some(({ operands }) => operands.some((operand) => operand.includes(" PHILOX "))),
    );
    expect(withState).not.toEqual([]);
    const modules = rendered("a normal number", () => normalStub, withState);
    const { failures } = await assemble(modules, arch, backend);
    expect(failures).toEqual([]);
  });
});

it("random programs write most of their outputs", () => {
  // A seed gives all kernels the same program, and some programs write little.
  const seed = runSeed();
  let asked = 0;
  let written = 0;
  for (let n = 0; n < 10; n++) {
    for (const { kernel, style } of KERNEL_STYLES) {
      const annotated = kernel.annotated(style);
      const stubs = stubsFor(annotated, randomStackStubs((seed + n) >>> 0, kernel.target));
      for (const { name, operands } of annotated.injections) {
        const registers = operands
          .filter(({ direction }) => direction !== "in")
          .map(({ register }) => register);
        asked += registers.length;
        written += registers.filter((register) => stubs[name]!.includes(` %${register}, %_s`)).length;
      }
    }
  }
  // Otherwise the test would mean little.
  expect(written / asked, `seed ${seed}`).toBeGreaterThan(0.5);
});

it.each(KERNEL_STYLES)("the lines of $name, $style, rendered, have their origins", ({ kernel, style }) => {
  const seed = runSeed();
  const annotated = kernel.annotated(style);
  const kernelLines = annotated.text.split("\n");
  for (const make of [randomStackStubs(seed, kernel.target), randomAstStubs(seed)]) {
    const stubs = stubsFor(annotated, make);
    const filled = annotated.fill(stubs);
    expect(renderText(filled)).toBe(annotated.render(stubs));
    // Programs leave an output unwritten if they end on too few values; they cause no other warnings.
    const warnings = annotated.warnings(filled);
    expect(warnings.filter(({ code }) => code !== "UNWRITTEN_OUTPUT")).toEqual([]);

    const places = renderText(filled)
      .split("\n")
      .map((line, index) => {
        const place = locateLine(filled, index + 1)!;
        const from = place.kind === "stub" ? stubs[place.injection]!.split("\n") : kernelLines;
        const number = place.kind === "stub" ? place.stubLine : place.kernelLine;
        const written = from[number - 1]!;
        // The moves around a site of 0.x have the line of the site.
        const isAdded = style === "legacy" && place.kind === "kernel" && written.includes("PTX_INJECT_START");
        if (!isAdded) expect(written, `seed ${seed}`).toBe(line);
        return place;
      });
    const stubLines = annotated.injections.reduce(
      (sum, { name, sites }) => sum + sites.length * stubs[name]!.split("\n").length,
      0,
    );
    expect(places.filter(({ kind }) => kind === "stub")).toHaveLength(stubLines);
  }
});
