import fc from "fast-check";
import { expect, it, test } from "vitest";
import { cases, SOAK } from "../../../../../../tests/support/counts.js";
import {
  ALL_PAIRS,
  AvalancheCounter,
  BIT_PAIRS,
  BITS,
  BLOCK_PAIRS,
  BLOCKS,
  biasOf,
  squareOf,
} from "../../../../src/node/demos/hash/avalanche.js";
import { type HashFunction, hash32, KNOWN_HASHES } from "../../../../src/node/demos/hash/hash-function.js";
import { race } from "../../../../src/node/demos/hash/race.js";
import { CountingThreads } from "../../../../src/node/demos/hash/threads.js";

const WORKER_MODULE = new URL("../../../../dist/node/demos/hash/mm-ptx-hash-worker.js", import.meta.url);
const counter = new AvalancheCounter();
const known = (name: string): HashFunction => KNOWN_HASHES.find(({ label }) => label === name)!;

function countsOf(hash: HashFunction, from: number, to: number): number[] {
  counter.counts.fill(0);
  counter.add(hash, from, to);
  return [...counter.counts];
}

/** The counts of block 0, whose inputs for bit i are 13 consecutive bits from the first one of its pass on, and zeros. */
function plainCounts(hash: HashFunction): number[] {
  const counts = new Array<number>(BIT_PAIRS).fill(0);
  for (let bit = 0; bit < BITS; bit++) {
    const first = 11 * Math.floor(bit / 11);
    for (let block = 0; block < 2 * BLOCK_PAIRS; block++) {
      const input = ((block << first) | (first === 0 ? 0 : block >>> (BITS - first))) >>> 0;
      if ((input >>> bit) & 1) continue;
      const flips = hash32(hash, input) ^ hash32(hash, (input | (1 << bit)) >>> 0);
      for (let output = 0; output < BITS; output++) counts[BITS * bit + output]! += (flips >>> output) & 1;
    }
  }
  return counts;
}

const shift = fc.integer({ min: 1, max: 31 });
const multiplier = fc.integer({ min: 0, max: 2 ** 31 - 1 }).map((half) => 2 * half + 1);

test("counts are those of plain arithmetic", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4 }).chain((rounds) =>
        fc.record({
          shifts: fc.array(shift, { minLength: rounds + 1, maxLength: rounds + 1 }),
          multipliers: fc.array(multiplier, { minLength: rounds, maxLength: rounds }),
        }),
      ),
      (hash) => {
        expect(countsOf(hash, 0, 1)).toEqual(plainCounts(hash));
      },
    ),
    { numRuns: cases(50) },
  );
});

it("adds blocks, in whatever parts they are counted", () => {
  const hash = known("lowbias32");
  const whole = countsOf(hash, 5, 205);
  const parts = [countsOf(hash, 5, 68), countsOf(hash, 68, 69), countsOf(hash, 69, 205)];
  expect(whole.map((_, at) => parts.reduce((sum, part) => sum + part[at]!, 0))).toEqual(whole);
});

test("blocks are different", () => {
  // Bit 31 of the identity flips with itself alone, always; the shift flips one bit more.
  const counts = countsOf({ shifts: [31], multipliers: [] }, 0, 3);
  expect(counts[BITS * 31 + 31]).toBe(3 * BLOCK_PAIRS);
  expect(counts[BITS * 31]).toBe(3 * BLOCK_PAIRS);
  expect(counts[BITS * 31 + 1]).toBe(0);
  const lowbias = known("lowbias32");
  expect(new Set(Array.from({ length: 50 }, (_, at) => countsOf(lowbias, at, at + 1).join())).size).toBe(50);
});

it("estimates what is known", () => {
  const hash = KNOWN_HASHES[0]!;
  const estimate = race(counter, hash, { limit: Number.POSITIVE_INFINITY, best: 0 })!;
  expect(Math.abs(estimate.square - hash.bias ** 2)).toBeLessThan(4 * estimate.deviation);
});

it("stops early for what is worse", () => {
  const hash = { shifts: [16, 15, 16], multipliers: [0x7feb352d, 0x846ca601] };
  const { square, blocks } = race(counter, hash, { limit: Number.POSITIVE_INFINITY, best: 0 })!;
  expect(square).toBeGreaterThan(0.1);
  expect(blocks).toBeLessThan(2 ** 13);
  expect(race(counter, hash, { limit: square / 4, best: 0 })).toBeUndefined();
  expect(race(counter, hash, { limit: 10 * square, best: 0 })).toEqual({
    square,
    blocks,
    deviation: expect.any(Number),
  });
});

test("one thread and two say the same", async () => {
  const hashes = [3, 5, 7].map((multiplier) => ({ shifts: [16, 15], multipliers: [multiplier] }));
  const rivals = [1e6, 1e6, 0.02].map((limit) => ({ limit, best: 0.01 }));
  const [one, two] = [new CountingThreads(1), new CountingThreads(2, WORKER_MODULE)];
  try {
    expect(await two.race(hashes, rivals)).toEqual(await one.race(hashes, rivals));
  } finally {
    two.end();
  }
});

it("rejects what runs on a thread that was lost", async () => {
  const threads = new CountingThreads(2, WORKER_MODULE);
  const counting = threads.countAll(known("lowbias32"));
  threads.end();
  await expect(counting).rejects.toMatchObject({ name: "SearchError", code: "EVALUATOR_FAILED" });
});

it("stops counting when its signal is aborted", async () => {
  const stop = new AbortController();
  const counting = new CountingThreads(1).countAll(known("lowbias32"), {
    progress: () => stop.abort(),
    signal: stop.signal,
  });
  await expect(counting).rejects.toThrow("aborted");
});

it.runIf(SOAK)("has the published biases, exactly", async () => {
  const threads = new CountingThreads(2, WORKER_MODULE);
  try {
    for (const hash of KNOWN_HASHES) expect(biasOf(await threads.countAll(hash))).toBe(hash.bias);
  } finally {
    threads.end();
  }
});

test("the bias of counts", () => {
  expect(BLOCKS * BLOCK_PAIRS).toBe(ALL_PAIRS);
  expect(biasOf(new Float64Array(BIT_PAIRS).fill(ALL_PAIRS / 2))).toBe(0);
  expect(biasOf(new Float64Array(BIT_PAIRS).fill(ALL_PAIRS))).toBe(1000);
  expect(squareOf(new Float64Array(BIT_PAIRS).fill(3), 4)).toBe(250_000);
});
