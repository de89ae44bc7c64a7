// The kernels of the module `extended`, in the table and the memory of the module `core`. It is loaded when the first operation needs it.
import { MODULE } from "../wasm/extended.js";
import { addKernel, type CoreKernels, type Kernel } from "./core-kernels.js";
import { instantiate } from "./instance.js";
import type { Kernels } from "./recipe.js";

export { entryOf } from "./definitions.js";

type ExtendedExports = Readonly<Record<Exclude<keyof Kernels, keyof CoreKernels>, Kernel>>;

/** Adds the kernels to the table, or returns `undefined` where the module cannot be instantiated. */
export function extendedKernels(
  memory: WebAssembly.Memory,
  table: WebAssembly.Table,
  core: CoreKernels,
): Kernels | undefined {
  const exports = instantiate(MODULE, { env: { memory, table } }) as unknown as ExtendedExports | undefined;
  if (exports === undefined) return undefined;
  const add = (kernel: Kernel): number => addKernel(table, kernel);
  return {
    ...core,
    composed: add(exports.composed),
    directed: add(exports.directed),
    doubles: add(exports.doubles),
    halves: add(exports.halves),
    longs: add(exports.longs),
    longTests: add(exports.longTests),
    rareWords: add(exports.rareWords),
    scalars: add(exports.scalars),
    widenings: add(exports.widenings),
  };
}
