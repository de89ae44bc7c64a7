// What the playground makes of data: CSV, the contents of buffers, histograms, arguments of pasted kernels.

import { describe, expect, it } from "vitest";
import { csvNumbers } from "../site/playground/src/model/csv.js";
import { contentOf } from "../site/playground/src/model/data.js";
import { DataError } from "../site/playground/src/model/data-error.js";
import { argumentsFor, fits, launchFor } from "../site/playground/src/model/parameters.js";
import { histogram, rangeOf, resultsCsv } from "../site/playground/src/model/results.js";
import type { BufferArgument, ElementType, Fill } from "../site/playground/src/model/state.js";

describe("CSV", () => {
  it.each([
    ["1, 2, 3", [1, 2, 3]],
    ["1;2\r\n3;4\r\n", [1, 2, 3, 4]],
    ["1\t-2.5e3", [1, -2500]],
    ["a, b\n1, 2\n", [1, 2]],
    ["5\n", [5]],
    ['"1", "2"\n\n3, 4,\n', [1, 2, 3, 4]],
    ["\uFEFF7, inf, -Infinity, NaN", [7, Infinity, -Infinity, Number.NaN]],
    ["0x10", [16]],
  ])("%j holds its numbers", async (text, numbers) => {
    expect([...(await csvNumbers(text))]).toEqual(numbers);
  });

  it.each([
    ["", "expected at least one number, found none"],
    ["a, b", "expected at least one number, found none"],
    ["1\n2\nthree", "line 3: expected a number, found `three`"],
    ["1,,2", "line 1: expected a number, found ``"],
    ['1, "2', /^line 1: /],
    ["1, two", "line 1: expected a number, found `two`"],
  ])("%j is refused with its line", async (text, message) => {
    await expect(csvNumbers(text)).rejects.toThrow(DataError);
    await expect(csvNumbers(text)).rejects.toThrow(message);
  });
});

describe("buffers", () => {
  const buffer = (fill: Fill, length = 4, type: ElementType = "f32"): BufferArgument => ({
    kind: "buffer",
    name: "data",
    type,
    length,
    fill,
    shown: true,
  });

  it.each([
    [{ from: "zeros" }, [0, 0, 0, 0]],
    [{ from: "range", first: 0, last: 3 }, [0, 1, 2, 3]],
    [{ from: "csv", text: "1, 2" }, [1, 2, 0, 0]],
    [{ from: "csv", text: "1, 2, 3, 4, 5" }, [1, 2, 3, 4]],
  ] as const)("contain what %j says", async (fill, elements) => {
    expect([...(await contentOf(buffer(fill))).elements]).toEqual(elements);
  });

  it.each([
    [
      "u32",
      { from: "csv", text: "1, 2.5, -1" },
      [1, 2, 4294967295, 0],
      ["2 values of `data` do not fit u32: 2.5 became 2."],
    ],
    [
      "s8",
      { from: "range", first: 126, last: 129 },
      [126, 127, -128, -127],
      ["2 values of `data` do not fit s8: 128 became -128."],
    ],
    [
      "u64",
      { from: "csv", text: "1, inf" },
      [1n, 0n, 0n, 0n],
      ["One value of `data` does not fit u64: Infinity became 0."],
    ],
    ["s64", { from: "range", first: 0, last: 1 }, [0n, 0n, 0n, 1n], []],
    ["f64", { from: "csv", text: "0.1" }, [0.1, 0, 0, 0], []],
    [
      "f32",
      { from: "csv", text: "1 \n2\n3\n4\n5" },
      [1, 2, 3, 4],
      ["`data` holds the first 4 of the 5 numbers of its CSV."],
    ],
  ] as const)("of %s say which values of %j they do not hold", async (type, fill, elements, notes) => {
    const content = await contentOf(buffer(fill, 4, type));
    expect([...content.elements]).toEqual(elements);
    expect(content.notes).toEqual(notes);
  });

  it("with random numbers are the same for a seed", async () => {
    const noise = async (seed: number) =>
      (await contentOf(buffer({ from: "noise", seed, low: 2, high: 3 }, 100))).elements;
    expect(await noise(1)).toEqual(await noise(1));
    expect(await noise(1)).not.toEqual(await noise(2));
    expect([...(await noise(1))].every((value) => value >= 2 && value <= 3)).toBe(true);
  });

  it("of a single element have the first value of a range", async () => {
    const { elements } = await contentOf(buffer({ from: "range", first: 5, last: 9 }, 1));
    expect([...elements]).toEqual([5]);
  });

  it("name themselves in errors of their data", async () => {
    await expect(contentOf(buffer({ from: "csv", text: "x, 1" }))).rejects.toThrow(
      "data of `data`: line 1: expected a number, found `x`",
    );
  });
});

describe("results", () => {
  it("are counted in bins, without what is not finite", () => {
    const { centers, counts } = histogram([0, 1, 1, 4, Number.NaN, Infinity], 4);
    expect(centers).toEqual([0.5, 1.5, 2.5, 3.5]);
    expect(counts).toEqual([1, 2, 0, 1]);
    expect(histogram([Number.NaN], 4)).toEqual({ centers: [], counts: [] });
    expect(histogram([3, 3], 2).counts).toEqual([2, 0]);
  });

  it("have a range", () => {
    expect(rangeOf([2, -1, Number.NaN])).toEqual({ low: -1, high: 2 });
    expect(rangeOf([])).toEqual({ low: 0, high: 0 });
  });

  it("are written as CSV, shorter buffers with empty cells", () => {
    const buffers = [
      { name: "a", type: "f32", values: Float32Array.of(0.5, 2) },
      { name: "b", type: "u32", values: Uint32Array.of(7) },
    ] as const;
    expect(resultsCsv(buffers)).toBe("index,a,b\n0,0.5,7\n1,2,\n");
  });
});

describe("arguments of pasted kernels", () => {
  const parameters = [
    { name: "k_param_0", type: "u64", dimensions: [], bytes: 8 },
    { name: "k_param_1", type: "f32", dimensions: [], bytes: 4 },
    { name: "k_param_2", type: "u32", dimensions: [], bytes: 4 },
    { name: "k_param_3", type: "b8", dimensions: [24], bytes: 24 },
  ];

  it("are buffers, numbers and structs of zeros", () => {
    const made = argumentsFor(parameters);
    expect(made.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "buffer param_0",
      "number param_1",
      "number param_2",
      "bytes param_3",
    ]);
    expect(fits(made, parameters)).toBe(true);
  });

  it("are buffers of what the kernel accesses", () => {
    const [first, second] = argumentsFor([
      { name: "k_param_0", type: "u64", dimensions: [], bytes: 8, elements: "u8" },
      { name: "k_param_1", type: "u64", dimensions: [], bytes: 8, elements: "s64" },
    ]);
    expect(first).toMatchObject({ type: "u8", fill: { from: "range", first: 0, last: 255 } });
    expect(second).toMatchObject({ type: "s64", fill: { from: "zeros" } });
  });

  it("have a thread for each element", () => {
    expect(launchFor("k", undefined)).toMatchObject({ entry: "k", grid: [4, 1, 1], block: [64, 1, 1] });
    expect(launchFor("k", [16, 16, 1])).toMatchObject({ grid: [1, 1, 1], block: [16, 16, 1] });
    expect(launchFor("k", [1024, 1, 1])).toMatchObject({ grid: [1, 1, 1] });
  });

  it("do not fit other parameters", () => {
    const made = argumentsFor(parameters);
    expect(fits(made, parameters.slice(1))).toBe(false);
    expect(fits(made, [...parameters].reverse())).toBe(false);
  });
});
