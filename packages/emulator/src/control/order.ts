// Block orders and dominators of a part of a graph, from which structured control flow is made (Cooper, Harvey and
// Kennedy, A Simple, Fast Dominance Algorithm).

/** The part of a graph that is reachable from one block. */
export interface FlowOrder {
  /** Its blocks in reverse postorder, with the entry first. */
  readonly order: readonly number[];
  /** For each block, its place in the order; -1 for unreachable blocks. */
  readonly place: Int32Array;
  /** For each place, the place of its immediate dominator. The entry is its own dominator. */
  readonly dominator: Int32Array;
  /** For each place, the places of its predecessors. */
  readonly predecessors: readonly (readonly number[])[];
}

/** @param count the number of blocks of the whole graph */
export function flowOrder(
  entry: number,
  count: number,
  successors: (block: number) => readonly number[],
): FlowOrder {
  const order = postorder(entry, count, successors).reverse();
  const place = new Int32Array(count).fill(-1);
  order.forEach((block, i) => {
    place[block] = i;
  });
  const predecessors: number[][] = order.map(() => []);
  order.forEach((block, i) => {
    for (const next of successors(block)) predecessors[place[next]!]!.push(i);
  });
  return { order, place, dominator: dominators(predecessors), predecessors };
}

/** Whether the block at place `a` dominates the block at place `b`. */
export function dominates({ dominator }: FlowOrder, a: number, b: number): boolean {
  let at = b;
  while (at > a) at = dominator[at]!;
  return at === a;
}

/** Whether every loop has a single entry. Only such graphs can be expressed with blocks, loops and outward branches. */
export function isReducible(flow: FlowOrder): boolean {
  return flow.predecessors.every((from, to) => from.every((at) => at < to || dominates(flow, to, at)));
}

function postorder(entry: number, count: number, successors: (block: number) => readonly number[]): number[] {
  const seen = new Uint8Array(count);
  const result: number[] = [];
  const stack = [{ block: entry, next: 0 }];
  seen[entry] = 1;
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const targets = successors(top.block);
    if (top.next === targets.length) {
      result.push(top.block);
      stack.pop();
      continue;
    }
    // Visiting the last successor first puts the first target of a branch first in the order.
    const target = targets[targets.length - 1 - top.next++]!;
    if (seen[target]) continue;
    seen[target] = 1;
    stack.push({ block: target, next: 0 });
  }
  return result;
}

function dominators(predecessors: readonly (readonly number[])[]): Int32Array {
  const dominator = new Int32Array(predecessors.length).fill(-1);
  dominator[0] = 0;
  const meet = (a: number, b: number): number => {
    let x = a;
    let y = b;
    while (x !== y) {
      if (x > y) x = dominator[x]!;
      else y = dominator[y]!;
    }
    return x;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let at = 1; at < predecessors.length; at++) {
      let found = -1;
      for (const from of predecessors[at]!) {
        if (dominator[from]! < 0) continue;
        found = found < 0 ? from : meet(found, from);
      }
      if (dominator[at] !== found) {
        dominator[at] = found;
        changed = true;
      }
    }
  }
  return dominator;
}
