// Accesses that synchronize threads and therefore do not race with each other.
import type { Operation } from "../program/operation.js";

/** Modifiers of loads and stores that synchronize like atomic operations. */
const SYNCHRONIZING = ["relaxed", "acquire", "release", "acq_rel"];

/**
 * Whether an access is one by which threads may synchronize. Volatile accesses are relaxed ones (PTX ISA, Memory Consistency
 * Model: Volatile Operations), but those of shared memory are usually what remains of code that relied on warps in step.
 */
export const isSynchronizing = ({ traits, words, space }: Operation): boolean =>
  traits.atomic ||
  SYNCHRONIZING.some((word) => words.has(word)) ||
  (words.has("volatile") && space !== "shared");

/** Whether an access orders what its thread did before, or what it does later, and accesses of other threads. */
export const ordersOthers = ({
  words,
}: Operation): { readonly before: boolean; readonly after: boolean } => ({
  before: words.has("release") || words.has("acq_rel"),
  after: words.has("acquire") || words.has("acq_rel"),
});

/**
 * Whether two threads are in one warp, by their numbers in the block. If one store of a warp writes the same value several times to a
 * place, that value is there afterwards, and nothing is worth reporting.
 */
export const areInOneWarp = (thread: number, other: number): boolean => thread >> 5 === other >> 5;
