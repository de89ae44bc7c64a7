// The ranges of code that come from stubs, for any table of lines.
import type { CodeLine } from "@mm-ptx/cuda";
import { pack } from "@mm-ptx/inject";
import { locateLine, renderText } from "@mm-ptx/types/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { codeRanges } from "../../src/cost/ranges.js";
import { annotated, filled } from "./support/kernel.js";

const KERNEL = filled({
  one: "add.f32 %_x1, %_x0, %_x0;\nmul.f32 %_x1, %_x1, %_x0;",
  two: "",
  three: "mov.f32 %_x1, %_x0;",
});
const LINES = renderText(KERNEL).split("\n").length;

const row = (offset: number, line: number, inlinedAt?: CodeLine): CodeLine => ({
  offset,
  file: "",
  line,
  ...(inlinedAt === undefined ? {} : { inlinedAt }),
});

test("ranges have no gaps, and each offset belongs to the stub of the last row that is not after it", () => {
  const table = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 0, max: LINES + 2 })), { maxLength: 40 });
  fc.assert(
    fc.property(table, fc.nat(50), (entries, length) => {
      const lines = entries.sort(([a], [b]) => a - b).map(([place, line]) => row(16 * place, line));
      const end = 16 * length;
      const ranges = [...codeRanges(lines, KERNEL, end)];
      expect(ranges.map(({ start }) => start)).toEqual(
        ranges.length === 0 ? [] : [0, ...ranges.slice(0, -1).map((range) => range.end)],
      );
      expect(ranges.at(-1)?.end ?? 0).toBe(end);
      for (let offset = 0; offset < end; offset += 16) {
        const line = lines.findLast((each) => each.offset <= offset)?.line;
        const place = line === undefined ? undefined : locateLine(KERNEL, line);
        const { stub } = ranges.find(({ start, end: after }) => start <= offset && offset < after)!;
        expect(stub?.injection).toBe(place?.kind === "stub" ? place.injection : undefined);
      }
    }),
    { numRuns: cases(2000) },
  );
});

test("code that was inlined for a call in a stub belongs to the stub", () => {
  const inStub =
    renderText(KERNEL)
      .split("\n")
      .findIndex((line) => line.includes("mul.f32")) + 1;
  const ranges = [...codeRanges([row(0, 1, row(0, inStub)), row(16, 1)], KERNEL, 48)];
  expect(ranges.map(({ stub }) => stub?.injection)).toEqual(["one", undefined]);
});

test("stubs of a pack are told apart by their variant", () => {
  const packed = pack(annotated("one"), [{ one: "mov.f32 %_x1, %_x0;" }, { one: "neg.f32 %_x1, %_x0;" }]);
  const text = packed.text.split("\n");
  const [first, second] = ["mov.f32 %_x1, %_x0;", "neg.f32"].map(
    (stub) => text.findIndex((line) => line.includes(stub)) + 1,
  ) as [number, number];
  const ranges = [...codeRanges([row(0, first), row(16, second)], packed, 32)];
  expect(ranges.map(({ stub }) => [stub?.injection, stub?.variant])).toEqual([
    ["one", 0],
    ["one", 1],
  ]);
});
