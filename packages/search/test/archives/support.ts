// Batches for archives from plain objects.
import type { CodeBatch } from "@mm-ptx/types/code";
import { expect } from "vitest";
import type { Scores, SearchError, SearchErrorCode } from "../../src/index.js";

/** A candidate and its scores. */
export interface ScoredCandidate {
  readonly status: number;
  readonly objective: number;
  readonly measures: readonly number[];
  readonly words: readonly number[];
}

export function genomesOf(batch: readonly { readonly words: readonly number[] }[]): CodeBatch {
  const offsets = [0];
  for (const { words } of batch) offsets.push(offsets.at(-1)! + words.length);
  return { words: Uint32Array.from(batch.flatMap(({ words }) => words)), offsets: Uint32Array.from(offsets) };
}

/** Failed candidates have numbers that archives must not look at. */
export const scoresOf = (batch: readonly Omit<ScoredCandidate, "words">[]): Scores => ({
  status: Uint8Array.from(batch, ({ status }) => status),
  objective: Float64Array.from(batch, ({ status, objective }) => (status === 0 ? objective : Number.NaN)),
  measures: Float64Array.from(
    batch.flatMap(({ status, measures }) => (status === 0 ? measures : measures.map(() => Number.NaN))),
  ),
});

export const isError = (code: SearchErrorCode) =>
  expect.objectContaining({ name: "SearchError", code }) as SearchError;
