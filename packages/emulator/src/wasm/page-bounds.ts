// The check against the page table that all accesses to allocated memory share.
import { PAGE_BYTES } from "../run/memory.js";
import type { Code, Label } from "./binary/code.js";

/** The number of bytes that an access touches, or the local that holds it. */
export type Bytes = number | { readonly local: number };

/**
 * Branches away unless a number of bytes from an offset of linear memory are allocated. They must be within one page.
 */
export function leaveBeyondPage(
  code: Code,
  low: number,
  offset: number,
  bytes: Bytes,
  pageTable: number,
  away: Label,
): void {
  const push = () => {
    code.get(low);
    if (offset !== 0) code.i32(offset).op("i32.add");
  };
  // The table has two bytes for each page: the number of its allocated bytes.
  push();
  code.i32(7).op("i32.shr_u").i32(0x1fffffe).op("i32.and").memory("i32.load16_u", pageTable);
  push();
  code.i32(PAGE_BYTES - 1).op("i32.and");
  if (typeof bytes === "number") code.i32(bytes);
  else code.get(bytes.local);
  code.op("i32.add").op("i32.lt_u").brIf(away);
}
