// Walks over expressions with an explicit stack, so that a chain of a million operations does not overflow the call
// stack.
import { AstPtxError } from "../error.js";
import type { Expression } from "./expression.js";

const LEAF: readonly Expression[] = [];

export function argsOf(expression: Expression): readonly Expression[] {
  return expression.kind === "operation" ? expression.args : LEAF;
}

/** Yields each node of an expression once, in reading order, with operands before the nodes that use them. */
export function distinctNodes(root: Expression): Expression[] {
  const nodes: Expression[] = [];
  const entered = new Set<Expression>();
  const path: Expression[] = [root];
  const next: number[] = [0];
  entered.add(root);
  while (path.length > 0) {
    const node = path[path.length - 1]!;
    const args = argsOf(node);
    const at = next[next.length - 1]!++;
    if (at >= args.length) {
      nodes.push(node);
      path.pop();
      next.pop();
    } else if (!entered.has(args[at]!)) {
      entered.add(args[at]!);
      path.push(args[at]!);
      next.push(0);
    }
  }
  return nodes;
}

/** The most nodes of an expression that is written out. */
const MOST_NODES = 2 ** 24;

/**
 * Rejects expressions that have too many nodes when written out. A node is written wherever it is used, so a chain of
 * nodes that are each used twice doubles the number at every step.
 * @throws AstPtxError INVALID_ARGUMENT when there are more than 2^24
 */
export function checkTreeSize(root: Expression): void {
  const sizes = new Map<Expression, number>();
  for (const node of distinctNodes(root)) {
    let size = 1;
    for (const arg of argsOf(node)) size += sizes.get(arg)!;
    sizes.set(node, size);
  }
  const size = sizes.get(root)!;
  if (size <= MOST_NODES) return;
  throw new AstPtxError(
    "INVALID_ARGUMENT",
    `expected at most ${MOST_NODES} nodes when each is written wherever it is used, found ${size}`,
  );
}
