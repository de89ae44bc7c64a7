// Where loops stand in the text, for messages.
import type { Block, Graph } from "./graph.js";
import { following } from "./liveness.js";

/** A loop by indices of instructions of a function: from where it is jumped to, to what jumps. */
export interface Loop {
  readonly function: number;
  readonly first: number;
  readonly last: number;
}

/**
 * The loop that a jump back closes.
 *
 * @param from the block that jumps
 * @param header the block that it jumps to
 * @param body blocks between them
 */
export function loopOfJump({ blocks }: Graph, from: number, header: number, body: readonly Block[]): Loop {
  const { context, first } = blocks[header]!;
  const jump = lastOf(blocks[from]!);
  if (blocks[from]!.context === context && jump >= first) {
    return { function: context.function, first, last: jump };
  }
  // The loop is entered in its middle: its jump is elsewhere.
  return extent(blocks[header]!, body);
}

/** The loop in which a block is, waits passed through; undefined when control never comes back to it. */
export function loopAround(graph: Graph, block: number): Loop | undefined {
  const { blocks } = graph;
  const before: number[][] = blocks.map(() => []);
  blocks.forEach((each, i) => {
    for (const next of following(each)) before[next]!.push(i);
  });
  const after = reachable(block, (at) => following(blocks[at]!));
  const back = reachable(block, (at) => before[at]!);
  const inside = [...after].filter((at) => back.has(at));
  if (inside.length === 0) return undefined;
  return extent(
    blocks[block]!,
    inside.map((at) => blocks[at]!),
  );
}

/** Blocks that one comes to; the first one only when it comes back. */
function reachable(block: number, next: (block: number) => readonly number[]): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting = [...next(block)];
  while (waiting.length > 0) {
    const at = waiting.pop()!;
    if (found.has(at)) continue;
    found.add(at);
    waiting.push(...next(at));
  }
  return found;
}

/** From the first to the last instruction of blocks, of those that belong to the same call as one of them. */
function extent({ context }: Block, body: readonly Block[]): Loop {
  const inside = body.filter((block) => block.context === context);
  return {
    function: context.function,
    first: Math.min(...inside.map(({ first }) => first)),
    last: Math.max(...inside.map(lastOf)),
  };
}

/** The last instruction of a block. */
export function lastOf({ first, steps, end }: Block): number {
  if (end.kind === "jump" && end.at !== undefined) return end.at;
  if ("step" in end) return end.step.index;
  return steps.at(-1)?.index ?? first;
}
