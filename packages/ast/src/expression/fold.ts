// Constant folding: an operation on constants becomes a constant, exactly as the interpreter computes it.
import type { AstTable } from "@mm-ptx/types/core";
import { float32Bits } from "../encode.js";
import { float32Function, operationOf } from "../float32.js";
import { Constant, type Expression, Operation } from "./expression.js";
import { instructionFor } from "./operations.js";
import { argsOf, distinctNodes } from "./walk.js";

/**
 * `exact` folds instructions whose result PTX defines to the bit. `all` also folds `.approx` instructions, whose last
 * bits depend on the GPU.
 */
export type Fold = "exact" | "all";

/**
 * Replaces operations on constants by their results. An operation stays when an argument or the result is a NaN,
 * because its encoding depends on more than the expression, or when its instruction is unknown here.
 * @throws AstPtxError UNSUPPORTED_INSTRUCTION when the table has no instruction for an operation
 */
export function foldConstants(root: Expression, table: AstTable, fold: Fold): Expression {
  const folded = new Map<Expression, Expression>();
  for (const node of distinctNodes(root)) {
    if (node.kind !== "operation") {
      folded.set(node, node);
      continue;
    }
    const args = argsOf(node).map((arg) => folded.get(arg)!);
    const constant = args.every((arg) => arg.kind === "constant")
      ? evaluate(
          node,
          args.map(({ value }) => value),
          table,
          fold,
        )
      : undefined;
    const same = args.every((arg, index) => arg === node.args[index]);
    folded.set(node, constant ?? (same ? node : new Operation(node.operation, args)));
  }
  return folded.get(root)!;
}

function evaluate(
  { operation }: Operation,
  values: readonly number[],
  table: AstTable,
  fold: Fold,
): Constant | undefined {
  const { ptx } = table.instructions[instructionFor(table, operation)]!;
  if (fold === "exact" && ptx.includes(".approx")) return undefined;
  // Instructions that the interpreter does not know are left to the GPU.
  if (operationOf(ptx) === undefined || values.some(Number.isNaN)) return undefined;
  const value = float32Function(ptx)(...values);
  return Number.isNaN(value) ? undefined : new Constant(float32Bits(value));
}
