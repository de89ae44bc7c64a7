// Operators that make a program of two.
import { AstWord } from "../../spaces/ast-layout.js";
import { lengthOf } from "./draft.js";
import type { AstChange } from "./operator.js";
import { subtreeStart } from "./tree.js";

const TRIES = 8;

/** A subtree of the other program instead of a subtree. */
export const crossover: AstChange = ({ draft, maxLength }, parent, other, draws) => {
  const length = lengthOf(parent);
  const node = draws.below(length);
  const first = subtreeStart(parent.words, parent.start, node);
  const room = maxLength - length + (node + 1 - first);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const root = draws.below(lengthOf(other));
    const from = subtreeStart(other.words, other.start, root);
    if (root + 1 - from > room) continue;
    draft.copy(parent, 0, first);
    draft.copy(other, from, root + 1);
    draft.copy(parent, node + 1, length);
    return true;
  }
  return false;
};

/**
 * What is between a node and one below it, of the other program, instead of what is between such nodes: the lower subtree stays. So a
 * chain of operators moves without the operands at its end.
 */
export const crossoverTwoPoints: AstChange = ({ draft, maxLength }, parent, other, draws) => {
  const length = lengthOf(parent);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const upper = draws.below(length);
    const first = subtreeStart(parent.words, parent.start, upper);
    const lower = first + draws.below(upper + 1 - first);
    const lowerFirst = subtreeStart(parent.words, parent.start, lower);
    const otherUpper = draws.below(lengthOf(other));
    const otherFirst = subtreeStart(other.words, other.start, otherUpper);
    const otherLower = otherFirst + draws.below(otherUpper + 1 - otherFirst);
    const otherLowerFirst = subtreeStart(other.words, other.start, otherLower);
    const removed = upper - first - (lower - lowerFirst);
    const added = otherUpper - otherFirst - (otherLower - otherLowerFirst);
    if (length - removed + added > maxLength || removed + added === 0) continue;
    draft.copy(parent, 0, first);
    draft.copy(other, otherFirst, otherLowerFirst);
    draft.copy(parent, lowerFirst, lower + 1);
    draft.copy(other, otherLower + 1, otherUpper + 1);
    draft.copy(parent, upper + 1, length);
    return true;
  }
  return false;
};

/** Both programs, or a subtree of each, as the operands of an operator with two. */
export const combine: AstChange = ({ draft, sampler, maxLength }, parent, other, draws) => {
  const operator = sampler.mostOperands < 2 ? -1 : sampler.operatorWith(2, draws);
  if (operator < 0) return false;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const node = attempt === 0 ? lengthOf(parent) - 1 : draws.below(lengthOf(parent));
    const root = draws.below(2) === 0 ? lengthOf(other) - 1 : draws.below(lengthOf(other));
    const first = subtreeStart(parent.words, parent.start, node);
    const from = subtreeStart(other.words, other.start, root);
    if (node + 1 - first + (root + 1 - from) + 1 > maxLength) continue;
    draft.copy(parent, first, node + 1);
    draft.copy(other, from, root + 1);
    sampler.writeOperator(operator, draft.room, draft.end);
    draft.end += AstWord.perInstruction;
    return true;
  }
  return false;
};
