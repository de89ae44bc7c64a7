// The table of rates, which docs/sass-cost.md repeats.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAMILIES, familyOf, MATRIX_RATES, RATES, SASS_PIPES } from "../../src/cost/throughput.js";

test("docs/sass-cost.md has the rates of the code, with their sources", () => {
  const text = readFileSync(new URL("../../../../docs/sass-cost.md", import.meta.url), "utf8");
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    .filter((cells) => cells.length === FAMILIES.length + 4)
    .map((cells) => cells.slice(1, -1));
  const known = [...RATES.values(), ...MATRIX_RATES.values()];
  expect(rows).toEqual(known.map(({ name, pipe, cells }) => [name, pipe, ...cells]));
});

test("every rate is positive and has a source", () => {
  for (const { name, pipe, cells } of [...RATES.values(), ...MATRIX_RATES.values()]) {
    expect(cells, name).toHaveLength(FAMILIES.length);
    for (const cell of cells) expect(cell, name).toMatch(/^(-|[1-9]\d*[gpwma])$/);
    expect(SASS_PIPES).toContain(pipe);
  }
});

test("an architecture has the rates of the newest family that is not newer", () => {
  const families = [
    "sm_75",
    "sm_86",
    "sm_88",
    "sm_90a",
    "sm_101a",
    "sm_103f",
    "sm_110",
    "sm_121",
    "sm_140",
    "sm_70",
    "sm_x",
  ];
  expect(families.map(familyOf)).toEqual([
    "sm_75",
    "sm_86",
    "sm_87",
    "sm_90",
    "sm_100",
    "sm_103",
    "sm_110",
    "sm_120",
    "sm_120",
    "sm_75",
    "sm_75",
  ]);
});
