// Random tables whose instructions straight-line code has.
import type { StackInstruction, StackTable } from "@mm-ptx/types/core";
import type { Random } from "./random.js";

/** Instructions of straight-line code by their number of operands. */
export const SCALAR = [
  ["neg.f32", "sqrt.approx.ftz.f32", "cvt.rn.f32.s32", "popc.b32"],
  ["add.f32", "sub.rn.ftz.f32", "mul.lo.u32", "max.s32", "setp.lt.f32", "shl.b32"],
  ["fma.rn.f32", "mad.lo.s32", "selp.b32", "bfe.u32"],
  ["bfi.b32"],
] as const;
export const PAIRS = ["setp.lt.ftz.f32", "setp.eq.u32"] as const;

/** The table with instructions of straight-line code where their operands allow it. */
export function withOperations(random: Random, table: StackTable): StackTable {
  const isScalar = (type: number) => table.argTypes[type]!.vectorElements === 0;
  const instructions = table.instructions.map((instruction): StackInstruction => {
    const { args, results } = instruction;
    const known: readonly string[] | undefined =
      results.length === 2 && args.length === 2
        ? PAIRS
        : results.length === 1
          ? SCALAR[args.length - 1]
          : undefined;
    if (known === undefined || ![...args, ...results].every(isScalar) || random.once(12)) return instruction;
    return { ...instruction, ptx: random.pick(known) };
  });
  return { ...table, instructions };
}
