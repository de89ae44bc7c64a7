// Instructions whose operands are of several stacks, vectors, or more than one result, and special registers: the
// cases that the fetch loop leaves to tables.
import { NODE_HEAD, PROJECTION, SPECIAL_ELEMENTS, TEXT_PENDING, type Workspace } from "../workspace.js";
import { pushNode } from "./slots.js";
import type { MachineTable } from "./table.js";

/**
 * Runs PTX instruction `instruction`; a no-op when a stack has too few values.
 * @returns false when the AST is full
 */
export function runInstruction(work: Workspace, table: MachineTable, instruction: number): boolean {
  const { operands } = table;
  let next = table.operandsAt[instruction]!;
  const needs = operands[next++]!;
  for (let i = 0; i < needs; i++, next += 2) {
    if (work.sizes[operands[next]!]! < operands[next + 1]!) return true;
  }
  const args = table.argCount[instruction]!;
  const results = table.resultCount[instruction]!;
  work.astUsed += args + results;
  if (work.astUsed > work.limits.maxAstSize) return false;

  const node = work.nodeEnd;
  const size = NODE_HEAD + args + (results > 1 ? results * NODE_HEAD : 0);
  if (node + size > work.nodes.length) work.growNodes(size);
  work.nodeEnd = node + size;
  const { nodes } = work;
  nodes[node] = instruction;
  nodes[node + 1] = TEXT_PENDING;
  for (let arg = 0; arg < args; arg++) {
    const stack = operands[next++]!;
    const remaining = --work.sizes[stack]!;
    nodes[node + NODE_HEAD + arg] = work.stacks[stack * work.stride + remaining]!;
  }
  if (results === 1) {
    pushNode(work, operands[next]!, node);
    return true;
  }
  const firstResult = node + NODE_HEAD + args;
  for (let result = results - 1; result >= 0; result--) {
    const at = firstResult + NODE_HEAD * result;
    nodes[at] = PROJECTION - node;
    nodes[at + 1] = TEXT_PENDING;
    pushNode(work, operands[next + result]!, at);
  }
  return true;
}

/**
 * Pushes the elements of a special register, one node each, since each is moved on its own.
 * @returns false when the AST is full
 */
export function runSpecial(work: Workspace, table: MachineTable, special: number): boolean {
  const elements = Math.max(1, table.specialElements[special]!);
  work.astUsed += elements;
  if (work.astUsed > work.limits.maxAstSize) return false;
  const size = NODE_HEAD * elements;
  if (work.nodeEnd + size > work.nodes.length) work.growNodes(size);
  for (let element = 0; element < elements; element++) {
    const node = work.nodeEnd;
    work.nodes[node] = -1 - (special * SPECIAL_ELEMENTS + element);
    work.nodes[node + 1] = TEXT_PENDING;
    work.nodeEnd += NODE_HEAD;
    pushNode(work, table.specialStack[special]!, node);
  }
  return true;
}
