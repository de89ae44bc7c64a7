// Changes of constants: steps of f32 that are relative to the value, steps and flipped bits of integers, and copies.
import type { Draws } from "../../draws.js";
import { CONSTANT, GENE, STACK_SHIFT, TYPE_MASK } from "../../spaces/stack-words.js";
import {
  appendWords,
  type Child,
  ConstantKind,
  copyParent,
  type StackGenes,
  type StackVariation,
} from "./child.js";
import { replaceGenes } from "./edits.js";

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);

/** The largest relative steps of f32 constants: 2^1 down to 2^-14. */
const SCALES = Float64Array.from({ length: 16 }, (_, index) => 2 ** (1 - index));

/** The number of constants of a child, or with `nth` the index of the word with the head of that one. */
function findConstants({ words, end }: Child, { constantKinds }: StackGenes, nth = -1): number {
  let found = 0;
  for (let word = 0; word < end; word += GENE) {
    const head = words[word]!;
    if ((head & TYPE_MASK) !== CONSTANT) continue;
    if (constantKinds[head >>> STACK_SHIFT] === ConstantKind.none) continue;
    if (found++ === nth) return word;
  }
  return nth < 0 ? found : -1;
}

/** Changes one constant. A genome without constants has a gene replaced instead. */
export const moveConstant: StackVariation = (parent, other, draws, child, genes) => {
  copyParent(child, parent);
  const count = findConstants(child, genes);
  if (count === 0) {
    replaceGenes(parent, other, draws, child, genes);
    return;
  }
  const place = findConstants(child, genes, draws.below(count));
  const { words } = child;
  const head = words[place]!;
  const before = words[place + 1]!;
  const kind = genes.constantKinds[head >>> STACK_SHIFT]!;
  words[place + 1] =
    draws.below(16) === 0
      ? genes.drawConstant(head, draws)
      : kind === ConstantKind.f32
        ? movedFloat(before, draws)
        : movedInteger(before, draws);
};

/** A float near this one: a relative step of a random scale, or twice, half or the negated value. */
function movedFloat(before: number, draws: Draws): number {
  bits[0] = before;
  const value = floats[0]!;
  const how = draws.below(8);
  if (how === 0) floats[0] = -value;
  else if (how === 1) floats[0] = (draws.word() & 1) === 0 ? 2 * value : value / 2;
  else {
    const step = (2 * draws.fraction() - 1) * SCALES[draws.below(SCALES.length)]!;
    floats[0] = value === 0 ? step : value + value * step;
  }
  const moved = floats[0]!;
  return moved - moved === 0 ? bits[0]! : before;
}

/** An integer near this one: the next or the one before, a flipped bit, a shift, or the negated or inverted value. */
function movedInteger(before: number, draws: Draws): number {
  const how = draws.below(8);
  if (how < 3) return (before + ((draws.word() & 1) === 0 ? 1 : -1)) >>> 0;
  if (how < 6) return (before ^ (1 << draws.below(32))) >>> 0;
  if (how === 6) return ((draws.word() & 1) === 0 ? before << 1 : before >>> 1) >>> 0;
  return ((draws.word() & 1) === 0 ? -before : ~before) >>> 0;
}

/**
 * Uses a constant of the genome once more: overwrites another constant of the same stack with it, or inserts it somewhere. A genome
 * without constants has a gene replaced instead.
 */
export const cloneConstant: StackVariation = (parent, other, draws, child, genes) => {
  copyParent(child, parent);
  const count = findConstants(child, genes);
  if (count === 0) {
    replaceGenes(parent, other, draws, child, genes);
    return;
  }
  const from = findConstants(child, genes, draws.below(count));
  const head = child.words[from]!;
  const value = child.words[from + 1]!;
  const inserts = (draws.word() & 1) === 0 && child.end < genes.mostWords;
  if (!inserts) {
    const to = findConstants(child, genes, draws.below(count));
    if (child.words[to] === head) child.words[to + 1] = value;
    return;
  }
  const { words, start, end } = parent;
  const place = start + draws.below((end - start) / GENE + 1) * GENE;
  child.end = 0;
  appendWords(child, words, start, place);
  child.words[child.end++] = head;
  child.words[child.end++] = value;
  appendWords(child, words, place, end);
};
