// Normally distributed numbers: their distribution, tail included, and that they are the same everywhere.
import { describe, expect, it } from "vitest";
import { Draws } from "../src/draws.js";
import { normal } from "../src/normal.js";

const COUNT = 100_000;

function numbers(count: number, seed = 1): Float64Array {
  const draws = new Draws();
  draws.start(seed, 2, 3);
  return Float64Array.from({ length: count }, () => normal(draws));
}

/** The part of a standard normal distribution below x, to 1e-7 (Abramowitz and Stegun, 7.1.26). */
function below(x: number): number {
  const t = 1 / (1 + 0.3275911 * (Math.abs(x) / Math.SQRT2));
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const above = (series * Math.exp((-x * x) / 2)) / 2;
  return x < 0 ? above : 1 - above;
}

describe("normal", () => {
  const drawn = numbers(COUNT);

  it("has the moments of the standard normal distribution", () => {
    const moment = (power: number) => drawn.reduce((sum, x) => sum + x ** power, 0) / COUNT;
    // Five standard errors of each.
    expect(Math.abs(moment(1))).toBeLessThan(5 / Math.sqrt(COUNT));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(5 * Math.sqrt(2 / COUNT));
    expect(Math.abs(moment(3))).toBeLessThan(5 * Math.sqrt(15 / COUNT));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(5 * Math.sqrt(96 / COUNT));
  });

  it("has the right part below each of many numbers", () => {
    const sorted = drawn.toSorted();
    for (let x = -4.5; x <= 4.5; x += 0.25) {
      const expected = below(x);
      const found = sorted.findIndex((value) => value >= x);
      const count = found === -1 ? COUNT : found;
      const deviation = Math.sqrt(COUNT * expected * (1 - expected));
      expect(Math.abs(count - COUNT * expected), `below ${x}`).toBeLessThan(5 * deviation + 1);
    }
  });

  it("gives the same numbers on all machines", () => {
    expect([...numbers(6, 7)]).toEqual([
      2.501517886500681, -0.7146082535035806, 1.3945449730248622, -3.292617260988842, 0.29966791525045766,
      -1.2390406519154085,
    ]);
    const tails = drawn.filter((x) => Math.abs(x) > 3.6541528853610088);
    expect([tails.length, ...tails.slice(0, 3)]).toEqual([
      19, -3.740551479279648, 3.8548787214692384, 3.8602671989157757,
    ]);
  });
});
