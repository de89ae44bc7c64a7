// The course of searches and the use of their operators.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import {
  historyCurves,
  operatorCredit,
  type PictureRates,
  type SearchHistory,
} from "../../src/pictures/index.js";
import { history, rates } from "./support/made.js";
import { expectPicture, expectReadable, textsOf, titlesOf } from "./support/svg.js";

const wordsOf = (svg: string): string[] => textsOf(svg).map(({ words }) => words);
const numbers = (length: number) =>
  fc.array(fc.oneof(fc.double(), fc.double({ min: 0, max: 1e6 })), { minLength: length, maxLength: length });

const parts = (length: number) =>
  fc.array(fc.double({ min: 0, max: 1 }), { minLength: length, maxLength: length });
const times = (length: number) =>
  fc
    .array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: length, maxLength: length })
    .map((all) => all.sort((a, b) => a - b));

describe("the course of a search", () => {
  it("has a row for each figure, over evaluations and over seconds", () => {
    const words = wordsOf(historyCurves(history(50), { value: { negated: true, scale: "log", unit: "K" } }));
    const count = (word: string) => words.filter((each) => each === word).length;
    const titles = ["QD score", "Coverage (%)", "Best error (K), log scale", "evaluations", "seconds"];
    expect(titles.map(count)).toEqual([2, 2, 2, 3, 3]);
    expect(words).toContain("51,200 evaluations; 25.1 s; QD score 980; coverage 78.4 %; best error (K) 4e-4");
    expect(["980", "78.4 %", "4e-4"].map(count)).toEqual([2, 2, 2]);
  });

  it("counts long runs in minutes and hours", () => {
    const over = (seconds: number) =>
      wordsOf(historyCurves({ evaluations: [1, 2], seconds: [1, seconds], best: [1, 2] }));
    expect(over(3600)).toContain("minutes");
    expect(over(36_000)).toContain("hours");
  });

  it("leaves out what a history does not have, such as the coverage of archives without cells", () => {
    const words = wordsOf(
      historyCurves({ evaluations: [1, 2], coverage: [Number.NaN, Number.NaN], best: [Number.NaN, 3] }),
    );
    expect(words).toContain("Best objective");
    expect(words.join()).not.toMatch(/Coverage|QD|seconds/);
  });

  it("needs few points for many batches, and keeps peaks", () => {
    const count = 100_000;
    const peaks = Float64Array.from({ length: count }, (_, i) => (i === 54_321 ? 7 : 0));
    const svg = historyCurves({ evaluations: peaks.map((_, i) => i), qdScore: peaks });
    expect(svg.length).toBeLessThan(80_000);
    const curve = /<path d="(M[^"]*)"/.exec(svg)![1]!;
    const heights = [...curve.matchAll(/L[\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
    const [least, ...others] = [...new Set(heights)].sort((a, b) => a - b);
    expect([heights.filter((y) => y === least).length, others.length]).toEqual([1, 1]);
  });

  it("is well-formed and readable whatever the numbers are", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 0, max: 12 })
          .chain((n) => fc.tuple(times(n), times(n), numbers(n), parts(n), numbers(n))),
        fc.constantFrom("linear" as const, "log" as const),
        ([evaluations, seconds, qdScore, coverage, best], scale) => {
          const one: SearchHistory = { evaluations, seconds, qdScore, coverage, best };
          for (const given of [one, [one, { ...one, name: "<b>" }]]) {
            const svg = historyCurves(given, { value: { scale } });
            expectPicture(svg);
            expectReadable(svg);
          }
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it("refuses wrong arguments", () => {
    const wrong =
      (given: unknown, options = {}) =>
      () =>
        historyCurves(given as SearchHistory, options);
    expect(wrong(null)).toThrow("expected an object as history 0, found null");
    expect(wrong({})).toThrow("expected numbers as `evaluations` of history 0, found undefined");
    expect(wrong({ evaluations: [1], best: [] })).toThrow("expected 1 numbers as `best` of history 0");
    expect(wrong({ evaluations: [1, -1] })).toThrow(
      "expected numbers from 0 on as `evaluations` of history 0, found -1",
    );
    expect(wrong({ evaluations: [1], coverage: [2] })).toThrow(
      "from 0 to 1 as `coverage` of history 0, found 2",
    );
    expect(wrong({ evaluations: [1], name: 4 })).toThrow(
      "expected a string as the name of history 0, found 4",
    );
    expect(wrong(history(2), { theme: "black" })).toThrow("option `theme`: expected `auto`, `light`, `dark`");
  });
});

describe("the use of operators", () => {
  it("is shown as areas if the rates are parts of a whole, else as lines", () => {
    const given = rates(["umad", "swap"], 5);
    expect(
      titlesOf(operatorCredit(given)).filter((title) => / at first, .* at last$/.test(title)),
    ).toHaveLength(2);
    const half = { ...given, rates: Array.from(given.rates, (rate) => rate / 2) };
    expect(titlesOf(operatorCredit(half))).toEqual(["umad", "swap"]);
  });

  it("sums up the operators that are used least where there are many", () => {
    const names = Array.from({ length: 14 }, (_, i) => `o${i}`);
    const words = wordsOf(operatorCredit(rates(names, 9))).join();
    expect(words).toMatch(/5 others \d+\.\d %/);
  });

  it("is well-formed and readable whatever the numbers are", () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 13 })).chain(([count, width]) =>
          fc.tuple(
            times(count),
            fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
              minLength: count * width,
              maxLength: count * width,
            }),
            fc.constant(width),
          ),
        ),
        fc.boolean(),
        ([candidates, all, width], stacked) => {
          const operators = Array.from({ length: width }, (_, i) => `operator ${i} & <more>`);
          const svg = operatorCredit({ operators, candidates, rates: all }, { stacked });
          expectPicture(svg);
          expectReadable(svg);
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it("refuses wrong arguments", () => {
    const wrong = (given: unknown) => () => operatorCredit(given as PictureRates);
    expect(wrong({ operators: ["a"], candidates: [1], rates: [] })).toThrow("expected 1 numbers as `rates`");
    expect(wrong({ operators: ["a"], candidates: [1], rates: [Number.NaN] })).toThrow(
      "expected numbers from 0 to 1 as `rates`, found NaN",
    );
    expect(wrong({ operators: [1], candidates: [1], rates: [1] })).toThrow("expected names as `operators`");
    expect(wrong(undefined)).toThrow("expected rates over time, found undefined");
  });
});
