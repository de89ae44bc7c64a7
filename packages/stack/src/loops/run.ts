// The fetch loop for the most common instructions: inputs, constants and PTX instructions with a shape, as long as no
// limit is near and no stack is full. It calls nothing, so that the engine keeps every array's address and length in
// registers. It stops at the first instruction that needs anything else.
import { HEX_PAIRS } from "../emit/constants.js";
import { packConstant } from "../emit/operand-texts.js";
import { InstructionType, Packed } from "../layout.js";
import { type MachineInputs, type MachineTable, Shape } from "../machine/table.js";
import { Node, Stack, Text, What } from "../nodes.js";
import type { Workspace } from "../workspace.js";

/** The number of instructions for which room is made at a time. */
const BATCH = 4096;

/** Runs instructions from word `start` up to word `end`; returns the first word that it did not run. */
export function runCommon(
  work: Workspace,
  table: MachineTable,
  words: Uint32Array,
  start: number,
  end: number,
  inputs: MachineInputs,
): number {
  const stop = Math.min(end, start + BATCH * Packed.wordsPerInstruction) | 0;
  const most = ((stop - start) / Packed.wordsPerInstruction) * Node.shapedWords;
  if (work.nodeEnd + most > work.nodes.length) work.growNodes(most);
  const { nodes, sizes, stacks } = work;
  const stride = work.stride | 0;
  const { constants, shape } = table;
  const hexPairs = HEX_PAIRS;
  const instructionCount = table.instructionCount | 0;
  const stackCount = table.stackCount | 0;
  const lastAst = (work.limits.maxAstSize - Node.shapedEntries) | 0;
  const inputStacks = inputs.stacks;
  const inputCount = inputs.count | 0;
  let nodeEnd = work.nodeEnd | 0;
  let ast = work.astUsed | 0;
  let at = start | 0;
  while (at < stop && ast <= lastAst) {
    const head = words[at]! | 0;
    const payload = words[at + 1]! | 0;
    const type = head & Packed.typeMask;
    if (type === InstructionType.ptx) {
      if (payload >>> 0 >= instructionCount) break;
      const packed = shape[payload]!;
      const args = packed & Shape.argsMask;
      const from = (packed >> Shape.fromShift) & Shape.fromMask;
      if (args === 0 || from === Shape.mixed) break;
      const to = packed >> Shape.toShift;
      const size = sizes[from]! - args;
      if (size >= 0) {
        const top = Stack.pad - 1 + from * stride + size + args;
        // Missing arguments become Node.none: masks are cheaper than unpredictable branches.
        const second = stacks[top - 1]! & ((1 - args) >> 31);
        const third = stacks[top - 2]! & ((2 - args) >> 31);
        const resultSize = from === to ? size : sizes[to]!;
        if (resultSize >= stride) break;
        nodes[nodeEnd + Text.lengthWord] = Text.pending;
        nodes[nodeEnd + Node.what] = payload;
        nodes[nodeEnd + Node.args] = stacks[top]!;
        nodes[nodeEnd + Node.args + 1] = second;
        nodes[nodeEnd + Node.args + 2] = third;
        sizes[from] = size;
        stacks[Stack.pad + to * stride + resultSize] = nodeEnd;
        sizes[to] = resultSize + 1;
        nodeEnd += Node.shapedWords;
        ast += args + 1;
      }
    } else if (type === InstructionType.input) {
      if (payload >>> 0 >= inputCount) break;
      const stack = inputStacks[payload]!;
      if (stack >= stackCount) break;
      const size = sizes[stack]!;
      if (size >= stride) break;
      stacks[Stack.pad + stack * stride + size] = Node.firstInput + payload * Node.words;
      sizes[stack] = size + 1;
      ast++;
    } else if (type === InstructionType.constant) {
      const stack = head >>> Packed.auxShift;
      if (stack >= stackCount) break;
      const size = sizes[stack]!;
      if (size >= stride) break;
      packConstant(nodes, nodeEnd, payload, constants[stack]!, hexPairs);
      nodes[nodeEnd + Node.what] = What.constant - stack;
      nodes[nodeEnd + Node.bits] = payload;
      stacks[Stack.pad + stack * stride + size] = nodeEnd;
      sizes[stack] = size + 1;
      nodeEnd += Node.words;
      ast++;
    } else {
      break;
    }
    at += Packed.wordsPerInstruction;
  }
  work.nodeEnd = nodeEnd;
  work.astUsed = ast;
  return at;
}
