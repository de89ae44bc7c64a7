// From what the requests reach to an order of emission: a depth-first walk with an explicit stack, arguments before
// the instruction that reads them, every result given the next register of its stack as it is emitted.
import { visitFull } from "../error.js";
import type { MachineTable } from "../machine/table.js";
import { grown, NODE_HEAD, PROJECTION, SPECIAL_ELEMENTS, TEXT_PENDING, type Workspace } from "../workspace.js";
import type { OperandTexts } from "./operand-texts.js";

/**
 * Gives registers to everything that the requested values reach; `work.order` then holds the nodes to print.
 * @param requested nodes in the order of the requests, at most `maxVisitDepth`
 * @throws StackPtxError INSUFFICIENT_AST_VISIT_SIZE when the walk needs more than `maxVisitDepth` entries
 */
export function assignRegisters(
  work: Workspace,
  table: MachineTable,
  texts: OperandTexts,
  requested: Int32Array,
  count: number,
): void {
  const { nodes, registerCounts } = work;
  const { maxVisitDepth } = work.limits;
  const { argCount, resultCount, resultStack } = table;
  let { order, visit } = work;
  let ordered = 0;
  if (count > visit.length) visit = work.visit = grown(visit, count);
  let depth = count;
  for (let request = 0; request < count; request++) visit[request] = requested[request]!;

  while (depth > 0) {
    const value = visit[--depth]!;
    if (nodes[value + 1] !== TEXT_PENDING) continue;
    let node = value;
    let what = nodes[node]!;
    let args = 0;
    if (what >= 0) {
      args = argCount[what]!;
    } else if (what <= PROJECTION) {
      node = PROJECTION - what;
      what = nodes[node]!;
      args = argCount[what]!;
    }
    if (depth + args + 1 > visit.length) visit = work.visit = grown(visit, depth + args + 1);
    const before = depth;
    for (let at = node + NODE_HEAD + args - 1; at >= node + NODE_HEAD; at--) {
      const arg = nodes[at]!;
      if (nodes[arg + 1] === TEXT_PENDING) {
        if (depth === before) visit[depth++] = value;
        visit[depth++] = arg;
      }
    }
    if (depth !== before) {
      if (depth > maxVisitDepth) throw visitFull(maxVisitDepth);
      continue;
    }
    if (ordered === order.length) order = work.order = grown(order, ordered + 1);
    order[ordered++] = node;
    if (what >= 0 && resultCount[what] !== 1) {
      giveSeveral(work, table, texts, node, what);
      continue;
    }
    const stack = what >= 0 ? resultStack[what]! : table.specialStack[((-1 - what) / SPECIAL_ELEMENTS) | 0]!;
    const number = registerCounts[stack]!;
    registerCounts[stack] = number + 1;
    nodes[node + 1] = texts.register(stack, number);
  }
  work.orderCount = ordered;
}

/** Registers for all results of an instruction, in the order in which they are printed. */
function giveSeveral(work: Workspace, table: MachineTable, texts: OperandTexts, node: number, what: number): void {
  const args = table.argCount[what]!;
  const results = table.resultCount[what]!;
  const stacks = table.operandsAt[what]! + 1 + 2 * table.operands[table.operandsAt[what]!]! + args;
  for (let result = 0; result < results; result++) {
    const stack = table.operands[stacks + result]!;
    work.nodes[node + NODE_HEAD + args + NODE_HEAD * result + 1] = texts.register(stack, work.registerCounts[stack]!++);
  }
}
