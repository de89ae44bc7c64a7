// The kernels as WebAssembly: assembly/kernels.ts, compiled when the package is built.
import { LITTLE_ENDIAN } from "../endian.js";
import { instantiate } from "../instantiate.js";
import { MODULE } from "../wasm/kernels.js";
import type { Kernels } from "./workspace.js";

const PAGE_BYTES = 65536;
const FIRST_PAGES = 2;

interface Exports {
  readonly firstFree: WebAssembly.Global<"i32">;
  run(start: number, stop: number, bytes: number): void;
}

/** The kernels, or `undefined` where WebAssembly with vectors is missing or not allowed. */
export function webAssemblyKernels(): Kernels | undefined {
  const instance = LITTLE_ENDIAN ? instantiate(MODULE, FIRST_PAGES) : undefined;
  if (instance === undefined) return undefined;
  const { memory } = instance;
  const { firstFree, run } = instance.exports as unknown as Exports;
  return {
    backend: "webassembly",
    firstFree: firstFree.value,
    get buffer() {
      return memory.buffer;
    },
    reserve(bytes) {
      const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
      if (missing > 0) memory.grow(missing);
    },
    run,
  };
}
