import { describe, expect, it } from "vitest";
import { Watch } from "../src/index.js";
import { wordAt } from "../src/random.js";
import { codeOf } from "./support/errors.js";

describe("a watch", () => {
  it("finds a leak worth 1", () => {
    const watch = new Watch();
    for (let index = 0; index < 500; index++) watch.add(wordAt(1, index), wordAt(1, index));
    expect(watch.report()).toMatchObject({ count: 500, recall: 1, worth: 1, rho: 1 });
    expect(watch.useful).toBe(true);
  });

  it("finds shuffled labels worthless within 500 rows, for 20 seeds", () => {
    for (let seed = 0; seed < 20; seed++) {
      const watch = new Watch();
      for (let index = 0; index < 500; index++) watch.add(wordAt(seed, index), wordAt(seed + 100, index));
      expect(watch.useful).toBe(false);
      expect(watch.report().worth).toBeLessThan(0.15);
      expect(Math.abs(watch.report().rho)).toBeLessThan(0.2);
    }
  });

  it("forgets predictions that left its window", () => {
    const watch = new Watch({ window: 100, least: 50 });
    for (let index = 0; index < 100; index++) watch.add(index, -index);
    expect(watch.useful).toBe(false);
    for (let index = 0; index < 100; index++) watch.add(index, index);
    expect([watch.count, watch.useful]).toEqual([100, true]);
  });

  it("waits for enough predictions", () => {
    const watch = new Watch({ least: 30 });
    for (let index = 0; index < 29; index++) watch.add(index, index);
    expect(watch.useful).toBe(false);
    watch.add(29, 29);
    expect(watch.useful).toBe(true);
  });

  it("finds no worth in truths that are all equal", () => {
    const watch = new Watch({ least: 10 });
    for (let index = 0; index < 50; index++) watch.add(index, 1);
    expect(watch.report()).toMatchObject({ recall: 1, chance: 1, worth: 0, rho: 0 });
    expect(watch.useful).toBe(false);
  });

  it("compares scores and truths by deciles, from the lowest scores on", () => {
    const watch = new Watch({ least: 10 });
    for (let index = 0; index < 20; index++) watch.add(19 - index, 2 * (19 - index));
    const { deciles } = watch.report();
    expect(deciles).toHaveLength(10);
    expect(deciles[0]).toEqual({ count: 2, meanScore: 0.5, meanTruth: 1 });
    expect(deciles[9]).toEqual({ count: 2, meanScore: 18.5, meanTruth: 37 });
    expect(new Watch().report()).toEqual({ count: 0, recall: 0, chance: 0, worth: 0, rho: 0, deciles: [] });
  });

  it("shares ranks among equal values", () => {
    const watch = new Watch({ least: 1 });
    for (const [score, truth] of [
      [1, 1],
      [1, 2],
      [2, 3],
    ] as const) {
      watch.add(score, truth);
    }
    expect(watch.report().rho).toBeCloseTo(Math.sqrt(3) / 2, 12);
  });

  it("refuses what is not finite, and options out of range", () => {
    const watch = new Watch();
    expect(codeOf(() => watch.add(Number.NaN, 1))).toBe("NOT_FINITE");
    expect(codeOf(() => watch.add(1, Number.POSITIVE_INFINITY))).toBe("NOT_FINITE");
    expect(codeOf(() => new Watch({ window: 5 }))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => new Watch({ window: 50, least: 51 }))).toBe("INVALID_ARGUMENT");
  });
});
