// The general versions of everything that pushes values: PTX instructions with operands of any number, stack and width,
// constants, and special registers.
import { packConstant } from "../emit/operand-texts.js";
import { Node, Stack, Text, What } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import { pushNode } from "./slots.js";
import type { MachineTable } from "./table.js";

/**
 * Runs PTX instruction `instruction`; does nothing when a stack has too few values.
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

  work.unlisted++;
  const node = work.nodeEnd;
  const shaped = table.shape[instruction] !== 0;
  const size = Node.args + (shaped ? Node.shapedArgs : args) + (results > 1 ? results * Node.words : 0);
  if (node + size > work.nodes.length) work.growNodes(size);
  work.nodeEnd = node + size;
  const { nodes } = work;
  nodes[node + Text.lengthWord] = Text.pending;
  nodes[node + Node.what] = instruction;
  for (let arg = 0; arg < args; arg++) {
    const stack = operands[next++]!;
    const remaining = --work.sizes[stack]!;
    nodes[node + Node.args + arg] = work.stacks[Stack.pad + stack * work.stride + remaining]!;
  }
  if (shaped) nodes.fill(Node.none, node + Node.args + args, node + size);
  if (results === 1) {
    pushNode(work, operands[next]!, node);
    return true;
  }
  const firstResult = node + Node.args + args;
  for (let result = results - 1; result >= 0; result--) {
    const at = firstResult + Node.words * result;
    work.nodes[at + Text.lengthWord] = Text.pending;
    work.nodes[at + Node.what] = What.projection - node;
    pushNode(work, operands[next + result]!, at);
  }
  return true;
}

/**
 * Pushes a constant.
 * @returns false when the AST is full
 */
export function runConstant(work: Workspace, table: MachineTable, stack: number, bits: number): boolean {
  if (++work.astUsed > work.limits.maxAstSize) return false;
  const node = work.nodeEnd;
  if (node + Node.words > work.nodes.length) work.growNodes(Node.words);
  packConstant(work.nodes, node, bits, table.constants[stack]!);
  work.nodes[node + Node.what] = What.constant - stack;
  work.nodes[node + Node.leaf] = Node.none;
  work.nodes[node + Node.bits] = bits;
  work.nodeEnd = node + Node.words;
  pushNode(work, stack, node);
  return true;
}

/**
 * Pushes the elements of a special register, one node each, because each element is moved by a line of its own.
 * @returns false when the AST is full
 */
export function runSpecial(work: Workspace, table: MachineTable, special: number): boolean {
  const elements = Math.max(1, table.specialElements[special]!);
  work.astUsed += elements;
  if (work.astUsed > work.limits.maxAstSize) return false;
  work.unlisted++;
  const size = Node.words * elements;
  if (work.nodeEnd + size > work.nodes.length) work.growNodes(size);
  for (let element = 0; element < elements; element++) {
    const node = work.nodeEnd;
    work.nodes[node + Text.lengthWord] = Text.pending;
    work.nodes[node + Node.what] = What.special - (special * Node.specialElements + element);
    work.nodeEnd += Node.words;
    pushNode(work, table.specialStack[special]!, node);
  }
  return true;
}
