// `tournament`: the best of a few, or with some probability a worse one.
import { expect, it } from "vitest";
import { Draws, type TournamentOptions, tournament } from "../../../src/index.js";
import { codeOf } from "../../support/errors.js";
import { ListArchive } from "../../support/list-archive.js";

const COUNT = 10;
const ROUNDS = 20_000;

/** Elite i has the objective i. */
function archiveOf(): ListArchive {
  const archive = new ListArchive();
  for (let objective = 0; objective < COUNT; objective++) {
    archive.elites.push({ ...{ cell: 0, serial: 0, objective, cases: undefined }, words: Uint32Array.of(0) });
  }
  return archive;
}

/** How often each elite is selected, as a part of all. */
function partsOf(options: TournamentOptions): number[] {
  const [archive, draws, selection] = [archiveOf(), new Draws(), tournament(options)];
  const parts = new Array<number>(COUNT).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    draws.start(1, 2, round);
    parts[selection.select(archive, draws)]! += 1 / ROUNDS;
  }
  return parts;
}

it.each([1, 2, 3, 7])("selects the best of %s", (size) => {
  partsOf({ size }).forEach((part, rank) => {
    // All elites that are drawn are among the first rank + 1, but not all among the first `rank`.
    const expected = ((rank + 1) / COUNT) ** size - (rank / COUNT) ** size;
    expect(Math.abs(part - expected)).toBeLessThan(0.012);
  });
});

it("selects the worse of two as often as the probability says", () => {
  partsOf({ size: 2, probability: 0.75 }).forEach((part, rank) => {
    const best = ((rank + 1) / COUNT) ** 2 - (rank / COUNT) ** 2;
    const worst = ((COUNT - rank) / COUNT) ** 2 - ((COUNT - rank - 1) / COUNT) ** 2;
    expect(Math.abs(part - (0.75 * best + 0.25 * worst))).toBeLessThan(0.012);
  });
});

it.each([{ size: 0 }, { size: 1.5 }, { probability: -1 }, { count: 2 }])("refuses %j", (options) => {
  expect(codeOf(() => tournament(options as TournamentOptions))).toBe("INVALID_ARGUMENT");
});
