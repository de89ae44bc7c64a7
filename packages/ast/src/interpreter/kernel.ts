// The kernels that run on blocks of rows, and how steps are encoded for WebAssembly. The file is both TypeScript and
// AssemblyScript.

/**
 * Operations on columns. `flush` replaces subnormals by zeros of the same sign; `canonicalize` gives all NaNs the same
 * encoding.
 */
export const enum Kernel {
  add,
  sub,
  mul,
  fma,
  div,
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
  flush,
  canonicalize,
}

/** The length in bytes of a step as the WebAssembly kernels read it, and the offsets of its fields, 4 bytes each. */
export const enum Step {
  kernel = 0,
  /** f32: results of smaller magnitude become zeros. */
  least = 4,
  /** Addresses, and strides: 16 for a column, 0 for a constant, which is stored four times. */
  target = 8,
  a = 12,
  aStride = 16,
  b = 20,
  bStride = 24,
  c = 28,
  cStride = 32,
  bytes = 36,
}
