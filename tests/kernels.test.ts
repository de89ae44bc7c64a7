// The corpus of kernels itself: nvcc's output for each source is the committed PTX, which contains the
// injections, sites and operands of the kernel's list.

import { writeFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { AnnotatedPtx, annotateCuda, type Injection, parsePtx } from "../packages/inject/dist/index.js";
import { SOAK } from "./support/counts.js";
import { KERNEL_STYLES, KERNELS, type Kernel, misplaced, STYLES, type Style } from "./support/kernels.js";
import { HAS_NVCC, nvccPtx, toolVersion } from "./support/nvcc.js";

const UPDATE = process.env.UPDATE_GOLDENS === "1";

/** An injection in the form of the lists. Only the macro has type words in upper case. */
const operandLines = ({ operands }: Injection): string[] =>
  operands.map(
    ({ direction, registerType, type, name }) => `${direction} ${registerType} ${type.toUpperCase()} ${name}`,
  );

/** `.loc` has the columns of the generated asm statements; lines are promised, columns are not. */
const withoutColumns = (ptx: string): string => ptx.replaceAll(/^(\t\.loc\t\d+ \d+) \d+/gm, "$1");

/** The PTX without comments and source locations. */
const instructions = (ptx: string): string[] =>
  ptx.split("\n").filter((line) => !/^\s*(\/\/|\.loc\s|\.file\s)/.test(line));

/** Fails unless the PTX of a kernel contains the injections of its list. */
function checkInjections({ injections }: AnnotatedPtx, kernel: Kernel, style: Style): void {
  const found = injections.map((injection) => ({
    name: injection.name,
    sites: sitesByFunction(injection),
    // 0.x keeps the order of the lines, where 1.1 has modified operands before written ones.
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

function sitesByFunction({ sites }: Injection): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { functionName = "none" } of sites) counts[functionName] = (counts[functionName] ?? 0) + 1;
  return counts;
}

test("every file of the corpus belongs to a kernel, and every kernel is complete", () => {
  expect(KERNELS.length).toBeGreaterThan(0);
  expect(misplaced()).toEqual([]);
  for (const kernel of KERNELS) {
    // Each source begins with a comment on what the kernel shows.
    for (const style of ["macro", "comment"] as const) expect(kernel.source(style)).toMatch(/^\/\/ [A-Z0-9]/);
  }
});

/** The kernel that nvcc compiles in every style outside of a soak, and the others in one each, by turns. */
const IN_EVERY_STYLE = ["many-sites"];
const isWhole = (name: string): boolean => SOAK || UPDATE || IN_EVERY_STYLE.includes(name);

describe.runIf(HAS_NVCC)("nvcc", () => {
  it.concurrent.each(
    KERNEL_STYLES.filter(({ name, style }, index) => {
      const turn = Math.floor(index / STYLES.length) % STYLES.length;
      return style === STYLES[turn] || isWhole(name);
    }),
  )("writes the committed PTX of $name, $style", { timeout: 120_000 }, async ({ kernel, style }) => {
    const ptx = await nvccPtx(kernel, style);
    if (UPDATE) writeFileSync(kernel.ptxFile(style), ptx);
    const committed = kernel.ptx(style);
    // Another version writes other text, with the same injections.
    if (toolVersion(ptx) === toolVersion(committed)) {
      expect(withoutColumns(ptx)).toBe(withoutColumns(committed));
    }
    checkInjections(parsePtx(ptx), kernel, style);
  });

  it.concurrent.each(KERNELS.filter(({ name }) => isWhole(name)))(
    "writes the same PTX for $name with annotations turned into macros as with macros",
    { timeout: 120_000 },
    async (kernel) => {
      const { text: source } = annotateCuda(kernel.source("comment"), { mode: "macro" });
      const options = ["-include", "ptx_inject.h"];
      const ptx = await nvccPtx(kernel, "comment", { source, options });
      checkInjections(parsePtx(ptx), kernel, "comment");
      if (toolVersion(ptx) === toolVersion(kernel.ptx("macro"))) {
        expect(instructions(ptx)).toEqual(instructions(kernel.ptx("macro")));
      }
    },
  );
});

it.each(KERNEL_STYLES)("the PTX of $name, $style, contains its injections", ({ kernel, style }) => {
  checkInjections(kernel.annotated(style), kernel, style);
});

it.each(KERNEL_STYLES)(
  "each site of $name, $style, has the values that the kernel passes",
  ({ kernel, style }) => {
    for (const { operands, sites } of kernel.annotated(style).injections) {
      for (const { values } of sites) {
        for (const [index, { direction }] of operands.entries()) {
          const { movedIn, movedOut } = values[index]!;
          if (direction === "out") expect(movedIn).toBeUndefined();
          else expect(movedIn).toMatch(/^(%\w+|-?\d+|0f[0-9A-F]{8})$/);
          if (direction === "in") expect(movedOut).toBeUndefined();
          else expect(movedOut).toMatch(/^%\w+$/);
        }
      }
    }
  },
);

it.each(KERNEL_STYLES)("$name, $style, is restored from bytes", ({ kernel, style }) => {
  const annotated = kernel.annotated(style);
  const loaded = AnnotatedPtx.fromBytes(annotated.toBytes());
  checkInjections(loaded, kernel, style);
  const stubs = Object.fromEntries(annotated.injections.map(({ name }) => [name, `\t// ${name}`]));
  expect(loaded.render(stubs)).toBe(annotated.render(stubs));
  expect(loaded.fingerprint).toBe(annotated.fingerprint);
});
