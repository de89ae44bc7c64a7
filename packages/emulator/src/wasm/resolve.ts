// Locates the accesses that translated code leaves to the host.
import { ADDRESS_UPPER, type LinearMemory, PAGE_BYTES } from "../run/memory.js";
import type { Access } from "./access.js";
import type { Areas } from "./areas.js";

/** The offset of an access in linear memory; -1 for one that is not aligned or not inside allocated memory. */
export function placeOf(
  { memory, pageTable }: LinearMemory,
  { shared, sharedBytes }: Areas,
  { bytes, space }: Access,
  address: bigint,
): number {
  if (address % BigInt(bytes) !== 0n) return -1;
  if (space === "shared")
    return address + BigInt(bytes) <= BigInt(sharedBytes) ? shared + Number(address) : -1;
  if (Number(address >> 32n) !== ADDRESS_UPPER) return -1;
  const offset = Number(address & 0xffffffffn);
  const pages = new Uint16Array(memory.buffer, pageTable, 2 ** 32 / PAGE_BYTES);
  return (offset % PAGE_BYTES) + bytes <= pages[Math.floor(offset / PAGE_BYTES)]! ? offset : -1;
}
