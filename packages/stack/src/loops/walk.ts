// The walk over what the requests depend on, as long as it consists of instructions with a shape. Like the other loops
// it calls only functions that the engine inlines.
import { giveRegister } from "../emit/operand-texts.js";
import { type MachineTable, Shape } from "../machine/table.js";
import { Node, Text } from "../nodes.js";
import type { Workspace } from "../workspace.js";

/**
 * Walks over instructions with a shape. A requested value goes back on the stack as ~node, below those of its arguments
 * that have no register yet; when it is on top again, it is emitted. The walk stops, with the entry still on the stack,
 * when it meets another kind of node or needs more room.
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
      // Each argument is written to the stack but stays only if it has no register yet: a branch would be
      // unpredictable.
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

/** Returns 1 for `Text.pending`, which is 0, and 0 for anything else. */
function isPending(lengthWord: number): number {
  return ((lengthWord | (0 - lengthWord)) >>> 31) ^ 1;
}
