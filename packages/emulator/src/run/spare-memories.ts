// Memories of closed devices for the devices that come after them. V8 counts all of a memory as used, so it collects
// garbage at nearly every new memory, although the operating system backs only the pages that were touched.
import type { WasmMemory } from "./memory.js";

/** The most memories that are kept. */
const MOST_SPARE = 4;

/** Of the size that was closed last. */
let spare: WasmMemory[] = [];
let size = 0;

/** An unused memory of which all bytes are zero and that can grow up to `maximum` pages of WebAssembly. */
export const takeSpareMemory = (maximum: number): WasmMemory | undefined =>
  maximum === size ? spare.pop() : undefined;

/** Keeps a memory of which all bytes are zero. Nothing else may use it any more. */
export function giveSpareMemory(memory: WasmMemory, maximum: number): void {
  if (maximum !== size) [spare, size] = [[], maximum];
  if (spare.length < MOST_SPARE) spare.push(memory);
}
