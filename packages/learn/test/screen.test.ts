import { describe, expect, it } from "vitest";
import { Neighbours, type Predictor, Screen, Table, Watch } from "../src/index.js";
import { codeOf } from "./support/errors.js";

/** A model whose score is the first value of a row. */
const first: Predictor = {
  columns: 1,
  fitted: true,
  predictInto: (rows, scores) => scores.set(rows),
};

const candidates = Float32Array.of(3, 9, 1, 7, 5, 8, 2, 6, 4, 0);

function choose(screen: Screen, count: number, keep = 0): number[] {
  const chosen = new Uint32Array(count);
  return Array.from(chosen.subarray(0, screen.choose(candidates, count, chosen, keep)));
}

describe("a screen", () => {
  it("chooses the candidates with the highest scores", () => {
    expect(choose(new Screen({ model: first, explore: 0 }), 4)).toEqual([1, 5, 3, 7]);
  });

  it("chooses each candidate at most once, and all of them if there are not enough", () => {
    for (let seed = 0; seed < 20; seed++) {
      const screen = new Screen({ model: first, explore: 0.5, seed });
      expect(new Set(choose(screen, 6)).size).toBe(6);
      expect(choose(screen, 30).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
  });

  it("explores with every size of choice: a tenth of one candidate is one of ten", () => {
    const screen = new Screen({ model: first, explore: 0.1, seed: 1 });
    const chosen = Array.from({ length: 2000 }, () => choose(screen, 1)[0]);
    const random = chosen.filter((index) => index !== 1).length;
    // A random choice is the best candidate as often as any other.
    expect(random).toBeGreaterThan(120);
    expect(random).toBeLessThan(250);
  });

  it("lets rejected candidates come back", () => {
    const screen = new Screen({ model: first, explore: 0 });
    expect(choose(screen, 2)).toEqual([1, 5]);
    expect(choose(screen, 4)).toEqual([1, 5, 3, 7]);
  });

  it("keeps incumbents whatever their scores are", () => {
    const screen = new Screen({ model: first, explore: 0 });
    expect(choose(screen, 4, 3)).toEqual([0, 1, 2, 5]);
    for (let seed = 0; seed < 10; seed++) {
      const watched = new Screen({ model: first, watch: new Watch(), seed });
      expect(choose(watched, 4, 3).slice(0, 3)).toEqual([0, 1, 2]);
    }
  });

  it("chooses at random until the watch finds the model useful, and again once it does not", () => {
    const watch = new Watch({ window: 60, least: 20 });
    const screen = new Screen({ model: first, watch, explore: 0, seed: 3 });
    for (let round = 0; round < 3; round++) {
      const chosen = choose(screen, 8);
      expect(screen.filtered).toBe(false);
      screen.tell(Float32Array.from(chosen, (index) => candidates[index]!));
    }
    expect(choose(screen, 2)).toEqual([1, 5]);
    expect(screen.filtered).toBe(true);
    for (let round = 0; round < 40; round++) {
      const chosen = choose(screen, 6);
      screen.tell(Float32Array.from(chosen, (index) => -candidates[index]!));
    }
    choose(screen, 2);
    expect(screen.filtered).toBe(false);
  });

  it("chooses at random while the model has learned nothing, and reports no predictions then", () => {
    const table = new Table({ columns: 1, capacity: 10 });
    const watch = new Watch();
    const screen = new Screen({ model: new Neighbours(table), watch });
    expect(choose(screen, 3)).toHaveLength(3);
    screen.tell(Float32Array.of(1, 2, 3));
    expect([screen.filtered, watch.count]).toEqual([false, 0]);
  });

  it("does not count candidates without a result", () => {
    const watch = new Watch();
    const screen = new Screen({ model: first, watch });
    choose(screen, 3);
    expect(codeOf(() => screen.tell(Float32Array.of(1, Number.POSITIVE_INFINITY, 3)))).toBe("NOT_FINITE");
    screen.tell(Float32Array.of(1, Number.NaN, 3));
    expect(watch.count).toBe(2);
    expect(codeOf(() => screen.tell(Float32Array.of(1)))).toBe("INVALID_ARGUMENT");
  });

  it("repeats itself for equal seeds", () => {
    const [one, other, third] = [5, 5, 6].map((seed) => {
      const screen = new Screen({ model: first, explore: 0.5, seed });
      return Array.from({ length: 10 }, () => choose(screen, 5));
    });
    expect(one).toEqual(other);
    expect(one).not.toEqual(third);
  });

  it("refuses scores that are not finite, and writes nothing", () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const model: Predictor = {
        ...first,
        predictInto: (rows, scores) => scores.set(rows.map((value, index) => (index === 7 ? wrong : value))),
      };
      const watch = new Watch();
      const chosen = Uint32Array.of(9, 9);
      const screen = new Screen({ model, watch });
      expect(() => screen.choose(candidates, 2, chosen)).toThrow(/found (NaN|Infinity) as `scores`\[7\]/);
      expect(codeOf(() => screen.choose(candidates, 2, chosen))).toBe("NOT_FINITE");
      expect([Array.from(chosen), watch.count]).toEqual([[9, 9], 0]);
    }
  });

  it("refuses wrong arguments", () => {
    const screen = new Screen({ model: first });
    const chosen = Uint32Array.of(9, 9);
    expect(codeOf(() => screen.choose(candidates, 3, chosen))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => screen.choose(candidates, -1, chosen))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => screen.choose(candidates, 2, chosen, 3))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => screen.choose(candidates, 2, [] as never))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => screen.choose(Float32Array.of(Number.NaN), 1, chosen))).toBe("NOT_FINITE");
    expect(Array.from(chosen)).toEqual([9, 9]);
    expect(codeOf(() => new Screen({} as never))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => new Screen({ model: first, explore: 2 }))).toBe("INVALID_ARGUMENT");
    expect(() => new Screen({ model: {} as never })).toThrow(
      "option `model`: expected a model with `columns`",
    );
  });
});
