// Lines of templates that no PTX text would give: segments without line ends, stubs of any form.
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { countLineFeeds, describeLine, locateLine, type PtxTemplate, sourceMap } from "../src/core/index.js";

/** A template of plain segments; the kernel has one line for each site besides theirs. */
function templateOf(segments: readonly string[], holes: readonly number[]): PtxTemplate {
  let kernelLine = 1;
  const lines = segments.map((segment) => {
    const own = { kernelLine, lines: countLineFeeds(segment), head: 0, tail: 0 };
    kernelLine += own.lines + 1;
    return own;
  });
  return { names: ["f", "g"], segments, holes, lines };
}

test("a line belongs to the first stub that has a part of it", () => {
  const map = sourceMap(templateOf(["a", "", "b\n", "c"], [0, 1, 0]), ["1\n2", "3"]);
  expect([1, 2, 3].map((line) => describeLine(locateLine(map, line)!))).toEqual([
    "injection `f`, site 1, stub line 1",
    "injection `f`, site 1, stub line 2",
    "injection `f`, site 2, stub line 1",
  ]);
  expect(describeLine(locateLine(map, 4)!)).toBe("injection `f`, site 2, stub line 2");
  expect(locateLine(map, 5)).toBeUndefined();
});

test("lines at the ends of a segment that the kernel lacks have the lines of the sites", () => {
  const lines = [
    { kernelLine: 1, lines: 3, head: 0, tail: 2 },
    { kernelLine: 7, lines: 4, head: 2, tail: 0 },
  ];
  const map = sourceMap({ names: ["f"], holes: [0], lines }, [""]);
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((line) => locateLine(map, line)?.kernelLine)).toEqual([
    ...[1, 2, 2],
    ...[2, 2, 2, 8, 9],
  ]);
  expect(locateLine(map, 4)).toEqual({ kind: "stub", injection: "f", site: 0, stubLine: 1, kernelLine: 2 });
});

test("a map can be cloned and written as JSON", () => {
  const map = sourceMap(templateOf(["a\n", "b"], [1]), ["", "\n\n"]);
  expect(Object.isFrozen(map) && Object.isFrozen(map.stubLines)).toBe(true);
  for (const copy of [structuredClone(map), JSON.parse(JSON.stringify(map))]) {
    expect(copy).toEqual(map);
    expect(locateLine(copy, 3)).toEqual(locateLine(map, 3));
  }
});

test("every line of every template, against walking its characters", () => {
  const text = fc.array(fc.constantFrom("x", "\n", "\r\n"), { maxLength: 5 }).map((parts) => parts.join(""));
  const parts = fc.array(fc.tuple(text, fc.nat(1)), { maxLength: 6 });
  fc.assert(
    fc.property(parts, text, fc.tuple(text, text), (pairs, last, stubs) => {
      const holes = pairs.map(([, hole]) => hole);
      const template = templateOf([...pairs.map(([segment]) => segment), last], holes);
      const map = sourceMap(template, stubs);

      // What each line is taken for: by the kernel first, then by the first stub on it.
      const expected: string[] = [];
      const sites = [0, 0];
      let line = 1;
      template.segments.forEach((segment, i) => {
        let own = template.lines[i]!.kernelLine;
        expected[line] ??= `kernel line ${own}`;
        for (const character of segment) {
          if (character === "\n") expected[++line] = `kernel line ${++own}`;
        }
        const hole = holes[i];
        if (hole === undefined) return;
        const site = ++sites[hole]!;
        let stubLine = 1;
        const say = () => `injection \`${template.names[hole]}\`, site ${site}, stub line ${stubLine}`;
        if (!expected[line]!.startsWith("injection")) expected[line] = say();
        for (const character of stubs[hole]!) {
          if (character !== "\n") continue;
          stubLine++;
          expected[++line] = say();
        }
      });
      for (let at = 1; at <= line; at++) expect(describeLine(locateLine(map, at)!)).toBe(expected[at]);
      expect(locateLine(map, line + 1)).toBeUndefined();
    }),
    { numRuns: cases(2_000) },
  );
});
