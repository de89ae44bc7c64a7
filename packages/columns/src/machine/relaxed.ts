// fma.rn.f32 with the machine's own instruction, where the engine has relaxed vector instructions and these round once.
import { MODULE } from "../wasm/relaxed.js";
import { addKernel, type Kernel } from "./core-kernels.js";
import { instantiate } from "./instance.js";

interface RelaxedExports {
  /** x * x - y */
  squareLess(x: number, y: number): number;
  readonly fma: Kernel;
}

/** The square of 1 + 2^-12 is 1 + 2^-11 + 2^-24; an f32 cannot hold the last term. */
const X = 1 + 2 ** -12;
const ROUNDED_SQUARE = 1 + 2 ** -11;
const LACKING = 2 ** -24;

/** Adds the kernel to the table, if its results are exact. */
export function fusedKernel(memory: WebAssembly.Memory, table: WebAssembly.Table): number | undefined {
  const exports = instantiate(MODULE, { env: { memory } }) as unknown as RelaxedExports | undefined;
  if (exports?.squareLess(X, ROUNDED_SQUARE) !== LACKING) return undefined;
  return addKernel(table, exports.fma);
}
