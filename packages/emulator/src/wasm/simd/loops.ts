// Which blocks of a segment are in loops, and which branches leave them.
import type { FlowOrder } from "../../control/order.js";

export interface Loops {
  isLooped(block: number): boolean;
  /** Whether the innermost loop around a block may end with it. */
  leavesLoop(block: number): boolean;
}

export function loopsOf(
  { order, place, predecessors }: FlowOrder,
  successors: (block: number) => readonly number[],
): Loops {
  /** For each place, the places in the innermost loop around it. */
  const innermost: (ReadonlySet<number> | undefined)[] = new Array(order.length).fill(undefined);
  // The headers of inner loops come after those of outer ones, so inner loops overwrite them.
  predecessors.forEach((from, header) => {
    const body = new Set([header]);
    const open = from.filter((at) => at >= header);
    if (open.length === 0) return;
    while (open.length > 0) {
      const at = open.pop()!;
      if (body.has(at)) continue;
      body.add(at);
      open.push(...predecessors[at]!);
    }
    for (const at of body) innermost[at] = body;
  });
  return {
    isLooped: (block) => innermost[place[block]!] !== undefined,
    leavesLoop: (block) => {
      const body = innermost[place[block]!];
      return body !== undefined && successors(block).some((next) => !body.has(place[next]!));
    },
  };
}
