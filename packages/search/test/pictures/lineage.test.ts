// Lineages: who is shown, and what is said about those who are not.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { type LineageEntry, lineageTree } from "../../src/pictures/index.js";
import { lineageOf } from "../../src/pictures/lineage.js";
import { lineage } from "./support/made.js";
import { expectPicture, expectReadable, textsOf } from "./support/svg.js";

const wordsOf = (svg: string): string[] => textsOf(svg).map(({ words }) => words);

/** Entries whose parents are any older ones, or unknown. */
const entries: fc.Arbitrary<LineageEntry[]> = fc
  .array(fc.array(fc.integer({ min: -1, max: 60 }), { maxLength: 2 }), { minLength: 1, maxLength: 60 })
  .map((all) =>
    all.map((parents, serial) => ({
      serial,
      parents: parents.filter((parent) => parent < serial),
      operator: "o",
    })),
  );

describe("a lineage", () => {
  it("has all ancestors where there is room, each connected to its parents", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const { nodes, ancestors } = lineageOf(all, all.length - 1, 100);
        expect(nodes).toHaveLength(ancestors + 1);
        for (const { entry, links, hidden } of nodes) {
          const parents = [...new Set(entry.parents)].filter((parent) => parent >= 0);
          expect(links.map(({ to, skipped }) => [to, skipped])).toEqual(parents.map((parent) => [parent, 0]));
          expect(hidden).toBe(0);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it("has the nearest and the oldest ancestors where there are too many", () => {
    const { nodes, ancestors, generations } = lineageOf(lineage(200), 1990, 8);
    expect(nodes).toHaveLength(8);
    expect(nodes[0]!.entry.serial).toBe(1990);
    expect(nodes.slice(-3).map(({ entry }) => entry.serial)).toEqual([20, 10, 0]);
    expect([ancestors, generations]).toEqual([199, 199]);
    const left = nodes.flatMap(({ links }) => links.map(({ skipped }) => skipped));
    expect(Math.max(...left)).toBeGreaterThan(50);
  });

  it("is drawn with operators, formulas and what is missing", () => {
    const words = wordsOf(
      lineageTree(
        [
          { serial: 9, parents: [4, 7], operator: "crossover", text: "a\n  + b", value: 0.5 },
          { serial: 7, parents: [] },
        ],
        9,
      ),
    );
    expect(words).toEqual(
      expect.arrayContaining([
        "crossover",
        "a + b",
        "0.5",
        "1 parent not in the record",
        "no parents",
        "1 ancestor; 1 from first parent to first parent; on the right: objective",
      ]),
    );
    expect(wordsOf(lineageTree(lineage(200), 1990, { most: 8 })).join()).toMatch(
      /\d+ ancestors left out below/,
    );
  });

  it("is well-formed and readable whatever the ancestors are", () => {
    fc.assert(
      fc.property(
        entries,
        fc.integer({ min: 2, max: 30 }),
        fc.string({ unit: "binary" }),
        (all, most, text) => {
          const given = all.map((entry) => ({ ...entry, text, value: entry.serial / 7 }));
          expectPicture(lineageTree(given, all.length - 1, { most }));
          expectReadable(lineageTree(all, all.length - 1, { most }));
          expect(lineageTree(given.toReversed(), all.length - 1, { most })).toBe(
            lineageTree(given, all.length - 1, { most }),
          );
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it("refuses wrong arguments", () => {
    const wrong =
      (given: unknown, serial: unknown = 3) =>
      () =>
        lineageTree(given as LineageEntry[], serial as number);
    expect(wrong([])).toThrow("expected an entry with the serial number 3, found none");
    expect(wrong([{ serial: 3, parents: [3] }])).toThrow(
      "expected serial numbers below 3 as its parents, found 3",
    );
    expect(wrong([{ serial: 0.5, parents: [] }])).toThrow("as the serial number of an entry, found 0.5");
    expect(wrong([{ serial: 3 }])).toThrow("expected a list as the parents of 3, found undefined");
    expect(wrong([null])).toThrow("expected an entry of a lineage, found null");
  });
});
