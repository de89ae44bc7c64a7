// Searches that are recorded, and folders for them.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { murmur128Into } from "@mm-ptx/types/internal";
import { expect } from "vitest";
import {
  evolve,
  functionEvaluator,
  type Genome,
  gridArchive,
  Search,
  type SearchEvent,
  type SearchOptions,
} from "../../src/index.js";
import { openRun, type SearchRun } from "../../src/node/index.js";
import { WordSpace } from "./word-space.js";

/** Different genomes have different signatures. */
class HashedSpace extends WordSpace {
  override signature({ words, start, end }: Genome, hash: Uint32Array): void {
    murmur128Into(words.subarray(start, end), end - start, hash);
  }
}

/** A search for words with a large sum modulo 97, in cells by their sum and their number. Words with a 13 fail. */
export function wordSearch(options: Partial<SearchOptions> = {}): Search {
  const evaluator = functionEvaluator({
    name: "sum",
    measures: ["sum", "words"],
    failures: ["UNLUCKY"],
    score: (words) => {
      if (words.includes(13)) return { failure: "UNLUCKY" };
      const sum = words.reduce((all, word) => all + word, 0);
      return { objective: (sum % 97) + 0.1, measures: [sum, words.length] };
    },
  });
  return new Search({
    ...{ space: new HashedSpace(), emitters: [evolve()], evaluator, seed: 5, batchSize: 32 },
    archive: gridArchive({
      axes: [
        { name: "sum", min: 0, max: 799 },
        { name: "words", min: 1, max: 8 },
      ],
    }),
    ...options,
  });
}

/** Runs with a new folder, which is deleted afterwards. */
export async function withFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-search-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs for some batches. */
export async function runFor(of: Search | SearchRun, batches: number): Promise<SearchEvent[]> {
  const all = [];
  for await (const event of of.run({ batches })) all.push(event);
  return all;
}

/** The hash after some batches without a record. */
export async function hashAfter(batches: number, search: Search = wordSearch()): Promise<string> {
  await runFor(search, batches);
  return [...search.hash()].join();
}

export const hashOf = (search: Search): string => [...search.hash()].join();

/** Changes the text of a file. */
export function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, "latin1")), "latin1");
}

// biome-ignore lint/suspicious/noExplicitAny: lines of JSON
export const linesOf = (folder: string): any[] =>
  readFileSync(join(folder, "log.jsonl"), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** An error of this package. */
export const fails = (code: string, message: string | RegExp) =>
  expect.objectContaining({
    name: "SearchError",
    code,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });

/** Records some batches in a folder. */
export async function recorded(folder: string, batches: number, options: Parameters<typeof openRun>[2] = {}) {
  using run = await openRun(folder, wordSearch(), options);
  await runFor(run, batches);
}
