// The f32 instructions that round to nearest.
import { FloatKernel } from "./kernels.js";

/**
 * Kernels that round to nearest, by the mnemonic without `.ftz`, `.sat` and the type, with the number of their
 * operands.
 */
export const FLOAT_ROWS: Readonly<Record<string, readonly [kernel: FloatKernel, operands: number]>> = {
  add: [FloatKernel.add, 2],
  sub: [FloatKernel.sub, 2],
  mul: [FloatKernel.mul, 2],
  "add.rn": [FloatKernel.add, 2],
  "sub.rn": [FloatKernel.sub, 2],
  "mul.rn": [FloatKernel.mul, 2],
  "fma.rn": [FloatKernel.fma, 3],
  "mad.rn": [FloatKernel.fma, 3],
  "div.rn": [FloatKernel.div, 2],
  "div.full": [FloatKernel.div, 2],
  "div.approx": [FloatKernel.divApprox, 2],
  abs: [FloatKernel.abs, 1],
  neg: [FloatKernel.neg, 1],
  min: [FloatKernel.min, 2],
  max: [FloatKernel.max, 2],
  "min.NaN": [FloatKernel.minNaN, 2],
  "max.NaN": [FloatKernel.maxNaN, 2],
  "rcp.rn": [FloatKernel.rcp, 1],
  "rcp.approx": [FloatKernel.rcp, 1],
  "sqrt.rn": [FloatKernel.sqrt, 1],
  "sqrt.approx": [FloatKernel.sqrt, 1],
  "rsqrt.approx": [FloatKernel.rsqrt, 1],
  "sin.approx": [FloatKernel.sin, 1],
  "cos.approx": [FloatKernel.cos, 1],
  "lg2.approx": [FloatKernel.lg2, 1],
  "ex2.approx": [FloatKernel.ex2, 1],
  "tanh.approx": [FloatKernel.tanh, 1],
};

/** The kernels for a constant second operand, and for a constant first one. */
export const VARIANTS: ReadonlyMap<FloatKernel, readonly [second: FloatKernel, first: FloatKernel]> = new Map(
  [
    [FloatKernel.add, [FloatKernel.addConstant, FloatKernel.constantAdd]],
    [FloatKernel.sub, [FloatKernel.subConstant, FloatKernel.constantSub]],
    [FloatKernel.mul, [FloatKernel.mulConstant, FloatKernel.constantMul]],
    [FloatKernel.divApprox, [FloatKernel.divApproxConstant, FloatKernel.constantDivApprox]],
  ],
);

/** Instructions without `.ftz`. */
export const UNFLUSHED = "tanh copysign";
