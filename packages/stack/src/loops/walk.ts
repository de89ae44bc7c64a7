// The walk over what the requests reach, as far as it consists of instructions with a shape. Calls nothing, like the
// other loops.
import { Chunk, type OperandTexts } from "../emit/operand-texts.js";
import type { MachineTable } from "../machine/table.js";
import { Node, Text, type Workspace } from "../workspace.js";

/**
 * The walk over instructions with a shape. A value that is wanted goes back on the stack as ~node, below the arguments
 * that have no register yet; when it comes up again it is emitted. Stops, with the entry still on the stack, where
 * anything else is needed: another kind of node, more room, a register text that does not exist.
 */
export function walkCommon(work: Workspace, table: MachineTable, texts: OperandTexts): void {
  const { chunks, lengths } = texts;
  const { nodes, order, registerCounts, visit } = work;
  const { shape } = table;
  const lastDepth = Math.min(visit.length, work.limits.maxVisitDepth) - Node.shapedArgs - 1;
  const lastOrdered = order.length - 1;
  let ordered = work.orderCount | 0;
  let depth = work.visitDepth | 0;
  while (depth > 0) {
    const entry = visit[depth - 1]!;
    if (entry >= 0) {
      if (nodes[entry + 1] !== Text.pending) {
        depth--;
        continue;
      }
      const what = nodes[entry]!;
      if (what < 0 || shape[what] === 0 || depth > lastDepth) break;
      visit[depth - 1] = ~entry;
      // Each argument goes on the stack, but stays only when it waits: a branch would be taken at random.
      const third = nodes[entry + 4]!;
      visit[depth] = third;
      const text3 = nodes[third + 1]!;
      depth += ((text3 | (0 - text3)) >>> 31) ^ 1;
      const second = nodes[entry + 3]!;
      visit[depth] = second;
      const text2 = nodes[second + 1]!;
      depth += ((text2 | (0 - text2)) >>> 31) ^ 1;
      const first = nodes[entry + 2]!;
      visit[depth] = first;
      const text1 = nodes[first + 1]!;
      depth += ((text1 | (0 - text1)) >>> 31) ^ 1;
      continue;
    }
    const node = ~entry;
    const what = nodes[node]!;
    if (what < 0 || ordered > lastOrdered) break;
    const packed = shape[what]!;
    if (packed === 0) break;
    const stack = packed >> 16;
    const number = registerCounts[stack]!;
    if (number >= Chunk.registers) break;
    const firstText = chunks[stack * Chunk.perStack + (number >> Chunk.shift)]!;
    if (firstText === 0) break;
    const text = firstText + (number & (Chunk.size - 1));
    nodes[node + 1] = (text << Text.indexShift) | lengths[text]!;
    registerCounts[stack] = number + 1;
    order[ordered++] = node;
    depth--;
  }
  work.orderCount = ordered;
  work.visitDepth = depth;
}
