// Symbolic regression: what it finds, what it depends on, and which data it refuses.
import { describe, expect, it } from "vitest";
import { SOAK, smoke } from "../../../../tests/support/counts.js";
import { Regression, type RegressionOptions } from "../../src/regress/index.js";
import { scaledFormula } from "../../src/regress/line.js";

const ROWS = 60;
const x = Float64Array.from({ length: ROWS }, (_, row) => (row - 30) / 10);
const y = Float64Array.from({ length: ROWS }, (_, row) => ((row * 7) % 13) / 4);

const regression = (
  of: (x: number, y: number) => number,
  options: Partial<RegressionOptions> = {},
): Regression =>
  new Regression({
    ...{ inputs: ["x", "y"], columns: [x, y], target: x.map((value, row) => of(value, y[row]!)) },
    ...{ functions: ["+", "-", "*", "/"], seed: 1, batchSize: 200, maxLength: 15 },
    ...options,
  });

async function run({ search }: Regression, evaluations: number, target = -1e-10): Promise<void> {
  for await (const event of search.run({ evaluations, target })) void event;
}

describe("a regression", () => {
  it("finds an equation with constants, and says how it does on rows that it has not seen", async () => {
    const one = regression((a, b) => 2.5 * a * a - 0.5 * b + 3);
    expect(one.data.training.target).toHaveLength(48);
    expect(one.data.heldOut?.target).toHaveLength(12);
    await run(one, 20_000);
    const front = await one.front();
    const best = front.at(-1)!;
    expect(best.loss).toBeLessThan(1e-10);
    expect(best.heldOut).toBeLessThan(1e-9);
    expect(front.map(({ complexity }) => complexity)).toEqual(
      front.map(({ complexity }) => complexity).toSorted((a, b) => a - b),
    );
    for (const [index, { loss }] of front.entries())
      if (index > 0) expect(loss).toBeLessThan(front[index - 1]!.loss);
    expect(one.formulaSpace.parse(best.formula).length).toBeGreaterThan(0);
  });

  it("finds an equation without constants exactly", async () => {
    const one = regression((a, b) => a * b + a, { constants: false });
    expect(one.isScaled).toBe(false);
    await run(one, 20_000);
    const best = (await one.front()).at(-1)!;
    expect(best.loss).toBeLessThan(1e-12);
    expect(best.formula).not.toMatch(/\d/);
  });

  it("keeps one equation of each complexity without a map", async () => {
    const [one, other] = [true, false].map((map) => regression((a, b) => a * b + a, { map }));
    for (const each of [one!, other!]) await run(each, 2000, 0);
    const complexities = Array.from({ length: other!.search.archive.count }, (_, elite) =>
      other!.search.archive.measure(elite, 0),
    );
    expect(new Set(complexities).size).toBe(complexities.length);
    expect(one!.search.archive.count).toBeGreaterThan(complexities.length);
    expect(() => regression((a) => a, { map: 1 as never })).toThrow(/map/);
  });

  it.each(SOAK ? [{ ahead: 1 as const }, { ahead: 0 as const }] : [{ ahead: 1 as const }])(
    "is the same for two workers: %j",
    async ({ ahead }) => {
      const [one, two] = [1, 2].map((workers) => regression((a, b) => a / (b + 2), { workers, ahead }));
      for (const each of [one!, two!]) await run(each, smoke(10_000), 0);
      expect(two!.search.hash()).toEqual(one!.search.hash());
    },
  );

  it("says what is strange about the data", () => {
    const constant = new Float64Array(ROWS).fill(4);
    const one = new Regression({ inputs: ["x", "c", "z"], columns: [x, constant, y], target: y });
    expect(one.data.inputs).toEqual(["x", "z"]);
    expect(one.data.notices).toEqual([
      "column `c` is left out: it is 4 in all rows",
      "column `z` is equal to the target in all rows",
    ]);
  });

  it.each([
    ["one row", { columns: [[1], [2]], target: [3] }, "expected at least 2 rows, found 1"],
    [
      "a target that is the same in all rows",
      { target: new Float64Array(ROWS).fill(2) },
      "expected a target that differs between rows, found 2 in all rows",
    ],
    ["columns of different lengths", { columns: [x, [1, 2]] }, "expected 60 rows in column `y`, found 2"],
    [
      "a number that f32 can't hold",
      { columns: [x, y.with(3, 1e39)] },
      "row 4: expected a number that f32 can hold in column `y`, found 1e+39",
    ],
    [
      "a target with a NaN",
      { target: y.with(0, Number.NaN) },
      "row 1: expected a number that f32 can hold in the target, found NaN",
    ],
  ])("refuses %s", (_, options: Partial<RegressionOptions>, message) => {
    expect(() => regression((a) => a, options)).toThrow(
      expect.objectContaining({ code: "BAD_DATA", message }),
    );
  });
});

it("refuses a regression without a target", () => {
  expect(() => new Regression({ inputs: ["x"], columns: [x] } as never)).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("`target`: expected a list of numbers"),
    }),
  );
});

it.each([
  ["x", "2 * x"],
  ["sin(cos(x) + 1)", "2 * sin(cos(x) + 1)"],
  ["sin(x) * cos(x)", "2 * (sin(x) * cos(x))"],
  ["x + y", "2 * (x + y)"],
])("a formula with a scale has the brackets that it needs: %s", (text, scaled) => {
  expect(scaledFormula(text, { scale: 2, offset: 0 })).toBe(scaled);
  expect(scaledFormula(text, { scale: 2, offset: -0.5 })).toBe(`${scaled} - 0.5`);
  expect(scaledFormula(text, { scale: 1, offset: 0 })).toBe(text);
});
