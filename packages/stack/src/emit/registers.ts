// Determines the order of emission by walking the values that the requests depend on: a depth-first walk with an
// explicit stack, in which arguments come before the instruction that reads them. Each result gets the next register of
// its stack as it is emitted.
import { visitFull } from "../error.js";
import type { Loops } from "../loops/loops.js";
import type { MachineTable } from "../machine/table.js";
import { Node, specialOf, Text, What } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import { giveRegister } from "./operand-texts.js";

/**
 * Assigns registers to everything that the requested values depend on. Afterwards `work.order` holds the nodes to
 * print.
 * @param requested nodes in the order of the requests, at most `maxVisitDepth`
 * @throws StackPtxError INSUFFICIENT_AST_VISIT_SIZE when the walk needs more than `maxVisitDepth` entries
 */
export function assignRegisters(
  work: Workspace,
  table: MachineTable,
  loops: Loops,
  requested: Int32Array,
  count: number,
): void {
  work.growVisit(count);
  for (let request = 0; request < count; request++) work.visit[request] = requested[request]!;
  work.visitDepth = count;
  work.orderCount = 0;
  while (work.visitDepth > 0) {
    loops.walk();
    if (work.visitDepth === 0) break;
    const entry = work.visit[--work.visitDepth]!;
    if (entry >= 0) {
      if (work.nodes[entry + Text.lengthWord] === Text.pending) visitArguments(work, table, entry);
      continue;
    }
    const node = ~entry;
    work.growOrder(work.orderCount + 1);
    work.order[work.orderCount++] = node;
    const what = work.nodes[node + Node.what]!;
    const stack = what >= 0 ? table.resultStack[what]! : table.specialStack[specialOf(what)]!;
    if (stack < 0) giveSeveral(work, table, node, what);
    else giveRegister(work, stack, node);
  }
}

/** Puts a value of any kind back on the stack as ~node, and above it the arguments that have no register yet. */
function visitArguments(work: Workspace, table: MachineTable, value: number): void {
  const { maxVisitDepth } = work.limits;
  const what = work.nodes[value + Node.what]!;
  const node = what > What.projection ? value : What.projection - what;
  const instruction = work.nodes[node + Node.what]!;
  const args = instruction < 0 ? 0 : table.argCount[instruction]!;
  work.growVisit(work.visitDepth + args + 1);
  const { nodes, visit } = work;
  let depth = work.visitDepth;
  visit[depth++] = ~node;
  for (let at = node + Node.args + args - 1; at >= node + Node.args; at--) {
    const arg = nodes[at]!;
    if (nodes[arg + Text.lengthWord] === Text.pending) visit[depth++] = arg;
  }
  if (depth > maxVisitDepth) throw visitFull(maxVisitDepth);
  work.visitDepth = depth;
}

/** Assigns registers to all results of an instruction, in the order in which they are printed. */
function giveSeveral(work: Workspace, table: MachineTable, node: number, what: number): void {
  const args = table.argCount[what]!;
  const results = table.resultCount[what]!;
  const stacks = table.resultsAt[what]!;
  for (let result = 0; result < results; result++) {
    giveRegister(work, table.operands[stacks + result]!, node + Node.args + args + Node.words * result);
  }
}
