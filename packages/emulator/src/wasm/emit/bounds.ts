// Checks whether an access is aligned and inside of allocated memory: emits code that branches away when it is not. A
// branch that is never taken costs less than combining several conditions.
import { ADDRESS_UPPER } from "../../run/memory.js";
import type { Label } from "../binary/code.js";
import { type Bytes, leaveBeyondPage } from "../page-bounds.js";
import type { Emitter } from "./emitter.js";

/** The bytes that are accessed, starting at an address. */
export interface Extent {
  readonly bytes: Bytes;
  /** The address must be a multiple of this power of two. */
  readonly alignment: number;
}

/** Ranges of at most this many bytes are usually within one page. */
const SMALL = 16;

/**
 * Branches away unless an address is in the generic window and aligned, and its bytes are allocated.
 *
 * @param address a local, i64
 * @param low a local that receives the address's lower half, i32
 */
export function leaveUnlessMapped(
  emitter: Emitter,
  address: number,
  low: number,
  { bytes, alignment }: Extent,
  away: Label,
): void {
  const { code, facts } = emitter;
  code.get(address).op("i32.wrap_i64").set(low);
  code.get(address).i64(32n).op("i64.shr_u").op("i32.wrap_i64").i32(ADDRESS_UPPER).op("i32.ne").brIf(away);
  if (alignment > 1)
    code
      .get(low)
      .i32(alignment - 1)
      .op("i32.and")
      .brIf(away);
  if (typeof bytes !== "number" || bytes <= Math.max(SMALL, alignment)) {
    leaveBeyondPage(code, low, 0, bytes, facts.pageTable, away);
    return;
  }
  // There is a free page between any two allocations, so a range whose beginning and end are allocated is inside one
  // allocation.
  leaveBeyondPage(code, low, 0, alignment, facts.pageTable, away);
  leaveBeyondPage(code, low, bytes - alignment, alignment, facts.pageTable, away);
}

/**
 * Branches away unless an offset in a window is aligned and its bytes are inside.
 *
 * @param offset a local, i64
 * @param pushPlaces pushes the number of aligned offsets, i64, for which that many bytes are inside
 */
export function leaveUnlessInside(
  { code }: Emitter,
  offset: number,
  alignment: number,
  pushPlaces: () => void,
  away: Label,
): void {
  code.get(offset);
  // The rotation moves the low bits to the top, so a misaligned offset becomes too large.
  if (alignment > 1) code.i64(BigInt(Math.log2(alignment))).op("i64.rotr");
  pushPlaces();
  code.op("i64.ge_u").brIf(away);
}

/** The number of aligned offsets in a window of a size that are followed by that many bytes. */
export const placesIn = (size: number, { bytes, alignment }: Extent & { readonly bytes: number }): number =>
  Math.max(0, Math.floor((size - bytes + alignment) / alignment));

/** Pushes that number for the block's shared memory. */
export function pushSharedPlaces(
  emitter: Emitter,
  { bytes, alignment }: Extent & { readonly bytes: number },
): void {
  const { code, facts } = emitter;
  emitter.hoisted(`shared places ${bytes} ${alignment}`, "i64", () => {
    code.scratch("i32", (size) => {
      code
        .getGlobal(facts.module.globals.sharedBytes)
        .i32(bytes - alignment)
        .op("i32.sub")
        .tee(size);
      code.i32(0).get(size).i32(0).op("i32.gt_s").op("select").i32(Math.log2(alignment)).op("i32.shr_u");
      code.op("i64.extend_i32_u");
    });
  });
}

/**
 * Pushes a number of offsets that a group of threads may use without further checks. Offsets beyond it are checked
 * thread by thread.
 */
export function pushLikelyPlaces(emitter: Emitter, extent: Extent & { readonly bytes: number }): void {
  const { program, kernel } = emitter.facts;
  const isDynamic = kernel.shared.some(({ variable }) => program.variables[variable]!.bytes === 0);
  if (isDynamic) pushSharedPlaces(emitter, extent);
  else emitter.code.i64(BigInt(placesIn(kernel.sharedBytes, extent)));
}
