// The shared memory that programs find by special registers instead of by a name: what cooperative groups of several warps
// meet in. Here it is a variable of the programs that ask for it; PTX leaves open where its parts begin.
import type { Operand } from "./operand.js";
import type { ProgramVariable } from "./program.js";

const BYTES = 1024;

export const RESERVED: ProgramVariable = Object.freeze({
  name: "reserved shared memory",
  nameSpan: Object.freeze({ start: 0, end: 0 }),
  space: "shared",
  type: "b8",
  size: BYTES,
  align: 16,
  offset: 0,
  extern: false,
  bytes: undefined,
  relocations: Object.freeze([]),
});

/** By special register: how far behind its beginning. */
const OFFSETS: ReadonlyMap<string, number> = new Map([
  ["reserved_smem_offset_begin", 0],
  ["reserved_smem_offset_0", 0],
  ["reserved_smem_offset_1", BYTES / 2],
  ["reserved_smem_offset_end", BYTES],
]);

/** What a special register gives that tells of it; undefined for all others. Adds it to the variables when it is the first. */
export function reservedOperand(variables: ProgramVariable[], register: string): Operand | undefined {
  if (register === "reserved_smem_offset_cap") return { kind: "immediate", bits: BigInt(BYTES) };
  const offset = OFFSETS.get(register);
  if (offset === undefined) return undefined;
  const known = variables.indexOf(RESERVED);
  const variable = known === -1 ? variables.push(RESERVED) - 1 : known;
  return { kind: "variable", variable: { kind: "module-variable", variable }, offset };
}
