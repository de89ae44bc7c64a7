// The kernels of the module `core`, as indices in the table of functions.
import type { FloatKernel } from "./kernels.js";

/** A function that runs a step on a block of rows. */
export type Kernel = (step: number, offset: number, rows: number) => void;

/** What the module exports of kernels. */
export interface CoreExports {
  readonly table: WebAssembly.Table;
  readonly words: Kernel;
  readonly comparisons: Kernel;
  readonly conversions: Kernel;
  readonly scalars: Kernel;
  readonly directed: Kernel;
  readonly composed: Kernel;
  floatKernel(kernel: FloatKernel): number;
}

export interface CoreKernels {
  readonly words: number;
  readonly comparisons: number;
  readonly conversions: number;
  readonly scalars: number;
  readonly directed: number;
  readonly composed: number;
  float(kernel: FloatKernel): number;
}

/** Adds a kernel to the table, and returns its index. */
export function addKernel(table: WebAssembly.Table, kernel: Kernel): number {
  const index = table.grow(1);
  table.set(index, kernel);
  return index;
}

/** Adds the kernels of the module to its table. */
export function coreKernels(exports: CoreExports): CoreKernels {
  const add = (kernel: Kernel): number => addKernel(exports.table, kernel);
  return {
    words: add(exports.words),
    comparisons: add(exports.comparisons),
    conversions: add(exports.conversions),
    scalars: add(exports.scalars),
    directed: add(exports.directed),
    composed: add(exports.composed),
    float: (kernel) => exports.floatKernel(kernel),
  };
}
