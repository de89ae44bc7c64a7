// Damaged files: what a results store finds is what was put, and the rest is reported.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { openResultsStore, type ResultsStore, type StoredResult } from "../../src/index.js";
import { comparable, FINGERPRINT, signatureOf, withFolder } from "../support/results.js";

const RESULTS: readonly StoredResult[] = [
  { status: "ok", score: 1.5, registers: 12, spills: 0, codeBytes: 256 },
  { status: "ok", outputs: [Float32Array.of(1, Number.NaN, -0)], effort: "final" },
  {
    status: "LAUNCH_FAILED",
    error: { code: "LAUNCH_FAILED", message: "Größe ✓", place: { site: "func", stubLine: 3 } },
  },
];

/** A run tries one of seven bytes, beginning anywhere; a soak tries all. */
const STEP = SOAK ? 1 : 7;

const open = (folder: string) => openResultsStore(folder, { fingerprint: FINGERPRINT });

/** How many of the first `count` results are found; each must be as it was put. */
function countFound(store: ResultsStore, resultOf: (index: number) => StoredResult, count: number): number {
  let found = 0;
  for (let index = 0; index < count; index++) {
    const result = store.get(signatureOf(index));
    if (result === undefined) continue;
    expect(comparable(result)).toEqual(comparable(resultOf(index)));
    found++;
  }
  return found;
}

function fill(folder: string, resultOf: (index: number) => StoredResult, count: number): void {
  using store = open(folder);
  for (let index = 0; index < count; index++) store.put(signatureOf(index), resultOf(index));
}

const resultOf = (index: number): StoredResult => RESULTS[index]!;
const many = (index: number): StoredResult => ({ status: "ok", score: index, registers: index % 200 });

it.each(["with its index", "without its index"])(
  "a byte that has changed costs its line alone, %s",
  (how) => {
    withFolder((folder) => {
      fill(folder, resultOf, 3);
      const results = join(folder, "results.jsonl");
      const index = join(folder, "index");
      const [whole, wholeIndex] = [readFileSync(results), readFileSync(index)];
      const feeds = [...whole.keys()].filter((at) => whole[at] === 10);
      const first = Math.floor(Math.random() * STEP);
      for (const at of whole.keys()) {
        if (at % STEP !== first && !feeds.includes(at)) continue;
        const damaged = Buffer.from(whole);
        damaged[at]! ^= 1 << (at % 8);
        writeFileSync(results, damaged);
        if (how === "with its index") writeFileSync(index, wholeIndex);
        else rmSync(index, { force: true });
        using store = open(folder);
        const found = countFound(store, resultOf, 3);
        const made = damaged[at] === 10;
        if (at === feeds[2]) expect([found, store.problems.count], `byte ${at}`).toEqual([2, 0]);
        else if (feeds.includes(at)) expect([found, store.problems.count], `byte ${at}`).toEqual([1, 1]);
        else expect([found, store.problems.count], `byte ${at}`).toEqual([2, made ? 2 : 1]);
        expect(store.size).toBe(found);
      }
    });
  },
);

it("a byte of the index that has changed costs nothing", () => {
  withFolder((folder) => {
    fill(folder, resultOf, 3);
    const path = join(folder, "index");
    const whole = readFileSync(path);
    const wrong = [
      Buffer.alloc(0),
      Buffer.concat([whole, Buffer.of(0)]),
      whole.subarray(0, -1),
      whole.subarray(0, 40),
      Buffer.alloc(64, 0x7f),
      ...[...whole.keys()].map((at) => {
        const damaged = Buffer.from(whole);
        damaged[at]! ^= 1 << (at % 8);
        return damaged;
      }),
    ];
    for (const contents of wrong) {
      writeFileSync(path, contents);
      using store = open(folder);
      expect(countFound(store, resultOf, 3)).toBe(3);
      expect(store.problems.count).toBe(0);
    }
    expect(readFileSync(path)).toEqual(whole);
  });
});

it("an index of other results is ignored", () => {
  withFolder((folder) => {
    fill(folder, resultOf, 3);
    const index = readFileSync(join(folder, "index"));
    rmSync(join(folder, "results.jsonl"));
    fill(folder, many, 40);
    writeFileSync(join(folder, "index"), index);
    using store = open(folder);
    expect(countFound(store, many, 40)).toBe(40);
  });
});

it("an index that covers a part of the results is completed", () => {
  withFolder((folder) => {
    const path = join(folder, "index");
    fill(folder, many, 1000);
    const early = readFileSync(path);
    fill(folder, many, 2000);
    writeFileSync(path, early);
    using store = open(folder);
    expect(store.size).toBe(2000);
    expect(countFound(store, many, 2000)).toBe(2000);
  });
});

it("damage that the index does not show is found when the line is read, and listed from then on", () => {
  withFolder((folder) => {
    const count = 1000;
    fill(folder, many, count);
    const path = join(folder, "results.jsonl");
    const bytes = readFileSync(path);
    const line = bytes.indexOf(10) + 1;
    const lineBytes = bytes.indexOf(10, line) - line;
    bytes[line + 90]! ^= 1;
    writeFileSync(path, bytes);
    const problems = { count: 1, lines: [{ offset: line, bytes: lineBytes }] };
    {
      using store = open(folder);
      expect(store.problems.count).toBe(0);
      expect(countFound(store, many, count)).toBe(count - 1);
      expect(store.size).toBe(count - 1);
      expect(store.problems).toEqual(problems);
    }
    {
      using store = open(folder);
      expect(store.problems).toEqual(problems);
      store.put(signatureOf(1), many(1));
      expect(countFound(store, many, count)).toBe(count);
    }
    rmSync(join(folder, "index"));
    using store = open(folder);
    expect(store.problems).toEqual(problems);
    expect(countFound(store, many, count)).toBe(count);
  });
});

it("lists the first hundred damaged lines and counts all", () => {
  withFolder((folder) => {
    fill(folder, many, 300);
    const path = join(folder, "results.jsonl");
    writeFileSync(path, readFileSync(path, "latin1").replaceAll('"registers":1', '"registers":2'), "latin1");
    using store = open(folder);
    expect(store.problems.lines).toHaveLength(100);
    expect(store.problems.count).toBe(300 - store.size);
    expect(countFound(store, many, 300)).toBe(store.size);
  });
});

it("a file that becomes shorter while it is open is damage, not another result", () => {
  withFolder((folder) => {
    using store = open(folder);
    store.put(signatureOf(0), many(0));
    store.put(signatureOf(1), many(1));
    store.flush();
    expect(store.get(signatureOf(0))).toEqual(many(0));
    writeFileSync(join(folder, "results.jsonl"), "");
    expect(store.get(signatureOf(0))).toBeUndefined();
    expect(store.problems.count).toBe(1);
  });
});
