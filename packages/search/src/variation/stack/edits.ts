// Small changes of a linear genome: genes are replaced, inserted, deleted and swapped.
import type { Draws } from "../../draws.js";
import type { Genome } from "../../spaces/space.js";
import { GENE } from "../../spaces/stack-words.js";
import { appendWords, type Child, copyParent, type StackGenes, type StackVariation } from "./child.js";

/** The most genes that one edit changes. */
const MOST_GENES = 3;

/** 1, or with halved probability each time one more. */
function few(draws: Draws): number {
  const bits = draws.word();
  return (bits & 1) === 0 ? 1 : (bits & 2) === 0 ? 2 : MOST_GENES;
}

/** Replaces one to three genes at random places by random ones. */
export const replaceGenes: StackVariation = (parent, _other, draws, child, genes) => {
  copyParent(child, parent);
  const length = child.end / GENE;
  if (length === 0) {
    insertRun(parent, draws, child, genes);
    return;
  }
  for (let count = few(draws); count > 0; count--) {
    const place = draws.below(length);
    genes.draw(child.words, place, place + 1, draws);
  }
};

/** Inserts a run of one to three random genes; a genome of the greatest length has a gene replaced instead. */
export const insertGenes: StackVariation = (parent, other, draws, child, genes) => {
  if (parent.end - parent.start >= genes.mostWords) replaceGenes(parent, other, draws, child, genes);
  else insertRun(parent, draws, child, genes);
};

function insertRun({ words, start, end }: Genome, draws: Draws, child: Child, genes: StackGenes): void {
  const length = (end - start) / GENE;
  const room = genes.mostWords / GENE - length;
  const count = Math.min(few(draws), room);
  const place = draws.below(length + 1);
  child.end = 0;
  appendWords(child, words, start, start + place * GENE);
  genes.draw(child.words, place, place + count, draws);
  child.end += count * GENE;
  appendWords(child, words, start + place * GENE, end);
}

/** Deletes a run of one to three genes, but not the last gene. */
export const deleteGenes: StackVariation = ({ words, start, end }, _other, draws, child) => {
  const length = (end - start) / GENE;
  const count = Math.max(0, Math.min(few(draws), length - 1));
  const from = start + draws.below(length - count + 1) * GENE;
  child.end = 0;
  appendWords(child, words, start, from);
  appendWords(child, words, from + count * GENE, end);
};

/** Swaps two genes. */
export const swapGenes: StackVariation = (parent, other, draws, child, genes) => {
  copyParent(child, parent);
  const { words } = child;
  const length = child.end / GENE;
  if (length < 2) {
    replaceGenes(parent, other, draws, child, genes);
    return;
  }
  const first = draws.below(length);
  const second = (first + 1 + draws.below(length - 1)) % length;
  for (let word = 0; word < GENE; word++) {
    const kept = words[first * GENE + word]!;
    words[first * GENE + word] = words[second * GENE + word]!;
    words[second * GENE + word] = kept;
  }
};

/**
 * Uniform mutation by addition and deletion (Helmuth, McPhee and Spector, "Program synthesis using uniform mutation by addition and
 * deletion", GECCO 2018): a random gene is added before or after each gene with probability `rate`, and then each gene is deleted with
 * probability `rate / (1 + rate)`, so that the length stays the same on average. If that changes nothing, one gene is replaced.
 */
export function umad(rate: number): StackVariation {
  const deletion = rate / (1 + rate);
  return (parent, other, draws, child, genes) => {
    const { words, start, end } = parent;
    const { mostWords } = genes;
    const target = child.words;
    let at = 0;
    let changes = 0;
    for (let word = start; word < end; word += GENE) {
      const chance = draws.fraction();
      // Below half the rate the new gene comes before this one, above it after this one.
      const added = chance < rate ? (chance < rate / 2 ? 0 : 1) : 2;
      for (let turn = 0; turn < 2; turn++) {
        if (turn === added && at < mostWords && draws.fraction() >= deletion) {
          genes.draw(target, at / GENE, at / GENE + 1, draws);
          at += GENE;
          changes++;
        }
        // The gene itself comes second if the new one comes before it, and otherwise first.
        if (turn !== (added === 0 ? 1 : 0)) continue;
        if (draws.fraction() < deletion || at >= mostWords) {
          changes++;
          continue;
        }
        target[at++] = words[word]!;
        target[at++] = words[word + 1]!;
      }
    }
    child.end = at;
    if (changes === 0 || at === 0) replaceGenes(parent, other, draws, child, genes);
  };
}
