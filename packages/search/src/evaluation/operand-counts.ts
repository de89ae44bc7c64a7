// How many operands operations have, for loops over the items of many codes.
import { CODE_NAMES, operandsOf } from "@mm-ptx/types/code";
import { CodeName, OperationField } from "@mm-ptx/types/internal";

/** Names whose numbers of operands depend on the rest of an operation. */
const VARYING = new Set(["setp", "set", "cvt"]);

/** Remembers the numbers of operands of the operations that it was asked for. */
export class OperandCounts {
  /** By names; -1 for names that were not asked for, and for those that say too little. */
  readonly #byName = new Int8Array(OperationField.nameMask + 1).fill(-1);
  readonly #byOperation = new Map<number, number>();

  /** The number of words that follow an operation in its item. */
  of(operation: number): number {
    const known = this.#byName[operation & OperationField.nameMask]!;
    return known >= 0 ? known : this.#find(operation);
  }

  #find(operation: number): number {
    let operands = this.#byOperation.get(operation);
    if (operands !== undefined) return operands;
    operands = operandsOf(operation);
    const name = operation & OperationField.nameMask;
    if (VARYING.has(CODE_NAMES[name]!) || name === CodeName.constant)
      this.#byOperation.set(operation, operands);
    else this.#byName[name] = operands;
    return operands;
  }
}
