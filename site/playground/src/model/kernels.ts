// The kernels of the examples, each loaded when it is needed.
/// <reference path="../files.d.ts" />
const KERNELS: Readonly<Record<string, () => Promise<{ readonly default: string }>>> = {
  gelu: () => import("../../kernels/gelu.ptx"),
  hash: () => import("../../kernels/hash.ptx"),
  mandelbrot: () => import("../../kernels/mandelbrot.ptx"),
  median: () => import("../../kernels/median.ptx"),
  philox: () => import("../../kernels/philox.ptx"),
  product: () => import("../../kernels/product.ptx"),
  reduction: () => import("../../kernels/reduction.ptx"),
  semiring: () => import("../../kernels/semiring.ptx"),
};

/** The PTX of an example's kernel, as nvcc compiled it. */
export async function kernelText(name: string): Promise<string> {
  const load = KERNELS[name];
  if (load === undefined) throw new Error(`expected a kernel \`${name}\`, found none`);
  return (await load()).default;
}
