// The allocation that an address concerns: the one that contained it, or the nearest one.
import type { RecordedFault } from "./fault.js";
import { ADDRESS_BASE } from "./memory.js";
import type { Allocation, PagedMemory } from "./paged-memory.js";

/** Spaces whose addresses are offsets within the space. */
const OWN_SPACES: ReadonlySet<string> = new Set(["shared", "local", "param"]);

/** The allocation that an address concerns. */
export interface Neighbor {
  readonly allocation: Allocation;
  /** Whether it had been freed. */
  readonly freed: boolean;
}

/** The allocation that contained an address until it was freed, or the nearest one. */
export function neighborOf(address: bigint, memory: PagedMemory): Neighbor | undefined {
  const offset = Number(address) - ADDRESS_BASE;
  if (offset < 0 || offset >= 2 ** 32) return undefined;
  const freed = memory.freedAt(offset);
  const allocation = freed ?? memory.nearest(offset);
  return allocation && { allocation, freed: freed !== undefined };
}

/** The neighbor of the address of a fault; undefined for addresses that are offsets within their space. */
export function neighborOfFault(fault: RecordedFault, memory: PagedMemory): Neighbor | undefined {
  const hasAddress = "address" in fault && fault.address !== undefined && "space" in fault;
  return hasAddress && !OWN_SPACES.has(fault.space) ? neighborOf(fault.address, memory) : undefined;
}
