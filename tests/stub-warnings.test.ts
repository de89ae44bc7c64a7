// The only warning about stubs that the compilers generate for the corpus of kernels is that an output is not
// written.
import { expect, test } from "vitest";
import {
  idleStub,
  randomAstStubs,
  randomStackStubs,
  type StubMaker,
  stubsFor,
} from "./support/kernel-stubs.js";
import { KERNEL_STYLES } from "./support/kernels.js";

test.each(KERNEL_STYLES)("of $name, $style", ({ kernel, style }) => {
  const annotated = kernel.annotated(style);
  const makers: readonly StubMaker[] = [randomStackStubs(1, kernel.target), randomAstStubs(1), idleStub];
  for (const make of makers) {
    const warnings = annotated.warnings(stubsFor(annotated, make));
    expect(warnings.filter(({ code }) => code !== "UNWRITTEN_OUTPUT")).toEqual([]);
  }
  // A register of the kernel is declared at every site.
  const warnings = annotated.warnings(stubsFor(annotated, () => "mov.b32 %r1, %r1; mov.b32 %nobody, 0;"));
  const told = warnings.filter(({ code }) => code !== "UNWRITTEN_OUTPUT").map(({ code }) => code);
  expect(told).toEqual(annotated.injections.flatMap(() => ["KERNEL_REGISTER", "UNDECLARED"]));
});
