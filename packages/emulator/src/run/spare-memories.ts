// Memories of closed devices for the devices that come after them. V8 counts all of a memory as used, so it collects
// garbage at nearly every new memory, although the operating system backs only the pages that were touched.
import type { WasmMemory } from "./memory.js";

/** The most memories that are kept. */
const MOST_SPARE = 4;

interface SpareMemory {
  readonly memory: WasmMemory;
  readonly maximum: number;
}

const spare: SpareMemory[] = [];

/** An unused memory of which all bytes are zero and that can grow up to `maximum` pages of WebAssembly. */
export function takeSpareMemory(maximum: number): WasmMemory | undefined {
  const index = spare.findIndex((one) => one.maximum === maximum);
  return index === -1 ? undefined : spare.splice(index, 1)[0]!.memory;
}

/** Keeps a memory of which all bytes are zero. Nothing else may use it any more. */
export function giveSpareMemory(memory: WasmMemory, maximum: number): void {
  if (spare.length === MOST_SPARE) spare.shift();
  spare.push({ memory, maximum });
}
