// Numbers by which callers ask a WebAssembly module for the functions of kernels. The file is both TypeScript and
// AssemblyScript.

/** Kernels of f32. */
export const enum FloatKernel {
  add,
  sub,
  mul,
  fma,
  div,
  divApprox,
  abs,
  neg,
  min,
  max,
  copysign,
  rcp,
  sqrt,
  rsqrt,
  sin,
  cos,
  lg2,
  ex2,
  tanh,
  minNaN,
  maxNaN,
  flush,
  canonicalize,
  /** With a constant second operand, or a constant first one. */
  addConstant,
  constantAdd,
  subConstant,
  constantSub,
  mulConstant,
  constantMul,
  divApproxConstant,
  constantDivApprox,
}

/** Losses. */
export const enum LossKernel {
  /** The sum of squared errors, divided by a number. */
  squared,
  /** The sum of absolute errors, divided by a number. */
  absolute,
  /** The greatest absolute error. */
  greatest,
  /** The number of errors beyond the tolerance. */
  misses,
  /** The number of bits that differ. */
  bits,
  /** Squared errors of outputs that are scaled linearly so that they fit best. */
  scaled,
}
