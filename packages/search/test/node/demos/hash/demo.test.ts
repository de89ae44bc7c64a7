import { beforeAll, expect, it, test } from "vitest";
import {
  ALL_PAIRS,
  AvalancheCounter,
  BIT_PAIRS,
  BLOCK_PAIRS,
} from "../../../../src/node/demos/hash/avalanche.js";
import { evolveHash } from "../../../../src/node/demos/hash/demo.js";
import { avalanchePicture } from "../../../../src/node/demos/hash/pictures.js";
import { CountingThreads } from "../../../../src/node/demos/hash/threads.js";
import { hashDemo, runDemo } from "../../../../src/node/index.js";

const SAMPLE = 64;

/** Races as they are, and a sample in place of all inputs, which take too long. */
const threads = {
  race: new CountingThreads(1).race.bind(new CountingThreads(1)),
  countAll: async (hash: Parameters<CountingThreads["countAll"]>[0]) => {
    const counter = new AvalancheCounter();
    counter.add(hash, 0, SAMPLE);
    return counter.counts.map((count) => count * (ALL_PAIRS / SAMPLE / BLOCK_PAIRS));
  },
};

async function evolved(batches: number) {
  const stop = new AbortController();
  let races = 0;
  return await evolveHash(
    {
      ...threads,
      race: async (hashes, rivals) => {
        if (++races === batches) stop.abort();
        return await threads.race(hashes, rivals);
      },
    },
    { seed: 7, signal: stop.signal },
  );
}

let first: ReturnType<typeof evolved>;
beforeAll(() => {
  first = evolved(2);
});

it("shows what it found", async () => {
  const { found, lines, files, compared } = await first;
  expect(compared).toBeGreaterThan(0);
  expect(compared).toBeLessThanOrEqual(16);
  expect(found.text).toMatch(/^1[4-7] [\da-f]{8} 1[4-7] [\da-f]{8} 1[4-7]$/);
  expect(found.estimate).toBeGreaterThan(0.1);
  const text = lines.join("\n");
  expect(text).toContain(found.text);
  expect(text).toContain("It is not quality");
  expect(text).toContain("PractRand was not run");
  expect(Object.keys(files)).toEqual([
    ...["avalanche.svg", "avalanche.png", "avalanche-dark.png", "map.svg", "hash.c", "stub.ptx"],
  ]);
  for (const name of ["avalanche.svg", "map.svg"]) expect(files[name]).toMatch(/^<svg /);
});

test("the result depends on the seed alone", async () => {
  const [one, other] = [await first, await evolved(2)];
  expect(one.found).toEqual(other.found);
  expect(one.files).toEqual(other.files);
});

it("needs a function to show", async () => {
  const signal = AbortSignal.abort();
  await expect(runDemo("hash", { workers: 1, signal })).rejects.toMatchObject({ code: "ABORTED" });
  await expect(hashDemo({ workers: 0 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("the picture has a square for each pair of bits, and themes", () => {
  const biases = Float64Array.from({ length: BIT_PAIRS }, (_, at) => (at % 3 === 0 ? 1000 : 0));
  const panel = { title: "one", note: "16", biases };
  const picture = (theme: "auto" | "dark") =>
    avalanchePicture([panel], { title: "Bits", note: "two kinds", theme });
  expect(picture("auto")).toContain("prefers-color-scheme");
  expect(picture("dark")).not.toContain("prefers-color-scheme");
  expect(picture("auto")).toContain("bias from 1,000 to 1,000");
});
