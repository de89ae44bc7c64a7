// The corpus of kernels itself: what nvcc makes of each source is the committed PTX, and that holds the injections, sites
// and operands that the kernel's list says.

import { writeFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { type AnnotatedPtx, annotateCuda, type Injection, parsePtx } from "../packages/inject/dist/index.js";
import { KERNEL_STYLES, KERNELS, type Kernel, misplaced, type Style } from "./support/kernels.js";
import { legacyCuda } from "./support/legacy-cuda.js";
import { HAS_NVCC, nvccPtx, toolVersion } from "./support/nvcc.js";

const UPDATE = process.env.UPDATE_GOLDENS === "1";

/** The CUDA that nvcc compiles. */
const CUDA: Record<Style, (kernel: Kernel) => string> = {
  macro: (kernel) => kernel.source("macro"),
  comment: (kernel) => annotateCuda(kernel.source("comment")).text,
  legacy: (kernel) => legacyCuda(kernel.source("comment")),
};

/** An injection as lists of expectations write it. The words for types are upper case in the macro only. */
const operandLines = ({ operands }: Injection): string[] =>
  operands.map(
    ({ direction, registerType, type, name }) => `${direction} ${registerType} ${type.toUpperCase()} ${name}`,
  );

/** Fails unless the PTX of a kernel holds the injections of its list. */
function checkInjections({ text, injections }: AnnotatedPtx, kernel: Kernel, style: Style): void {
  const found = injections.map((injection) => ({
    name: injection.name,
    sites: sitesByFunction(text, injection),
    // The order of 0.x is that of the lines, where 1.x has what is modified before what is written.
    operands: style === "legacy" ? operandLines(injection).toSorted() : operandLines(injection),
  }));
  const expected = kernel.injections.map(({ name, sites, operands }) => ({
    name,
    sites,
    operands: style === "legacy" ? operands.toSorted() : operands,
  }));
  expect(found).toEqual(expected);
  for (const { operands } of injections) {
    expect(operands.map(({ register }) => register)).toEqual(operands.map((_, index) => `_x${index}`));
  }
}

function sitesByFunction(text: string, { sites }: Injection): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { span } of sites) {
    const name = functionAt(text, span.start);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The name of the last function that begins before an offset. */
function functionAt(text: string, offset: number): string {
  const heads = [
    ...text.slice(0, offset).matchAll(/^(?:\.\w+ )*\.(?:entry|func)\s+(?:\([^)]*\) )?([\w$]+)\(/gm),
  ];
  return heads.at(-1)![1]!;
}

test("every file of the corpus belongs to a kernel, and every kernel is whole", () => {
  expect(KERNELS.length).toBeGreaterThan(0);
  expect(misplaced()).toEqual([]);
});

describe.runIf(HAS_NVCC)("nvcc", () => {
  it.concurrent.each(KERNEL_STYLES)(
    "makes the committed PTX of $name, $style",
    { timeout: 120_000 },
    async ({ kernel, style }) => {
      const ptx = await nvccPtx(kernel, style, CUDA[style](kernel));
      if (UPDATE) writeFileSync(kernel.ptxFile(style), ptx);
      const committed = kernel.ptx(style);
      // Another version writes other text, whose injections are still the same.
      if (toolVersion(ptx) === toolVersion(committed)) expect(ptx).toBe(committed);
      checkInjections(parsePtx(ptx), kernel, style);
    },
  );
});

it.each(KERNEL_STYLES)("the PTX of $name, $style, holds its injections", ({ kernel, style }) => {
  checkInjections(kernel.annotated(style), kernel, style);
});

it.each(KERNELS)("$name says what it shows in its first line", (kernel) => {
  for (const style of ["macro", "comment"] as const) expect(kernel.source(style)).toMatch(/^\/\/ [A-Z0-9]/);
});
