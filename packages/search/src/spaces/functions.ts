// Functions: names over several instructions, which programs use like a single one.

/**
 * Functions by their names, as formulas over the arguments `a`, `b`, `c` and so on: `{ gauss: "exp(-(a * a))" }`. A formula consists of
 * instructions of the table, numbers and other functions. Without arguments it is a named constant: `{ tau: "6.2831855" }`.
 */
export type FunctionDefinitions = Readonly<Record<string, string>>;

/** The names of the arguments of functions, in order. */
export const ARGUMENT_NAMES: readonly string[] = "abcdefgh".split("");

/**
 * The functions that every space knows, if the table has the instructions that they consist of. Definitions of a space and instructions
 * of the table take precedence over functions of the same name. They are as exact as the approximate instructions of PTX; `pow` is for
 * positive bases.
 */
export const functions: FunctionDefinitions = Object.freeze({
  square: "a * a",
  cube: "a * a * a",
  inverse: "1 / a",
  neg: "0 - a",
  abs: "max(a, 0 - a)",
  exp: "ex2(a * 1.442695)",
  exp2: "ex2(a)",
  log: "lg2(a) * 0.6931472",
  log2: "lg2(a)",
  log10: "lg2(a) * 0.30103",
  pow: "ex2(b * lg2(a))",
  tan: "sin(a) / cos(a)",
  sinh: "(exp(a) - exp(0 - a)) * 0.5",
  cosh: "(exp(a) + exp(0 - a)) * 0.5",
  tanh: "1 - 2 / (exp(a * 2) + 1)",
  sigmoid: "1 / (1 + exp(0 - a))",
  relu: "max(a, 0)",
  // Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.46.
  asin: "copysign(a, 1.5707963 - sqrt(1 - abs(a)) * arcPolynomial(abs(a)))",
  acos: "1.5707963 - asin(a)",
  arcPolynomial:
    "((((((-0.0012624911 * a + 0.0066700901) * a - 0.0170881256) * a + 0.030891881) * a - 0.0501743046) * a + " +
    "0.0889789874) * a - 0.2145988016) * a + 1.570796305",
});
