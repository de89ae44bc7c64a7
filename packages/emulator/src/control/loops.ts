// Finds where loops are in the text, for messages.
import type { Block, Graph } from "./graph.js";
import { following } from "./liveness.js";

/** A loop as a range of a function's instructions: from the target of its back edge to the instruction that jumps. */
export interface Loop {
  readonly function: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the loop that a backward jump closes.
 *
 * @param from the block that jumps
 * @param header the block that it jumps to
 * @param body the blocks between them
 */
export function loopOfJump({ blocks }: Graph, from: number, header: number, body: readonly Block[]): Loop {
  const { context, first } = blocks[header]!;
  const jump = lastOf(blocks[from]!);
  if (blocks[from]!.context === context && jump >= first) {
    return { function: context.function, first, last: jump };
  }
  // The loop is entered in its middle, so its backward jump is elsewhere.
  return extent(blocks[header]!, body);
}

/** The loop that contains a block, continuing across waits; undefined when control never returns to the block. */
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

/** Blocks that are reachable from a block. The block itself is included only if it is reachable from itself. */
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

/** The range from the first to the last instruction of those blocks that belong to the given context. */
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
