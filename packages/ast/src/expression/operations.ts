// The operations of expressions: one for each instruction of the f32 catalogue, named as PTX names it.
import type { AstTable } from "@mm-ptx/types/core";
import { AstPtxError } from "../error.js";

/** An operation: the name of a PTX instruction without its modifiers. */
export type OperationName =
  | "abs"
  | "add"
  | "copysign"
  | "cos"
  | "div"
  | "ex2"
  | "fma"
  | "lg2"
  | "max"
  | "min"
  | "mul"
  | "neg"
  | "rcp"
  | "rsqrt"
  | "sin"
  | "sqrt"
  | "sub"
  | "tanh";

/** The number of operands of each operation. */
export const ARITY: Readonly<Record<OperationName, number>> = {
  add: 2,
  sub: 2,
  mul: 2,
  div: 2,
  fma: 3,
  neg: 1,
  abs: 1,
  min: 2,
  max: 2,
  copysign: 2,
  rcp: 1,
  sqrt: 1,
  rsqrt: 1,
  sin: 1,
  cos: 1,
  lg2: 1,
  ex2: 1,
  tanh: 1,
};

/** Whether a name is that of an operation. */
export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(ARITY, name);
}

const indices = new WeakMap<AstTable, ReadonlyMap<string, number>>();

/**
 * The index of a table's instruction for an operation: the first f32 instruction of that name (`add` for `add.ftz.f32`)
 * with the same number of arguments.
 * @throws AstPtxError UNSUPPORTED_INSTRUCTION when the table has none
 */
export function instructionFor(table: AstTable, operation: OperationName): number {
  let known = indices.get(table);
  if (known === undefined) {
    known = indexOf(table);
    indices.set(table, known);
  }
  const index = known.get(operation);
  if (index === undefined) {
    throw new AstPtxError(
      "UNSUPPORTED_INSTRUCTION",
      `expected an f32 instruction for \`${operation}\`, found none in the table`,
    );
  }
  return index;
}

function indexOf({ instructions }: AstTable): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  instructions.forEach(({ ptx, args }, index) => {
    const [name] = ptx.split(".", 1);
    if (isOperation(name!) && ARITY[name] === args && ptx.endsWith(".f32") && !found.has(name)) {
      found.set(name, index);
    }
  });
  return found;
}
