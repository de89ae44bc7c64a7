// The novelty archive: against brute force, at its capacity, and after its state was restored.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { type NoveltyArchiveOptions, noveltyArchive } from "../../src/index.js";
import { genomesOf, isError, type ScoredCandidate, scoresOf } from "./support.js";

const OPTIONS = {
  measures: [{ name: "a" }, { name: "b", scale: 10 }],
  threshold: 1.5,
  neighbours: 3,
  capacity: 6,
} satisfies NoveltyArchiveOptions;

const candidate = fc.record({
  status: fc.constantFrom(0, 0, 0, 1),
  objective: fc.integer({ min: 0, max: 5 }),
  measures: fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 60 })),
  words: fc.array(fc.nat(9), { maxLength: 3 }),
});
const batches = fc.array(fc.array(candidate, { maxLength: 20 }), { maxLength: 4 });

type Elite = ScoredCandidate & { readonly serial: number };

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.sqrt((a[0]! - b[0]!) ** 2 + ((a[1]! - b[1]!) / 10) ** 2);

/** Adds a candidate to a list as the archive should. */
function addByForce(elites: Elite[], each: Elite, score: "given" | "novelty") {
  if (each.status !== 0) return 0;
  const distances = elites.map(({ measures }, index) => ({ index, to: distance(each.measures, measures) }));
  distances.sort((a, b) => a.to - b.to || a.index - b.index);
  const nearest = distances.slice(0, 3);
  const novelty = nearest.length === 0 ? 1.5 : nearest.reduce((sum, { to }) => sum + to, 0) / nearest.length;
  const elite = score === "given" ? each : { ...each, objective: novelty };
  if (novelty >= 1.5) {
    if (elites.length < 6) elites.push(elite);
    else {
      const oldest = elites.reduce(
        (least, { serial }, index) => (serial < elites[least]!.serial ? index : least),
        0,
      );
      elites[oldest] = elite;
    }
    return 2;
  }
  const { index } = nearest[0]!;
  if (score === "novelty" || each.objective <= elites[index]!.objective) return 0;
  elites[index] = elite;
  return 1;
}

describe("noveltyArchive", () => {
  it.each(["given", "novelty"] as const)("keeps what brute force keeps, with the score `%s`", (score) => {
    fc.assert(
      fc.property(batches, batches, (all, more) => {
        const archive = noveltyArchive({ ...OPTIONS, score });
        const restored = noveltyArchive({ ...OPTIONS, score });
        const elites: Elite[] = [];
        let serial = 0;
        for (const batch of all) {
          const { status } = archive.add(genomesOf(batch), scoresOf(batch), serial);
          const expected = batch.map((each, index) =>
            addByForce(elites, { ...each, serial: serial + index }, score),
          );
          expect([...status.subarray(0, batch.length)]).toEqual(expected);
          serial += batch.length;
          const rows = archive.rows();
          expect([...rows.serial]).toEqual(elites.map((elite) => elite.serial));
          expect([...rows.measures]).toEqual(elites.flatMap(({ measures }) => [...measures]));
          rows.objective.forEach((value, index) => {
            expect(value).toBeCloseTo(elites[index]!.objective, 12);
          });
        }
        restored.restore(archive.state());
        for (const batch of more) {
          archive.add(genomesOf(batch), scoresOf(batch), serial);
          restored.add(genomesOf(batch), scoresOf(batch), serial);
          serial += batch.length;
        }
        expect(restored.hash()).toEqual(archive.hash());
      }),
      { numRuns: cases(300) },
    );
  });

  it.each([
    ["no threshold", { measures: OPTIONS.measures }],
    ["a negative threshold", { ...OPTIONS, threshold: -1 }],
    ["no measures", { ...OPTIONS, measures: [] }],
    ["a scale of 0", { ...OPTIONS, measures: [{ name: "a", scale: 0 }] }],
    ["no neighbours", { ...OPTIONS, neighbours: 0 }],
    ["another score", { ...OPTIONS, score: "distance" }],
  ])("refuses %s", (_, options) => {
    expect(() => noveltyArchive(options as NoveltyArchiveOptions)).toThrow(isError("INVALID_ARGUMENT"));
  });
});
