import { describe, expect, test } from "vitest";
import {
  formulaOf,
  functions,
  isEqualFormula,
  problems,
  rowsOf,
  sources,
} from "../../src/yardsticks/index.js";

describe("problems of symbolic regression", () => {
  test("there are all problems of each set", () => {
    const counts: Record<string, number> = {};
    for (const { set } of problems) counts[set] = (counts[set] ?? 0) + 1;
    expect(counts).toEqual({
      nguyen: 13,
      "nguyen-constants": 5,
      jin: 6,
      livermore: 22,
      feynman: 100,
      "feynman-bonus": 20,
    });
    expect(new Set(problems.map(({ name }) => name)).size).toBe(problems.length);
    expect(
      problems.filter(({ set, outside }) => set.startsWith("feynman") && outside === undefined),
    ).toHaveLength(116);
  });

  test("each formula has the stated values, a source and functions", () => {
    for (const { name, formula, variables, points, source, functions: set } of problems) {
      expect(sources[source], name).toBeDefined();
      expect(functions[set], name).toBeDefined();
      const names = Object.keys(variables);
      const value = formulaOf(formula, names);
      expect(points, name).toHaveLength(2);
      for (const point of points) {
        expect(point, name).toHaveLength(names.length + 1);
        const wanted = point.at(-1) as number;
        expect(Math.abs(value(point) - wanted), name).toBeLessThanOrEqual(1e-12 * Math.abs(wanted));
      }
    }
  });

  test("rows are in the ranges, and a function of the seed", () => {
    for (const problem of problems) {
      const { columns, target } = rowsOf({ ...problem, rows: 5 }, 3);
      expect(rowsOf({ ...problem, rows: 5 }, 3).target, problem.name).toEqual(target);
      for (const [index, [low, high]] of Object.values(problem.variables).entries()) {
        for (const value of columns[index]!) {
          expect(value, problem.name).toBeGreaterThanOrEqual(low);
          expect(value, problem.name).toBeLessThanOrEqual(high);
        }
      }
      expect(target.every(Number.isFinite), problem.name).toBe(true);
    }
  });

  test("formulas are equal to their problem in other words, and to no other one", () => {
    const named = (wanted: string) => problems.find(({ name }) => name === wanted)!;
    expect(isEqualFormula(named("Nguyen-1"), "x * (x * (x + x / x) + x / x)", 1)).toBe(true);
    expect(isEqualFormula(named("Nguyen-1"), "x^3 + x^2 + 1.0001 * x", 1)).toBe(false);
    expect(isEqualFormula(named("Nguyen-8"), "exp(log(x) / 2)", 1)).toBe(true);
    expect(isEqualFormula(named("Nguyen-11"), "exp(y * log(x))", 1)).toBe(true);
    // The beginning of the series is near enough in the range, and not beyond it.
    expect(
      isEqualFormula(named("Livermore-7"), "x + x^3 / 6 + x^5 / 120 + x^7 / 5040 + x^9 / 362880", 1),
    ).toBe(false);
    expect(isEqualFormula(named("Nguyen-8c"), "1.1090537 * sqrt(x)", 1)).toBe(true);
    expect(isEqualFormula(named("Nguyen-8c"), "1.10906 * sqrt(x)", 1)).toBe(false);
  });

  test("powers bind tighter than signs, and from right to left", () => {
    expect(formulaOf("-x^2^3 / 2", ["x"])([2])).toBe(-128);
    expect(formulaOf("2 - 3 - x * 4 / 8", ["x"])([1])).toBe(-1.5);
    for (const wrong of ["x +", "x)", "sin x", "y", "x $ 2", ""]) {
      expect(() => formulaOf(wrong, ["x"]), wrong).toThrow(/expected/);
    }
  });
});
