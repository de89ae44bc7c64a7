// The layout and the numbers that the gradient module and its callers share. The file is both TypeScript and
// AssemblyScript.

/** How the derivative of an operation is computed; `none` for operations without one. */
export const enum Rule {
  none,
  /** The result is piecewise constant: predicates of `setp`, for example. */
  constant,
  /** The result is the operand, rounded or not. */
  identity,
  add,
  sub,
  mul,
  fma,
  div,
  neg,
  abs,
  /** The result is the first operand where they are equal, otherwise the second: `min` and `max`. */
  extremum,
  copysign,
  rcp,
  sqrt,
  rsqrt,
  sin,
  cos,
  lg2,
  ex2,
  tanh,
  /** The first operand where the third, a predicate, is true, otherwise the second. */
  select,
  /** The first operand where the third, an f32 or s32, is not negative, otherwise the second. */
  selectBySign,
  selectByInteger,
  /** The same for an f32 whose subnormal values count as zeros: `slct.ftz`. */
  selectByFlushedSign,
}

/** The facts about the derivative with respect to a value: offsets in bytes from its place. */
export const enum Adjoint {
  bytes = 8,
  shift = 3,
  /** Its column, as operands of steps have it, or `none` or `one`. */
  place = 0,
  /** Flags. */
  flags = 4,
  /** Depends on a constant in a differentiable way. */
  active = 1,
  /** Depends on a constant through an operation without a derivative. */
  rough = 2,
  /** The derivative is the negative of the column. */
  negative = 4,
  none = 0xffffffff,
  one = 0xfffffffc,
}

/** The kernels of reverse steps; `g` is the derivative with respect to the result, `y` the result. */
export const enum ReverseKernel {
  add,
  sub,
  /** g * a */
  mul,
  /** g / a */
  div,
  /** g with its sign changed where a is negative */
  flipSign,
  /** g with its sign changed where one of a and b is negative */
  flipSigns,
  /** g where a = b, otherwise 0 */
  whereEqual,
  whereDifferent,
  /** g where the predicate a is true */
  whereTrue,
  whereFalse,
  /** g where a is not negative */
  whereSign,
  whereNoSign,
  whereInteger,
  whereNoInteger,
  /** g * y * y */
  rcp,
  /** g / 2 / y */
  sqrt,
  /** g / 2 * y / a */
  rsqrt,
  lg2,
  ex2,
  tanh,
  /** A kernel of f32, whose function is `Step.extra`. */
  forward,
}

/** The memory that the module reads and writes: offsets in bytes from the address that it is given. */
export const enum Room {
  bytes = 128,
  /** Fields of values: `Adjoint`. */
  adjoints = 0,
  /** Reverse steps, with the layout of `Step`. */
  steps = 4,
  /** Constants that the output depends on: see `Parameter`. */
  parameters = 8,
  /** f64 numbers to compute with. */
  numbers = 12,
  /** Results of a chunk: `FitResult`. */
  results = 16,
  /** Constants of a chunk, their f32 bits; and their derivatives as f64. */
  constants = 20,
  derivatives = 24,
  /** The seeds of a chunk: two words for each code. */
  seeds = 28,
  /** The `Method` to run. */
  method = 32,
  iterations = 36,
  /** How errors become derivatives: `ErrorKind`. */
  errors = 40,
  /** The f32 square roots of weights, as operands have them, or 0. */
  rootWeights = 44,
  /** The f32 targets minus their mean, times root weights, as operands have them; for `ErrorKind.scaled`. */
  centered = 48,
  /** The functions of the kernels of sine and cosine. */
  sine = 52,
  cosine = 56,
  /** Codes with more constants are not fitted by `Method.levenbergMarquardt`. */
  mostConstants = 60,
  /** f64: the relative decrease of a loss below which fitting stops. */
  tolerance = 64,
  /** f64: the number by which the loss divides the sum of its terms. */
  divisor = 72,
}

/** A constant of a code, in bytes from its place. */
export const enum Parameter {
  bytes = 32,
  shift = 5,
  /** The address of its bits in the code. */
  bits = 0,
  /** The address of its column. */
  column = 4,
  /** The column of its derivatives, as operands have it, and whether to negate it. */
  derivative = 8,
  negative = 12,
  /** Its number among the constants of the code. */
  index = 16,
}

export const enum Method {
  gradient,
  levenbergMarquardt,
  evolution,
}

/** What the derivative of the loss with respect to an output is computed from. */
export const enum ErrorKind {
  /** Errors: for squares. */
  squared,
  /** The signs of errors: for absolute values. */
  absolute,
  /** Errors after optimal linear scaling of the outputs. */
  scaled,
}

/** The result of a code: offsets in bytes from its place. */
export const enum FitResult {
  bytes = 32,
  loss = 0,
  lossBefore = 8,
  evaluations = 16,
  status = 20,
  /** The number of its f32 constants. */
  constants = 24,
}

export const enum FitStatus {
  ok = 0,
  notFinite = 1,
  notDifferentiable = 2,
  /** The loss is a number and its derivatives are not. */
  noGradient = 3,
  tooManyConstants = 4,
}
