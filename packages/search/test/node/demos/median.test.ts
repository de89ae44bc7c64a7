import { evaluateBatch } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import { expect, it, test } from "vitest";
import { KNOWN_FILTERS, medianSearch, zeroOneRows } from "../../../src/node/demos/median/evolution.js";
import {
  cleanPhoto,
  decibels,
  medians,
  neighbourhoods,
  noisyPhoto,
  sideBySide,
} from "../../../src/node/demos/median/photo.js";
import { runDemo } from "../../../src/node/index.js";

test("the neighbours of a pixel", () => {
  const photo = { width: 3, height: 2, pixels: Float32Array.of(1, 2, 3, 4, 5, 6) };
  const columns = neighbourhoods(photo);
  expect(columns.map((column) => column[4])).toEqual([1, 2, 3, 4, 5, 6, 4, 5, 6]);
  expect(medians(columns)[4]).toBe(4);
});

test("the exact filter is right on all rows of zeros and ones, and equals the median of pixels", async () => {
  const { space } = medianSearch(1, 1);
  const codes = new CodeBuffer();
  for (const { formula } of KNOWN_FILTERS) {
    const words = space.parse(formula);
    space.compile({ words, start: 0, end: words.length }, codes);
  }
  const binary = zeroOneRows();
  const { loss } = await evaluateBatch(codes, binary, {
    loss: { kind: "misses", target: medians(binary), tolerance: 0.5 },
  });
  expect([...loss!]).toEqual([54, 0]);
  const columns = neighbourhoods(noisyPhoto(cleanPhoto(), 1));
  const { outputs } = await evaluateBatch(codes, columns, { outputs: true });
  expect(outputs!.column(1)).toEqual(medians(columns));
});

test("noise and the filter", () => {
  const clean = cleanPhoto();
  const noisy = noisyPhoto(clean, 1);
  expect(decibels(noisy.pixels, clean.pixels)).toBeLessThan(16);
  expect(decibels(medians(neighbourhoods(noisy)), clean.pixels)).toBeGreaterThan(25);
  expect([...sideBySide([clean, noisy]).subarray(1, 4)]).toEqual(
    [..."PNG"].map((letter) => letter.charCodeAt(0)),
  );
});

it("prints filters", async () => {
  const lines: string[] = [];
  const stop = new AbortController();
  await runDemo("median", {
    seconds: 600,
    workers: 1,
    print: (line) => lines.push(line),
    progress: () => stop.abort(),
    signal: stop.signal,
  });
  const text = lines.join("\n");
  expect(text).toMatch(/ 16 +54 +[\d.]+ dB .*\(median of the medians of rows\)/);
  expect(text).toMatch(/ 30 +0 +[\d.]+ dB .*\(exact median of nine\)/);
});
