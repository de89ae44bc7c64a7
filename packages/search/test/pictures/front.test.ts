// Pareto fronts: which elites are on them, and that labels have room.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { byKnees, frontOf } from "../../src/pictures/front.js";
import { type FrontOptions, paretoFront } from "../../src/pictures/index.js";
import { valuesOf } from "../../src/pictures/shown-value.js";
import { rowsOf, scattered } from "./support/made.js";
import { expectPicture, expectReadable, textsOf, titlesOf } from "./support/svg.js";

const ERROR = { negated: true, scale: "log" } as const;
const equations = [
  [1, 0.4],
  [3, 0.09],
  [3, 0.2],
  [5, 0.05],
  [6, 1e-3],
  [7, 0.5],
  [9, 2e-5],
] as const;
const rows = rowsOf(
  equations.map(([cost, error], cell) => ({
    cell,
    objective: -error,
    measures: [cost],
    fields: { registers: 10 - cost },
  })),
);

describe("a front", () => {
  it("has the elites that no other one beats", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), { maxLength: 30 }),
        fc.boolean(),
        (points, negated) => {
          const given = rowsOf(
            points.map(([cost, objective], cell) => ({ cell, objective, measures: [cost] })),
          );
          const values = valuesOf(given, { negated });
          const costOf = (elite: number) => points[elite]![0];
          const front = frontOf(points.length, costOf, values);
          const beats = (a: number, b: number) =>
            costOf(a) <= costOf(b) &&
            !values.isBetter(values.at(b), values.at(a)) &&
            (costOf(a) < costOf(b) || values.isBetter(values.at(a), values.at(b)));
          const best = points
            .map((_, elite) => elite)
            .filter((elite) => points.every((_, other) => !beats(other, elite)));
          const key = (elite: number) => points[elite]!.join();
          expect(front.map(key)).toEqual(
            [...new Set(best.map(key))].sort((a, b) => Number(a.split(",")[0]) - Number(b.split(",")[0])),
          );
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it("labels the best elite and the greatest steps first", () => {
    const front = [0, 1, 3, 4, 6];
    const costOf = (elite: number) => equations[elite]![0];
    const knees = byKnees(front, costOf, (elite) => Math.log10(equations[elite]![1]), 0);
    expect(knees).toEqual([6, 4, 1, 3, 0]);
    expect(byKnees(front, costOf, (elite) => Math.log10(equations[elite]![1]), 0.3)).toEqual([6, 4, 1, 0]);
    const words = (labels: number) =>
      textsOf(paretoFront(rows, { value: ERROR, texts: equations.map((_, i) => `formula ${i}`), labels }))
        .map((text) => text.words)
        .filter((word) => word.startsWith("formula"));
    expect(words(2).sort()).toEqual(["formula 4", "formula 6"]);
    expect(words(8).sort()).toEqual(["formula 0", "formula 1", "formula 3", "formula 4", "formula 6"]);
    expect(words(0)).toEqual([]);
  });

  it("has what a point is in its text for the pointer", () => {
    const titles = titlesOf(
      paretoFront(rows, { value: ERROR, cost: { field: "registers", unit: "32 bits" }, texts: ["x < y"] }),
    );
    expect(titles).toContain("registers (32 bits) 9, error 0.4\nx &lt; y");
    expect(titlesOf(paretoFront(rows, { marks: [{ label: "theirs", cost: 4, value: -0.1 }] }))).toContain(
      "theirs: objective -0.1",
    );
  });

  it("shows a part of many elites", () => {
    const many = scattered([100, 100], 1);
    const svg = paretoFront(rowsOf(many), { cost: { measure: 1 } });
    expectPicture(svg);
    expect([...svg.matchAll(/<circle /g)].length).toBeLessThan(1200);
    expect(
      textsOf(svg)
        .map(({ words }) => words)
        .join(),
    ).toMatch(/1,000 of 9,\d\d\d others/);
  });

  it("has labels that do not meet, whatever the elites are", () => {
    const value = fc.oneof(fc.double(), fc.double({ min: 1e-6, max: 1, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.double()), value), { maxLength: 40 }),
        fc.array(fc.tuple(fc.double({ min: 0, max: 30, noNaN: true }), value.filter(Number.isFinite)), {
          maxLength: 3,
        }),
        fc.record({ scale: fc.constantFrom("linear" as const, "log" as const), negated: fc.boolean() }),
        (points, marks, value) => {
          const given = rowsOf(
            points.map(([cost, objective], cell) => ({ cell, objective, measures: [cost] })),
          );
          const options: FrontOptions = {
            ...{ value, texts: points.map((_, i) => "x * (y + ".repeat(i % 9) + i) },
            marks: marks.map(([cost, value], i) => ({ label: `mark ${i}`, cost, value })),
          };
          const svg = paretoFront(given, options);
          expectPicture(svg);
          expectReadable(svg);
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it("refuses wrong arguments", () => {
    const wrong = (options: unknown) => () => paretoFront(rows, options as FrontOptions);
    expect(wrong({ cost: { measure: 1 } })).toThrow("expected a measure from 0 to 0 as the cost, found 1");
    expect(wrong({ cost: { field: "cycles" } })).toThrow(
      "expected one of the fields `registers`, found `cycles`",
    );
    expect(wrong({ cost: { scale: "cubic" } })).toThrow("option `cost.scale`: expected `linear`, `log`");
    expect(wrong({ labels: -1 })).toThrow("option `labels`: expected a whole number from 0 to 100, found -1");
    expect(wrong({ marks: [{ label: "a", cost: 1 }] })).toThrow("option `marks[0].value`: expected a number");
  });
});
