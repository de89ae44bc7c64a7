// Tables whose stacks have constants, for random programs.
import type { StackTable, StackType } from "@mm-ptx/types/core";
import { Random as TestRandom } from "./random.js";
import { randomTable } from "./random-table.js";

/** A random table whose stacks have constants of their type if there are any. */
export function tableWithConstants(seed: number): StackTable {
  const table = randomTable(new TestRandom(seed));
  const stackTypes = table.stackTypes.map(({ name, literalPrefix }): StackType => {
    const constantType = (["f32", "s32", "u32"] as const).find((type) => type === literalPrefix);
    return { name, literalPrefix, ...(constantType === undefined ? {} : { constantType }) };
  });
  return { ...table, stackTypes };
}

/** A table with every type of constant. */
export const TABLE = Array.from({ length: 1000 }, (_, seed) => tableWithConstants(seed)).find(
  ({ stackTypes }) => new Set(stackTypes.map(({ constantType }) => constantType)).size === 4,
)!;
/** The value that the bits of a constant mean. */
export function constantValue(type: string | undefined, bits: number): number {
  if (type === "f32") return new Float32Array(Uint32Array.of(bits).buffer)[0]!;
  return type === "s32" ? bits | 0 : bits;
}

export const REGISTERS = TABLE.stackTypes.map((_, stackIndex) => ({ name: `r${stackIndex}`, stackIndex }));
