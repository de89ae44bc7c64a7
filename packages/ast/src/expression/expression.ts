// Expressions: immutable nodes that describe a computation. A node can be part of many expressions, and can occur many
// times in one expression. Numbers among the operands are f32 constants.
import { describeValue, didYouMean } from "@mm-ptx/types/internal";
import { invalid, invalidText } from "../checks.js";
import { float32Bits, float32FromBits } from "../encode.js";
import { counted } from "../error.js";
import { ARITY, isOperation, type OperationName } from "./operations.js";

/** An expression, or a number, which is rounded to f32. */
export type Operand = Expression | number;

/** A computation: an input, a number, or an operation on other expressions. */
export type Expression = Variable | Constant | Operation;

/** The operations as methods that every expression has; `x.add(y)` is `add(x, y)`. */
abstract class Node {
  /** `this + y` */
  add(y: Operand): Operation {
    return operation("add", self(this), y);
  }
  /** `this - y` */
  sub(y: Operand): Operation {
    return operation("sub", self(this), y);
  }
  /** `this * y` */
  mul(y: Operand): Operation {
    return operation("mul", self(this), y);
  }
  /** `this / y` */
  div(y: Operand): Operation {
    return operation("div", self(this), y);
  }
  /** `this * y + z`, rounded once */
  fma(y: Operand, z: Operand): Operation {
    return operation("fma", self(this), y, z);
  }
  /** `-this` */
  neg(): Operation {
    return operation("neg", self(this));
  }
  /** The value without its sign. */
  abs(): Operation {
    return operation("abs", self(this));
  }
  /** The smaller value; a NaN only when both are. */
  min(y: Operand): Operation {
    return operation("min", self(this), y);
  }
  /** The larger value; a NaN only when both are. */
  max(y: Operand): Operation {
    return operation("max", self(this), y);
  }
  /** `y` with the sign of this value, in PTX's order. */
  copysign(y: Operand): Operation {
    return operation("copysign", self(this), y);
  }
  /** `1 / this` */
  rcp(): Operation {
    return operation("rcp", self(this));
  }
  /** The square root. */
  sqrt(): Operation {
    return operation("sqrt", self(this));
  }
  /** `1 / sqrt(this)` */
  rsqrt(): Operation {
    return operation("rsqrt", self(this));
  }
  /** The sine of an angle in radians. */
  sin(): Operation {
    return operation("sin", self(this));
  }
  /** The cosine of an angle in radians. */
  cos(): Operation {
    return operation("cos", self(this));
  }
  /** The base-2 logarithm. */
  lg2(): Operation {
    return operation("lg2", self(this));
  }
  /** 2 to the power of this value. */
  ex2(): Operation {
    return operation("ex2", self(this));
  }
  /** The hyperbolic tangent. */
  tanh(): Operation {
    return operation("tanh", self(this));
  }
}

/** An input, identified by its name. */
export class Variable extends Node {
  readonly kind = "variable";

  /** @throws AstPtxError INVALID_ARGUMENT when the name cannot be written in an expression */
  constructor(readonly name: string) {
    super();
    if (typeof name !== "string" || !VARIABLE_NAME.test(name)) {
      throw invalid("the name of a variable, which starts with a letter", name);
    }
    Object.freeze(this);
  }
}

/** An f32 number. */
export class Constant extends Node {
  readonly kind = "constant";

  /** @param bits as u32 */
  constructor(readonly bits: number) {
    super();
    if (typeof bits !== "number" || bits >>> 0 !== bits) {
      throw invalid("the bits of an f32 as u32", bits);
    }
    Object.freeze(this);
  }

  /** The number with these bits. */
  get value(): number {
    return float32FromBits(this.bits);
  }
}

/** A PTX instruction applied to the values of other expressions. */
export class Operation extends Node {
  readonly kind = "operation";

  /** Use `operation` instead, which checks its arguments. */
  constructor(
    readonly operation: OperationName,
    readonly args: readonly Expression[],
  ) {
    super();
    Object.freeze(args);
    Object.freeze(this);
  }
}

/**
 * Starts like an identifier, so that it can be read back, and is the name of a register or of a register's element
 * (`tid.x`).
 */
const VARIABLE_NAME = /^[A-Za-z_$][A-Za-z0-9_$]*(?:\.[xyzw])?$/;

/** Every node is of one of these three classes. */
function self(node: Node): Expression {
  return node as Expression;
}

/**
 * Makes variables by their names: `const { x, y } = variables("x", "y")`.
 * @throws AstPtxError INVALID_ARGUMENT when a name cannot be written in an expression
 */
export function variables<Name extends string>(...names: readonly Name[]): Record<Name, Variable> {
  return Object.fromEntries(names.map((name) => [name, new Variable(name)])) as Record<Name, Variable>;
}

/** A number rounded to f32, as an expression. @throws AstPtxError INVALID_ARGUMENT unless it is a number */
export function literal(value: number): Constant {
  if (typeof value !== "number") throw invalid("a number or an expression", value);
  return new Constant(float32Bits(value));
}

/** An f32 given by its bits, as an expression. @throws AstPtxError INVALID_ARGUMENT unless they are a u32 */
export function literalBits(bits: number): Constant {
  return new Constant(bits);
}

/** @throws AstPtxError INVALID_ARGUMENT unless it is an expression or a number */
export function toExpression(operand: Operand): Expression {
  return operand instanceof Node ? operand : literal(operand);
}

/**
 * Makes an operation by its name.
 * @throws AstPtxError INVALID_ARGUMENT for an unknown name, a wrong number of operands, or an operand that is neither an
 * expression nor a number
 */
export function operation(name: OperationName, ...args: readonly Operand[]): Operation {
  if (typeof name !== "string" || !isOperation(name)) {
    const suggestion = typeof name === "string" ? didYouMean(name, Object.keys(ARITY)) : "";
    throw invalidText("the name of an operation", `${describeValue(name)}${suggestion}`);
  }
  if (args.length !== ARITY[name]) {
    throw invalid(`${counted(ARITY[name], "operand")} of \`${name}\``, args.length);
  }
  return new Operation(name, args.map(toExpression));
}
