// What a kernel does to blocks of rows, and how WebAssembly is told. TypeScript and AssemblyScript at once.

/** Operations on columns. `flush` makes subnormals zeros and keeps their sign; `canonicalize` gives each NaN one encoding. */
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

/** Bytes of a step as the WebAssembly kernels read it, and the offsets of its fields, 4 bytes each. */
export const enum Step {
  kernel = 0,
  /** f32: results whose size is below become zeros. */
  least = 4,
  /** Addresses; a stride of 0 is a constant, of which there are four copies, 16 a column. */
  target = 8,
  a = 12,
  aStride = 16,
  b = 20,
  bStride = 24,
  c = 28,
  cStride = 32,
  bytes = 36,
}
