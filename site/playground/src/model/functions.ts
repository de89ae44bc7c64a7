/** The functions that formulas may use. */
export const FUNCTIONS = [
  "abs",
  "copysign",
  "cos",
  "div",
  "ex2",
  "fma",
  "lg2",
  "max",
  "min",
  "neg",
  "rcp",
  "rsqrt",
  "sin",
  "sqrt",
  "tanh",
] as const;
