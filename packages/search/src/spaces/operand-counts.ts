// The number of operands of operations, remembered for those that were asked for.
import { operandsOf } from "@mm-ptx/types/code";

/** A power of two. Operations that collide are only looked up again. */
const ENTRIES = 4096;
const operations = new Int32Array(ENTRIES);
const counts = new Uint8Array(ENTRIES);

/** The number of words that follow an operation in its item. */
export function operandCount(operation: number): number {
  const entry = (Math.imul(operation, 0x9e3779b1) >>> 20) & (ENTRIES - 1);
  if (operations[entry] !== (operation | 0)) {
    operations[entry] = operation;
    counts[entry] = operandsOf(operation);
  }
  return counts[entry]!;
}
