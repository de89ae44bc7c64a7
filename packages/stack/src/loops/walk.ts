// The walk over what the requests reach, as far as it consists of instructions with a shape. Calls nothing that the
// engine does not write in place, like the other loops.
import { giveRegister } from "../emit/operand-texts.js";
import { type MachineTable, Shape } from "../machine/table.js";
import { Node, Text } from "../nodes.js";
import type { Workspace } from "../workspace.js";

/**
 * The walk over instructions with a shape. A value that is wanted goes back on the stack as ~node, below the arguments
 * that have no register yet; when it comes up again it is emitted. Stops, with the entry still on the stack, where
 * anything else is needed: another kind of node, or more room.
 */
export function walkCommon(work: Workspace, table: MachineTable): void {
  const { nodes, order, visit } = work;
  const { shape } = table;
  const lastDepth = Math.min(visit.length, work.limits.maxVisitDepth) - Node.shapedArgs - 1;
  const lastOrdered = order.length - 1;
  let ordered = work.orderCount | 0;
  let depth = work.visitDepth | 0;
  while (depth > 0) {
    let entry = visit[depth - 1]!;
    if (entry >= 0) {
      if (nodes[entry + Text.lengthWord] !== Text.pending) {
        depth--;
        continue;
      }
      const what = nodes[entry + Node.what]!;
      if (what < 0 || shape[what] === 0 || depth > lastDepth) break;
      visit[depth - 1] = ~entry;
      const before = depth;
      // Each argument goes on the stack, but stays only when it waits: a branch would be taken at random.
      const third = nodes[entry + Node.args + 2]!;
      visit[depth] = third;
      depth += isPending(nodes[third + Text.lengthWord]!);
      const second = nodes[entry + Node.args + 1]!;
      visit[depth] = second;
      depth += isPending(nodes[second + Text.lengthWord]!);
      const first = nodes[entry + Node.args]!;
      visit[depth] = first;
      depth += isPending(nodes[first + Text.lengthWord]!);
      if (depth !== before) continue;
      entry = ~entry;
    }
    const node = ~entry;
    const what = nodes[node + Node.what]!;
    if (what < 0 || ordered > lastOrdered) break;
    const packed = shape[what]!;
    if (packed === 0) break;
    giveRegister(work, packed >> Shape.toShift, node);
    order[ordered++] = node;
    depth--;
  }
  work.orderCount = ordered;
  work.visitDepth = depth;
}

/** 1 for `Text.pending`, which is 0, and 0 for anything else. */
function isPending(lengthWord: number): number {
  return ((lengthWord | (0 - lengthWord)) >>> 31) ^ 1;
}
