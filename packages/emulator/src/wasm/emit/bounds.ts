// Whether an access is where somebody's memory is, and aligned: code that branches away where it is not. A branch that is
// never taken costs less than putting several answers together.
import { ADDRESS_UPPER, PAGE_BYTES } from "../../run/memory.js";
import type { Code, Label } from "../binary/code.js";
import type { Emitter } from "./emitter.js";

/** How many bytes an access touches, or the local that says so. */
export type Bytes = number | { readonly local: number };

/** Bytes that are touched from an address on. */
export interface Extent {
  readonly bytes: Bytes;
  /** What the address is a multiple of: a power of two. */
  readonly alignment: number;
}

/** Ranges of at most so many bytes most often lie within a page. */
const SMALL = 16;

/**
 * Branches away unless an address is in the generic window and aligned, and its bytes are somebody's.
 *
 * @param address a local, i64
 * @param low a local that becomes the address's lower half, i32
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
  // Between two allocations there is a free page: what begins and ends inside of one is inside.
  leaveBeyondPage(code, low, 0, alignment, facts.pageTable, away);
  leaveBeyondPage(code, low, bytes - alignment, alignment, facts.pageTable, away);
}

/** Branches away unless so many bytes behind an offset of linear memory are somebody's, which are within a page. */
function leaveBeyondPage(
  code: Code,
  low: number,
  behind: number,
  bytes: Bytes,
  pageTable: number,
  away: Label,
): void {
  const push = () => {
    code.get(low);
    if (behind !== 0) code.i32(behind).op("i32.add");
  };
  // Two bytes a page: a number of bytes that are taken.
  push();
  code.i32(7).op("i32.shr_u").i32(0x1fffffe).op("i32.and").memory("i32.load16_u", pageTable);
  push();
  code.i32(PAGE_BYTES - 1).op("i32.and");
  if (typeof bytes === "number") code.i32(bytes);
  else code.get(bytes.local);
  code.op("i32.add").op("i32.lt_u").brIf(away);
}

/**
 * Branches away unless an offset in a window is aligned and its bytes are inside.
 *
 * @param offset a local, i64
 * @param pushPlaces puts on the stack how many offsets, i64, are aligned and have that many bytes inside
 */
export function leaveUnlessInside(
  { code }: Emitter,
  offset: number,
  alignment: number,
  pushPlaces: () => void,
  away: Label,
): void {
  code.get(offset);
  // The bits that an aligned offset has not make it large.
  if (alignment > 1) code.i64(BigInt(Math.log2(alignment))).op("i64.rotr");
  pushPlaces();
  code.op("i64.ge_u").brIf(away);
}

/** How many aligned offsets have so many bytes behind them in a window of a size. */
export const placesIn = (size: number, { bytes, alignment }: Extent & { readonly bytes: number }): number =>
  Math.max(0, Math.floor((size - bytes + alignment) / alignment));

/** Puts that of the block's shared memory on the stack. */
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

/** Puts as many of them on the stack as a group of threads may take for all: what is beyond is found out thread by thread. */
export function pushLikelyPlaces(emitter: Emitter, extent: Extent & { readonly bytes: number }): void {
  const { program, kernel } = emitter.facts;
  const isDynamic = kernel.shared.some(({ variable }) => program.variables[variable]!.size === 0);
  if (isDynamic) pushSharedPlaces(emitter, extent);
  else emitter.code.i64(BigInt(placesIn(kernel.sharedBytes, extent)));
}
