// The copies that end a stub, run one after the other with a name for each value, and what they are meant to do.

/** `mov` from a value to a register, both as operands without `%` (constants stay as written). */
export interface Move {
  readonly target: string;
  readonly source: string;
}

/** The `mov` lines of a stub. */
export function movesOf(text: string): Move[] {
  return [...text.matchAll(/^\tmov\.\w+ %([^,\s]+), %?([^;\s]+);$/gm)].map(([, target, source]) => ({
    target: target!,
    source: source!,
  }));
}

/** What each register holds when moves were run in order; a register that none writes holds its own name. */
export function runInOrder(moves: readonly Move[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const { target, source } of moves) values.set(target, values.get(source) ?? source);
  return values;
}

/** What each register holds when all moves read before any writes. The last move of a register counts. */
export function runAtOnce(moves: readonly Move[]): Map<string, string> {
  // A move of a register to itself leaves whatever is there (it changes nothing and is never hazardous).
  return new Map(moves.flatMap(({ target, source }) => (target === source ? [] : [[target, source]])));
}

/** Whether one of these moves reads, into another register, what an earlier one overwrote. */
export function isHazardous(moves: readonly Move[]): boolean {
  const changed = new Set<string>();
  for (const { target, source } of moves) {
    if (target === source) continue;
    if (changed.has(source)) return true;
    changed.add(target);
  }
  return false;
}
