// Migration between archives: all numbers of an elite arrive, the ring passes on in one direction, and its state is kept.
import { describe, expect, it } from "vitest";
import {
  type Archive,
  Draws,
  evolve,
  type Genome,
  gridArchive,
  migrate,
  Ring,
  type RingOptions,
  type Scores,
} from "../../src/index.js";
import { codeOf } from "../support/errors.js";
import { Loop } from "../support/loop.js";
import { WordSpace, wordsOf } from "../support/word-space.js";

const AXES = [{ name: "first", min: 0, max: 100, bins: 20 }];
const gridOf = (): Archive => gridArchive({ axes: AXES });
/** A grid whose elites have everything that elites can have. */
const fullGrid = (): Archive => gridArchive({ axes: AXES, cases: 3, fields: ["error"] });

/** Elites of a short search of its own. */
function filled(seed: number): Archive {
  const archive = gridOf();
  const worth = (words: Uint32Array) => ({
    objective: words.length + (words[1] ?? 0) / 100,
    cell: words[0]!,
  });
  const loop = new Loop(new WordSpace(), archive, worth, seed);
  loop.serial = 1000 * seed;
  for (let batch = 0; batch < 3; batch++) loop.step(evolve(), 10);
  return archive;
}

/** Such a grid with one elite. */
function withCases(serial: number): Archive {
  const archive = fullGrid();
  const scores: Scores = {
    ...{ status: Uint8Array.of(0), objective: Float64Array.of(3), measures: Float64Array.of(42) },
    ...{ cases: Float64Array.of(1, 2, 3), fields: { error: Float64Array.of(0.5) } },
  };
  archive.add({ words: Uint32Array.of(7, 8), offsets: Uint32Array.of(0, 2) }, scores, serial);
  return archive;
}

const drawsOf = (batch: number): Draws => {
  const draws = new Draws();
  draws.start(1, batch, 0);
  return draws;
};

/** The elites as texts, in the order of cells. */
function elitesOf(archive: Archive): string[] {
  const genome: Genome = { words: new Uint32Array(), start: 0, end: 0 };
  return Array.from({ length: archive.count }, (_, elite) => {
    archive.genome(elite, genome);
    const numbers = [archive.cell(elite), archive.serial(elite), archive.objective(elite)];
    return [...numbers, archive.measure(elite, 0), ":", ...wordsOf(genome)].join(" ");
  }).sort();
}

describe("migrate", () => {
  it("copies an elite with all its numbers", () => {
    const to = fullGrid();
    expect(migrate(withCases(17), to, 5, drawsOf(1))).toBe(1);
    expect(elitesOf(to)).toEqual(elitesOf(withCases(17)));
    expect([...to.cases(0)!]).toEqual([1, 2, 3]);
    expect([...to.rows().fields.error!]).toEqual([0.5]);
    expect(to.hash()).toEqual(withCases(17).hash());
  });

  it("copies different elites, as many as it should, and keeps the better ones", () => {
    const [from, to] = [filled(1), gridOf()];
    expect(migrate(from, to, 4, drawsOf(2))).toBe(4);
    expect(to.count).toBe(4);
    expect(elitesOf(from)).toEqual(expect.arrayContaining(elitesOf(to)));
    const both = filled(2);
    const before = new Map(
      Array.from({ length: both.count }, (_, elite) => [both.cell(elite), both.objective(elite)]),
    );
    migrate(from, both, from.count, drawsOf(3));
    for (let elite = 0; elite < both.count; elite++) {
      const cell = both.cell(elite);
      const other = from.at(cell) < 0 ? Number.NEGATIVE_INFINITY : from.objective(from.at(cell));
      expect(both.objective(elite)).toBe(Math.max(before.get(cell) ?? Number.NEGATIVE_INFINITY, other));
    }
  });

  it("copies nothing of an empty archive", () => {
    expect(migrate(gridOf(), withCases(1), 3, drawsOf(1))).toBe(0);
  });
});

describe("a ring", () => {
  it("passes elites on to the next archive alone, in each exchange", () => {
    const archives = [withCases(5), fullGrid(), fullGrid()];
    const ring = new Ring(archives);
    expect(ring.exchange()).toEqual([0, 1, 0]);
    expect(archives.map(({ count }) => count)).toEqual([1, 1, 0]);
    expect(ring.exchange()).toEqual([0, 0, 1]);
  });

  it("goes on from its state in the same way", () => {
    const make = () => [filled(1), filled(2), filled(3)];
    const [archives, others] = [make(), make()];
    const options: RingOptions = { migrants: 3, seed: 9 };
    const [ring, other] = [new Ring(archives, options), new Ring(others, options)];
    for (let count = 0; count < 4; count++) ring.exchange();
    for (let count = 0; count < 2; count++) other.exchange();
    const resumed = new Ring(others, options);
    resumed.restore(other.state());
    for (let count = 0; count < 2; count++) resumed.exchange();
    expect(others.map((archive) => [...archive.hash()])).toEqual(
      archives.map((archive) => [...archive.hash()]),
    );
    expect(ring.description).toEqual({ archives: 3, migrants: 3, seed: 9 });
  });

  it.each<[string, () => unknown]>([
    ["no list", () => new Ring(gridOf() as unknown as Archive[])],
    ["a single archive", () => new Ring([gridOf()])],
    ["other options", () => new Ring([gridOf(), gridOf()], { migrants: 0 })],
    [
      "an archive twice",
      () => {
        const archive = gridOf();
        return new Ring([archive, archive]);
      },
    ],
    [
      "archives of other measures",
      () => new Ring([gridOf(), gridArchive({ axes: [{ name: "size", min: 0, max: 9 }] })]),
    ],
  ])("refuses %s", (_, make) => {
    expect(codeOf(make)).toBe("INVALID_ARGUMENT");
  });
});
