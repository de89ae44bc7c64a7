// The reserved shared memory that programs find through special registers instead of a name, and that cooperative
// groups of several warps synchronize in. Here it is a variable of the programs that use it. PTX does not specify where
// its parts begin.
import type { Operand } from "./operand.js";
import type { ProgramVariable } from "./program.js";

const BYTES = 1024;

export const RESERVED: ProgramVariable = Object.freeze({
  name: "reserved shared memory",
  nameSpan: Object.freeze({ start: 0, end: 0 }),
  space: "shared",
  type: "b8",
  bytes: BYTES,
  align: 16,
  offset: 0,
  extern: false,
  initial: undefined,
  relocations: Object.freeze([]),
});

/** The offset that each special register gives. */
const OFFSETS: ReadonlyMap<string, number> = new Map([
  ["reserved_smem_offset_begin", 0],
  ["reserved_smem_offset_0", 0],
  ["reserved_smem_offset_1", BYTES / 2],
  ["reserved_smem_offset_end", BYTES],
]);

/**
 * The operand that a special register for reserved memory becomes; undefined for other registers. Adds the variable on
 * first use.
 */
export function reservedOperand(variables: ProgramVariable[], register: string): Operand | undefined {
  if (register === "reserved_smem_offset_cap") return { kind: "immediate", bits: BigInt(BYTES) };
  const offset = OFFSETS.get(register);
  if (offset === undefined) return undefined;
  const known = variables.indexOf(RESERVED);
  const variable = known === -1 ? variables.push(RESERVED) - 1 : known;
  return { kind: "variable", variable: { kind: "module-variable", variable }, offset };
}
