// From what the requests reach to an order of emission: a depth-first walk with an explicit stack, arguments before
// the instruction that reads them, every result given the next register of its stack as it is emitted.
import { visitFull } from "../error.js";
import type { Loops } from "../loops/loops.js";
import type { MachineTable } from "../machine/table.js";
import { Node, Text, type Workspace } from "../workspace.js";
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
  loops: Loops,
  requested: Int32Array,
  count: number,
): void {
  const { nodes, registerCounts } = work;
  if (count > work.visit.length) work.growVisit(count);
  for (let request = 0; request < count; request++) work.visit[request] = requested[request]!;
  work.visitDepth = count;
  work.orderCount = 0;
  while (work.visitDepth > 0) {
    loops.walk();
    if (work.visitDepth === 0) break;
    const entry = work.visit[--work.visitDepth]!;
    if (entry >= 0) {
      if (nodes[entry + 1] === Text.pending) want(work, table, entry);
      continue;
    }
    const node = ~entry;
    if (work.orderCount === work.order.length) work.growOrder(work.orderCount + 1);
    work.order[work.orderCount++] = node;
    const what = nodes[node]!;
    const stack =
      what >= 0 ? table.resultStack[what]! : table.specialStack[((-1 - what) / Node.specialElements) | 0]!;
    if (stack < 0) giveSeveral(work, table, texts, node, what);
    else nodes[node + 1] = texts.register(stack, registerCounts[stack]!++);
  }
}

/** Puts a value of any kind back as ~node, and above it the arguments that wait. */
function want(work: Workspace, table: MachineTable, value: number): void {
  const { nodes } = work;
  const { maxVisitDepth } = work.limits;
  const what = nodes[value]!;
  const node = what > Node.projection ? value : Node.projection - what;
  const instruction = nodes[node]!;
  const args = instruction < 0 ? 0 : table.argCount[instruction]!;
  const start = work.visitDepth;
  if (start + args + 1 > work.visit.length) work.growVisit(start + args + 1);
  let depth = start;
  work.visit[depth++] = ~node;
  for (let at = node + Node.head + args - 1; at >= node + Node.head; at--) {
    const arg = nodes[at]!;
    if (nodes[arg + 1] === Text.pending) work.visit[depth++] = arg;
  }
  if (depth > maxVisitDepth) throw visitFull(maxVisitDepth);
  work.visitDepth = depth;
}

/** Registers for all results of an instruction, in the order in which they are printed. */
function giveSeveral(
  work: Workspace,
  table: MachineTable,
  texts: OperandTexts,
  node: number,
  what: number,
): void {
  const args = table.argCount[what]!;
  const results = table.resultCount[what]!;
  const stacks = table.operandsAt[what]! + 1 + 2 * table.operands[table.operandsAt[what]!]! + args;
  for (let result = 0; result < results; result++) {
    const stack = table.operands[stacks + result]!;
    work.nodes[node + Node.head + args + Node.head * result + 1] = texts.register(
      stack,
      work.registerCounts[stack]!++,
    );
  }
}
