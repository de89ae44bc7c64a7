// Orders and dominators of a part of a graph: what structured control flow is made from (Cooper, Harvey and Kennedy, A
// Simple, Fast Dominance Algorithm).

/** The part of a graph that is reachable from one block. */
export interface FlowOrder {
  /** Its blocks in reverse postorder: the entry first. */
  readonly order: readonly number[];
  /** By block: its place in the order, -1 for blocks that are not reachable. */
  readonly place: Int32Array;
  /** By place: the place of its immediate dominator; the entry's is its own. */
  readonly dominator: Int32Array;
  /** By place: places that control comes from. */
  readonly predecessors: readonly (readonly number[])[];
}

/** @param count of blocks of the whole graph */
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

/** Whether the block at one place dominates that at another. */
export function dominates({ dominator }: FlowOrder, a: number, b: number): boolean {
  let at = b;
  while (at > a) at = dominator[at]!;
  return at === a;
}

/** Whether every loop has one entry: the one kind of graph that blocks, loops and branches outward can express. */
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
    // The last successor first: of two branches the first one then comes first in the order.
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
