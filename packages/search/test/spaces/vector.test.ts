// Vector spaces: bounds, integers, operators, texts and signatures.
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import {
  Draws,
  type Genome,
  type VectorSpace,
  type VectorSpaceOptions,
  vectorSpace,
} from "../../src/index.js";
import { isError } from "../archives/support.js";

const MIXED: VectorSpaceOptions = {
  bounds: [
    [-1, 2],
    [0, 7],
    [-3, 3],
  ],
  integer: [false, true, false],
};

function genomes(space: VectorSpace, draws: Draws, count: number): Genome[] {
  const buffer = new CodeBuffer();
  for (let index = 0; index < count; index++) space.sample(draws, buffer);
  const { words, offsets } = buffer;
  return Array.from({ length: count }, (_, i) => ({ words, start: offsets[i]!, end: offsets[i + 1]! }));
}

const numbersOf = ({ words, start, end }: Genome) => [...new Float32Array(words.slice(start, end).buffer)];

function started(seed: number): Draws {
  const draws = new Draws();
  draws.start(seed, 0, 0);
  return draws;
}

describe("vectorSpace", () => {
  it("draws and varies vectors within bounds, whose integers are integers", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(3), (seed, operator) => {
        const space = vectorSpace({ ...MIXED, sigma: 5 });
        const draws = started(seed);
        const [first, second] = genomes(space, draws, 2) as [Genome, Genome];
        const out = new CodeBuffer();
        for (let index = 0; index < 5; index++) space.vary(operator, first, second, draws, out);
        for (let index = 0; index < 5; index++) {
          space.check({ words: out.words, start: out.offsets[index]!, end: out.offsets[index + 1]! });
        }
        for (const genome of [first, second]) space.check(genome);
      }),
      { numRuns: cases(1000) },
    );
  });

  it("keeps what an operator should keep", () => {
    const space = vectorSpace({ dimensions: 40, bounds: [-1, 1] });
    const draws = started(3);
    const [first, second] = genomes(space, draws, 2) as [Genome, Genome];
    const [a, b] = [numbersOf(first), numbersOf(second)];
    const made = (operator: number) => {
      const out = new CodeBuffer();
      space.vary(operator, first, second, draws, out);
      return numbersOf({ words: out.words, start: 0, end: out.end });
    };
    const reset = made(1);
    expect(reset.filter((value, axis) => value !== a[axis])).toHaveLength(1);
    const crossed = made(3);
    expect(crossed.every((value, axis) => value === a[axis] || value === b[axis])).toBe(true);
    const fromSecond = crossed.filter((value, axis) => value === b[axis]).length;
    expect(fromSecond).toBeGreaterThan(8);
    expect(fromSecond).toBeLessThan(32);
    // The standard deviation of `gaussian` is a tenth of the range.
    const moved = made(0).map((value, axis) => value - a[axis]!);
    const deviation = Math.sqrt(moved.reduce((sum, step) => sum + step * step, 0) / 40);
    expect(deviation).toBeGreaterThan(0.1);
    expect(deviation).toBeLessThan(0.3);
    const towards = made(2).map((value, axis) => (value - a[axis]!) / (b[axis]! - a[axis]!));
    expect(new Set(towards).size).toBe(40);
  });

  it("begins random vectors without bounds at the initial one", () => {
    const space = vectorSpace({ dimensions: 1, initial: [100], sigma: 0.5 });
    const drawn = genomes(space, started(1), 500).flatMap(numbersOf);
    const mean = drawn.reduce((sum, value) => sum + value, 0) / 500;
    expect(Math.abs(mean - 100)).toBeLessThan(0.15);
    expect(Math.max(...drawn) - Math.min(...drawn)).toBeGreaterThan(2);
  });

  it("writes vectors as text and reads them again", () => {
    const finite = fc.float({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 4 }), (values) => {
        const space = vectorSpace({ dimensions: values.length });
        const words = new Uint32Array(Float32Array.from(values).buffer);
        expect(space.parse(space.text({ words, start: 0, end: words.length }))).toEqual(words);
      }),
      { numRuns: cases(1000) },
    );
    const space = vectorSpace({ dimensions: 3 });
    const words = new Uint32Array(Float32Array.of(0.1, -2.5, 16777216).buffer);
    expect(space.text({ words, start: 0, end: 3 })).toBe("0.1, -2.5, 16777216");
  });

  it("has the same signature for 0 and -0, and others for other numbers", () => {
    const space = vectorSpace({ dimensions: 3 });
    const hashOf = (...values: number[]) => {
      const hash = new Uint32Array(4);
      space.signature({ words: new Uint32Array(Float32Array.from(values).buffer), start: 0, end: 3 }, hash);
      return hash.join();
    };
    expect(hashOf(0, 1, 2)).toBe(hashOf(-0, 1, 2));
    expect(new Set([hashOf(0, 1, 2), hashOf(1, 0, 2), hashOf(0, 1, 2.5), hashOf(0, 0, 0)]).size).toBe(4);
  });

  it.each([
    ["no dimensions", {}],
    ["bounds without a range", { dimensions: 1, bounds: [1, 1] }],
    ["bounds for fewer dimensions", { dimensions: 3, bounds: [[0, 1]] }],
    ["an initial vector outside of the bounds", { dimensions: 1, bounds: [0, 1], initial: [2] }],
    ["an initial vector of another length", { dimensions: 2, initial: [1] }],
    ["integers without bounds", { dimensions: 1, integer: true }],
    ["integers whose bounds are fractions", { dimensions: 1, bounds: [0, 1.5], integer: true }],
    ["a deviation of 0", { dimensions: 1, sigma: 0 }],
    ["numbers that are no f32", { dimensions: 1, bounds: [0, 1e39] }],
  ])("refuses %s", (_, options) => {
    expect(() => vectorSpace(options as VectorSpaceOptions)).toThrow(isError("INVALID_ARGUMENT"));
  });

  it.each(["1, 2", "1, 2, 3, 4", "1, x, 2", "1,,2", "3, 1, 1", "1, 1.5, 1", "NaN, 1, 1", ""])(
    "refuses `%s`",
    (text) => {
      expect(() => vectorSpace(MIXED).parse(text)).toThrow(isError("INVALID_ARGUMENT"));
    },
  );
});
