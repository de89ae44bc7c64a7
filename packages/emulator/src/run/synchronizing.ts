// Accesses that synchronize threads and therefore do not race with each other.
import type { Operation } from "../program/operation.js";

/**
 * Modifiers of loads and stores that synchronize like atomic operations; `volatile` does not order accesses of other
 * threads.
 */
const SYNCHRONIZING = ["relaxed", "acquire", "release", "acq_rel"];

export const isSynchronizing = ({ traits, words }: Operation): boolean =>
  traits.atomic || SYNCHRONIZING.some((word) => words.has(word));
