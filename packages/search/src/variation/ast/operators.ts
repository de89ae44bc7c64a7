// The operators of AST spaces.
import type { VariationOperator } from "../../spaces/space.js";
import { cloneConstant, jumpConstant, roundConstant, stepConstant } from "./constants.js";
import { combine, crossover, crossoverTwoPoints } from "./crossover.js";
import type { AstChange } from "./operator.js";
import {
  deleteNode,
  hoist,
  insertNode,
  replaceNode,
  replaceSubtree,
  rotate,
  swapOperands,
} from "./structure.js";
import { umad } from "./umad.js";

export interface AstOperator extends VariationOperator {
  readonly change: AstChange;
  /** Whether it changes constants alone. */
  readonly constants?: true;
}

export const AST_OPERATORS: readonly AstOperator[] = [
  { name: "umad", parents: 1, change: umad },
  { name: "replace-node", parents: 1, change: replaceNode },
  { name: "replace-subtree", parents: 1, change: replaceSubtree },
  { name: "insert", parents: 1, change: insertNode },
  { name: "delete", parents: 1, change: deleteNode },
  { name: "swap", parents: 1, change: swapOperands },
  { name: "rotate", parents: 1, change: rotate },
  { name: "hoist", parents: 1, change: hoist },
  { name: "step-constant", parents: 1, change: stepConstant, constants: true },
  { name: "jump-constant", parents: 1, change: jumpConstant, constants: true },
  { name: "round-constant", parents: 1, change: roundConstant, constants: true },
  { name: "clone-constant", parents: 1, change: cloneConstant, constants: true },
  { name: "crossover", parents: 2, change: crossover },
  { name: "crossover-two-points", parents: 2, change: crossoverTwoPoints },
  { name: "combine", parents: 2, change: combine },
];
