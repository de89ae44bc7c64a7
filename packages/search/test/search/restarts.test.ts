// Restarts: after a number of evaluations without progress, each time with a larger budget.
import { expect, it } from "vitest";
import { type RestartOptions, RestartPlan } from "../../src/index.js";
import { codeOf } from "../support/errors.js";

it("begins again without progress, with budgets that double", () => {
  const plan = new RestartPlan({ evaluations: 100 });
  const restarts: number[] = [];
  for (let evaluations = 10; evaluations <= 1000; evaluations += 10) {
    // Each search makes progress for 50 evaluations, up to the same value.
    const value = Math.min(evaluations - (restarts.at(-1) ?? 0), 50);
    if (plan.tell(evaluations, value)) restarts.push(evaluations);
  }
  expect(restarts).toEqual([150, 400, 850]);
  expect(plan.restarts).toBe(3);
  expect(plan.budget).toBe(800);
});

it("goes on as long as there is progress", () => {
  const plan = new RestartPlan({ evaluations: 100, factor: 1 });
  for (let evaluations = 0; evaluations < 10_000; evaluations += 99) {
    expect(plan.tell(evaluations, evaluations)).toBe(false);
  }
  expect(plan.tell(11_000, 0)).toBe(true);
  expect(plan.budget).toBe(100);
});

it("counts an archive that is still empty as no progress", () => {
  const plan = new RestartPlan({ evaluations: 100 });
  expect(plan.tell(90, Number.NEGATIVE_INFINITY)).toBe(false);
  expect(plan.tell(100, Number.NEGATIVE_INFINITY)).toBe(true);
});

it("goes on from its state in the same way", () => {
  const values = Array.from({ length: 60 }, (_, index) => (index * 7919) % 83);
  const run = (plan: RestartPlan, from: number, to: number) =>
    values.slice(from, to).map((value, index) => plan.tell(10 * (from + index), value));
  const options: RestartOptions = { evaluations: 60, factor: 1.5 };
  const expected = run(new RestartPlan(options), 0, 60);
  for (const at of [0, 7, 30]) {
    const [first, second] = [new RestartPlan(options), new RestartPlan(options)];
    const before = run(first, 0, at);
    second.restore(first.state());
    expect([...before, ...run(second, at, 60)]).toEqual(expected);
  }
  expect(expected).toContain(true);
});

it("refuses wrong options and states", () => {
  expect(codeOf(() => new RestartPlan({ evaluations: 0 }))).toBe("INVALID_ARGUMENT");
  expect(codeOf(() => new RestartPlan({ factor: 0.5 }))).toBe("INVALID_ARGUMENT");
  expect(codeOf(() => new RestartPlan().restore({ values: {}, arrays: {} }))).toBe("FILE_FORMAT");
});
