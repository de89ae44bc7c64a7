// Crossover of linear genomes: the child is the first parent with a part of the second in place of its own.
import { GENE } from "../../spaces/stack-words.js";
import { appendWords, copyParent, type StackVariation } from "./child.js";

/**
 * Makes a crossover.
 * @param points 1 takes the start of the first parent and the end of the second; 2 replaces a run of the first by a run of the second
 * @param cuts `same` cuts both parents at the same places, `free` draws the cuts of each
 */
export function crossGenes(points: 1 | 2, cuts: "same" | "free"): StackVariation {
  return (parent, other, draws, child, genes) => {
    const first = (parent.end - parent.start) / GENE;
    const second = (other.end - other.start) / GENE;
    if (second === 0) {
      copyParent(child, parent);
      return;
    }
    const same = cuts === "same";
    const shorter = Math.min(first, second);
    let from = draws.below((same ? shorter : first) + 1);
    let to = points === 1 ? first : draws.below((same ? shorter : first) + 1);
    if (to < from) [from, to] = [to, from];
    const room = genes.mostWords / GENE - (first - (to - from));
    let taken = same ? from : draws.below(second + 1);
    let end = points === 1 ? second : same ? to : draws.below(second + 1);
    if (end < taken) [taken, end] = [end, taken];
    // What does not fit is cut off at the side that joins the first parent's start.
    if (end - taken > room) taken = end - room;
    child.end = 0;
    appendWords(child, parent.words, parent.start, parent.start + from * GENE);
    appendWords(child, other.words, other.start + taken * GENE, other.start + end * GENE);
    appendWords(child, parent.words, parent.start + to * GENE, parent.end);
    if (child.end === 0) copyParent(child, parent);
  };
}
