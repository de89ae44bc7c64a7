// Candidates keep what describes them when others are removed, and when a batch is stored.
import { describe, expect, it } from "vitest";
import { Candidates } from "../src/index.js";
import { Batch } from "../src/search/batch.js";

const COUNT = 600;

/** Candidates with genomes of one to three words, each described by other numbers. */
function fill(candidates: Candidates): void {
  for (let index = 0; index < COUNT; index++) {
    const { genomes } = candidates;
    const length = 1 + (index % 3);
    genomes.reserve(length).fill(index, genomes.end, genomes.end + length);
    genomes.append(genomes.end + length);
    candidates.emitter = index % 7;
    candidates.describe(index % 5, index + 1, index + 2, -index);
  }
}

function rows({ genomes, emitters, operators, parents, tags, count }: Candidates): unknown[] {
  return Array.from({ length: count }, (_, index) => [
    ...[emitters[index], operators[index], parents[2 * index], parents[2 * index + 1], tags[index]],
    ...genomes.words.subarray(genomes.offsets[index], genomes.offsets[index + 1]),
  ]);
}

describe("a batch of candidates", () => {
  it("keeps those that are to be kept, in their order", () => {
    const candidates = new Candidates();
    fill(candidates);
    const all = rows(candidates);
    candidates.retain(Uint8Array.from({ length: COUNT }, (_, index) => (index % 4 === 1 ? 1 : 0)));
    expect(rows(candidates)).toEqual(all.filter((_, index) => index % 4 === 1));
  });

  it("is the same after it was stored, whatever an evaluator did to its genomes", () => {
    const [batch, other] = [new Batch(), new Batch()];
    fill(batch.candidates);
    batch.keep();
    const all = rows(batch.candidates);
    batch.candidates.genomes.room.fill(7);
    other.restore(batch.state());
    expect(rows(other.candidates)).toEqual(all);
    batch.revert();
    expect(rows(batch.candidates)).toEqual(all);
  });
});
