// The operations of expressions as functions: `mul(x, y).add(1)`, `sub(1, x)`.
import { type Operand, type Operation, operation } from "./expression.js";

/** `x + y` */
export const add = (x: Operand, y: Operand): Operation => operation("add", x, y);
/** `x - y` */
export const sub = (x: Operand, y: Operand): Operation => operation("sub", x, y);
/** `x * y` */
export const mul = (x: Operand, y: Operand): Operation => operation("mul", x, y);
/** `x / y` */
export const div = (x: Operand, y: Operand): Operation => operation("div", x, y);
/** `x * y + z`, rounded once */
export const fma = (x: Operand, y: Operand, z: Operand): Operation => operation("fma", x, y, z);
/** `-x` */
export const neg = (x: Operand): Operation => operation("neg", x);
/** `x` without its sign */
export const abs = (x: Operand): Operation => operation("abs", x);
/** The smaller value; a NaN only when both are. */
export const min = (x: Operand, y: Operand): Operation => operation("min", x, y);
/** The larger value; a NaN only when both are. */
export const max = (x: Operand, y: Operand): Operation => operation("max", x, y);
/** `y` with the sign of `x`, in PTX's order; C's `copysign` takes the sign from its second argument. */
export const copysign = (x: Operand, y: Operand): Operation => operation("copysign", x, y);
/** `1 / x` */
export const rcp = (x: Operand): Operation => operation("rcp", x);
/** The square root. */
export const sqrt = (x: Operand): Operation => operation("sqrt", x);
/** `1 / sqrt(x)` */
export const rsqrt = (x: Operand): Operation => operation("rsqrt", x);
/** The sine of an angle in radians. */
export const sin = (x: Operand): Operation => operation("sin", x);
/** The cosine of an angle in radians. */
export const cos = (x: Operand): Operation => operation("cos", x);
/** The base-2 logarithm. */
export const lg2 = (x: Operand): Operation => operation("lg2", x);
/** 2 to the power of `x`. */
export const ex2 = (x: Operand): Operation => operation("ex2", x);
/** The hyperbolic tangent. */
export const tanh = (x: Operand): Operation => operation("tanh", x);
