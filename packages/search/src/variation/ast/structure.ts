// Operators that change the tree of one program.
import type { Draws } from "../../draws.js";
import { AstWord } from "../../spaces/ast-layout.js";
import type { Genome } from "../../spaces/space.js";
import { lengthOf } from "./draft.js";
import type { AstChange } from "./operator.js";
import { arityAt, operandRoot, subtreeStart } from "./tree.js";

const TRIES = 4;

/** Another operator with as many operands, or another leaf. */
export const replaceNode: AstChange = ({ draft, sampler }, parent, _other, draws) => {
  const length = lengthOf(parent);
  const node = draws.below(length);
  draft.copy(parent, 0, length);
  const at = draft.start + AstWord.perInstruction * node;
  const { room } = draft;
  const head = room[at]!;
  const payload = room[at + 1]!;
  const arity = head >>> AstWord.arityShift;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (arity === 0) sampler.writeLeaf(draws, room, at);
    else {
      const operator = sampler.operatorWith(arity, draws);
      if (operator < 0) return false;
      sampler.writeOperator(operator, room, at);
    }
    if (room[at] !== head || room[at + 1] !== payload) return true;
  }
  return false;
};

/** A random tree instead of a subtree; its size is up to twice as large, and a few nodes more. */
export const replaceSubtree: AstChange = (material, parent, _other, draws) => {
  const { draft, sampler, maxLength } = material;
  const length = lengthOf(parent);
  const node = draws.below(length);
  const first = subtreeStart(parent.words, parent.start, node);
  const size = node + 1 - first;
  const most = Math.min(2 * size + 3, maxLength - length + size);
  draft.copy(parent, 0, first);
  const around = sampler.around(parent, node);
  const written = sampler.writeTree(1 + draws.below(most), draws, draft.room, draft.end, around);
  draft.end += AstWord.perInstruction * written;
  draft.copy(parent, node + 1, length);
  return true;
};

/** One of its operands instead of an operator. */
export const deleteNode: AstChange = ({ draft }, parent, _other, draws) => {
  const node = randomOperator(parent, draws);
  if (node < 0) return false;
  const { words, start } = parent;
  const first = subtreeStart(words, start, node);
  const root = operandRoot(words, start, node, draws.below(arityAt(words, start, node)));
  draft.copy(parent, 0, first);
  draft.copy(parent, subtreeStart(words, start, root), root + 1);
  draft.copy(parent, node + 1, lengthOf(parent));
  return true;
};

/** An operator above a subtree, which becomes one of its operands; the others are random leaves. */
export const insertNode: AstChange = ({ draft, sampler, symbols, maxLength }, parent, _other, draws) => {
  const length = lengthOf(parent);
  const operator = sampler.operatorUpTo(maxLength - length, draws);
  if (operator < 0) return false;
  const node = draws.below(length);
  const first = subtreeStart(parent.words, parent.start, node);
  const arity = symbols.arity[operator]!;
  const place = draws.below(arity);
  draft.copy(parent, 0, first);
  for (let operand = 0; operand < arity; operand++) {
    if (operand === place) draft.copy(parent, first, node + 1);
    else {
      sampler.writeLeaf(draws, draft.room, draft.end);
      draft.end += AstWord.perInstruction;
    }
  }
  sampler.writeOperator(operator, draft.room, draft.end);
  draft.end += AstWord.perInstruction;
  draft.copy(parent, node + 1, length);
  return true;
};

/** Two neighbouring operands of an operator, exchanged; operators for which that matters are preferred. */
export const swapOperands: AstChange = ({ draft, symbols }, parent, _other, draws) => {
  const { words, start } = parent;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const node = randomOperator(parent, draws);
    if (node < 0) return false;
    const arity = arityAt(words, start, node);
    if (arity < 2) continue;
    const at = start + AstWord.perInstruction * node;
    const fromLast = draws.below(arity - 1);
    const place = arity - 2 - fromLast;
    if (place + 1 < symbols.commuting[symbols.numberOf(words[at]!, words[at + 1]!)]!) continue;
    const right = operandRoot(words, start, node, fromLast);
    const middle = subtreeStart(words, start, right);
    const left = subtreeStart(words, start, middle - 1);
    draft.copy(parent, 0, left);
    draft.copy(parent, middle, right + 1);
    draft.copy(parent, left, middle);
    draft.copy(parent, right + 1, lengthOf(parent));
    return true;
  }
  return false;
};

/** `(a . b) : c` becomes `a . (b : c)`, or the reverse. */
export const rotate: AstChange = ({ draft }, parent, _other, draws) => {
  const { words, start } = parent;
  const length = lengthOf(parent);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const node = randomOperator(parent, draws);
    if (node < 0) return false;
    if (arityAt(words, start, node) !== 2) continue;
    const right = node - 1;
    const left = subtreeStart(words, start, right) - 1;
    const leftTurns = arityAt(words, start, left) === 2;
    const rightTurns = arityAt(words, start, right) === 2;
    if (leftTurns && (!rightTurns || draws.below(2) === 0)) {
      // a b . c : becomes a b c : .
      draft.copy(parent, 0, left);
      draft.copy(parent, left + 1, node + 1);
      draft.copyNode(parent, left);
      draft.copy(parent, node + 1, length);
      return true;
    }
    if (rightTurns) {
      // a b c : . becomes a b . c :
      const c = subtreeStart(words, start, right - 1);
      draft.copy(parent, 0, c);
      draft.copyNode(parent, node);
      draft.copy(parent, c, node);
      draft.copy(parent, node + 1, length);
      return true;
    }
  }
  return false;
};

/** A subtree alone. */
export const hoist: AstChange = ({ draft }, parent, _other, draws) => {
  const length = lengthOf(parent);
  if (length < 2) return false;
  const node = draws.below(length - 1);
  draft.copy(parent, subtreeStart(parent.words, parent.start, node), node + 1);
  return true;
};

/** A random node with operands, or -1. */
function randomOperator(parent: Genome, draws: Draws): number {
  const length = lengthOf(parent);
  if (length < 2) return -1;
  let node = draws.below(length);
  // The root, which is the last node, has operands.
  while (arityAt(parent.words, parent.start, node) === 0) node++;
  return node;
}
