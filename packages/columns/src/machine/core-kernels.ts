// The kernels of the module `core`, as indices in the table of functions.
import { FloatKernel } from "./kernels.js";

/** A function that runs a step on a block of rows. */
export type Kernel = (step: number, offset: number, rows: number) => void;

/** The exports of the module that concern kernels. */
export interface CoreExports {
  readonly table: WebAssembly.Table;
  readonly words: Kernel;
  readonly comparisons: Kernel;
  readonly conversions: Kernel;
  floatKernel(kernel: FloatKernel): number;
}

export interface CoreKernels {
  readonly words: number;
  readonly comparisons: number;
  readonly conversions: number;
  float(kernel: FloatKernel): number;
}

/** Adds a kernel to the table, and returns its index. */
export function addKernel(table: WebAssembly.Table, kernel: Kernel): number {
  const index = table.grow(1);
  table.set(index, kernel);
  return index;
}

/**
 * Adds the kernels of the module to its table.
 * @param fma a kernel of fma.rn.f32 that is faster than the module's
 */
export const coreKernels = (exports: CoreExports, fma: number | undefined): CoreKernels => ({
  words: addKernel(exports.table, exports.words),
  comparisons: addKernel(exports.table, exports.comparisons),
  conversions: addKernel(exports.table, exports.conversions),
  float: (kernel) => (kernel === FloatKernel.fma && fma !== undefined ? fma : exports.floatKernel(kernel)),
});
