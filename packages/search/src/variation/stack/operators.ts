// The operators of stack spaces, in the order of their indices.
import type { VariationOperator } from "../../spaces/space.js";
import type { StackVariation } from "./child.js";
import { cloneConstant, moveConstant } from "./constants.js";
import { crossGenes } from "./crossover.js";
import { deleteGenes, insertGenes, replaceGenes, swapGenes, umad } from "./edits.js";

/** An operator with what it does. */
export interface StackOperator extends VariationOperator {
  readonly make: StackVariation;
}

/**
 * The operators of a space.
 * @param umadRate the rate of additions of UMAD
 * @param constants whether genomes may have constants
 */
export function stackOperators(umadRate: number, constants: boolean): readonly StackOperator[] {
  const all: readonly StackOperator[] = [
    { name: "umad", parents: 1, make: umad(umadRate) },
    { name: "replace", parents: 1, make: replaceGenes },
    { name: "insert", parents: 1, make: insertGenes },
    { name: "delete", parents: 1, make: deleteGenes },
    { name: "swap", parents: 1, make: swapGenes },
    { name: "crossover-1", parents: 2, make: crossGenes(1, "same") },
    { name: "crossover-2", parents: 2, make: crossGenes(2, "same") },
    { name: "crossover-1-free", parents: 2, make: crossGenes(1, "free") },
    { name: "crossover-2-free", parents: 2, make: crossGenes(2, "free") },
  ];
  return constants
    ? [
        ...all,
        { name: "move-constant", parents: 1, make: moveConstant },
        { name: "clone-constant", parents: 1, make: cloneConstant },
      ]
    : all;
}
