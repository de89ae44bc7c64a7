// Removes the instructions of values that copies have overwritten: a stub computes them, but nothing is left of them.
import type { MachineTable } from "../machine/table.js";
import { Node, What } from "../nodes.js";
import type { Workspace } from "../workspace.js";

/** In `Node.next`, which only the walk before needs. */
const enum Mark {
  dead,
  live,
}

/** Keeps those instructions in `work.order` that these values depend on. */
export function keepLive(
  work: Workspace,
  { argCount }: MachineTable,
  values: Int32Array,
  count: number,
): void {
  const { nodes, order, orderCount } = work;
  const mark = (value: number): void => {
    const what = nodes[value + Node.what]!;
    nodes[(what > What.projection ? value : What.projection - what) + Node.next] = Mark.live;
  };
  for (let line = 0; line < orderCount; line++) nodes[order[line]! + Node.next] = Mark.dead;
  for (let value = 0; value < count; value++) mark(values[value]!);
  // Operands come first, so the order is followed backwards; the instructions that are kept gather at its end.
  let kept = orderCount;
  for (let line = orderCount - 1; line >= 0; line--) {
    const node = order[line]!;
    if (nodes[node + Node.next] === Mark.dead) continue;
    order[--kept] = node;
    const what = nodes[node + Node.what]!;
    const last = node + Node.args + (what < 0 ? 0 : argCount[what]!);
    for (let at = node + Node.args; at < last; at++) mark(nodes[at]!);
  }
  order.copyWithin(0, kept, orderCount);
  work.orderCount = orderCount - kept;
}
