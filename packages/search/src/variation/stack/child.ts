// The genome that an operator makes: words with room for the longest genome of the space.
import type { Draws } from "../../draws.js";
import type { Genome } from "../../spaces/space.js";

/** What the operators know about a space. */
export interface StackGenes {
  /** The most words of a genome. */
  readonly mostWords: number;
  /** Overwrites the genes from `start` up to `end`, counted in genes, with random ones. */
  draw(words: Uint32Array, start: number, end: number, draws: Draws): void;
  /** What the constants of each stack are: a `ConstantKind`. */
  readonly constantKinds: Uint8Array;
  /** A new random number for a constant with this head, as its bits. */
  drawConstant(head: number, draws: Draws): number;
}

/** What a constant is; the values of `StackGenes.constantKinds`. */
export const ConstantKind = { none: 0, f32: 1, u32: 2, s32: 3 } as const;

/** A genome in the making. An operator must not let it grow beyond `words`. */
export interface Child {
  readonly words: Uint32Array;
  /** The number of words. */
  end: number;
}

/** Makes a child of one parent or two. */
export type StackVariation = (
  parent: Genome,
  other: Genome,
  draws: Draws,
  child: Child,
  genes: StackGenes,
) => void;

/** Appends the words of a parent from `start` up to `end`. */
export function appendWords(child: Child, words: Uint32Array, start: number, end: number): void {
  const target = child.words;
  let at = child.end;
  for (let word = start; word < end; word++) target[at++] = words[word]!;
  child.end = at;
}

/** Makes the child a copy of a parent. */
export function copyParent(child: Child, { words, start, end }: Genome): void {
  child.end = 0;
  appendWords(child, words, start, end);
}
