// What reaches an archive must not depend on the engine: sources use no functions that engines round differently, and no clocks.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles, ROOT } from "../../../scripts/lib/workspace.mjs";

/** Folders whose results reach no archive, and problems, whose rows are data. */
const ELSEWHERE = /^packages\/search\/src\/(cli|lesson|node|pictures|yardsticks)\//;
/** Files that may look at the clock: how long a run takes is not part of what it finds. */
const TIMED = /\/(search\/run|simplify\/[\w-]+)\.ts$/;

const FILES = listFiles(ROOT, "packages/search/src", (file) => file.endsWith(".ts") && !ELSEWHERE.test(file));

/** Square roots, products and the like are the same everywhere; so are powers of 2. */
const ROUNDED =
  /\bMath\.(a?(cos|sin|tan)h?|atan2|cbrt|exp|expm1|hypot|log|log1p|log2|log10|pow|random)\b|(?<!\b2) \*\* /;
const CLOCK = /\bperformance\.now\b|\bDate\b/;

const codeOf = (file: string) =>
  readFileSync(join(ROOT, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, "");

describe("sources whose results reach archives", () => {
  it("are found", () => {
    expect(FILES.some((file) => file.endsWith("src/emitters/cma-es.ts"))).toBe(true);
    expect(ROUNDED.test("Math.exp(x)") && ROUNDED.test("x ** 2") && CLOCK.test("performance.now()")).toBe(
      true,
    );
    expect(ROUNDED.test("2 ** 24 + Math.sqrt(x) + Math.expected")).toBe(false);
  });

  it("use only exact functions, and no clock", () => {
    const found = FILES.flatMap((file) => {
      const code = codeOf(file);
      const [rounded] = ROUNDED.exec(code) ?? [];
      const [clock] = TIMED.test(file) ? [] : (CLOCK.exec(code) ?? []);
      return [rounded, clock].flatMap((each) => (each === undefined ? [] : [`${file}: ${each}`]));
    });
    expect(found).toEqual([]);
  });
});
