// The copies at the end of a stub, run one after the other on symbolic values, and what they are meant to do.

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

/**
 * The content of each register after the moves ran in order; a register that is not written contains its own
 * name.
 */
export function runInOrder(moves: readonly Move[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const { target, source } of moves) values.set(target, values.get(source) ?? source);
  return values;
}

/** The content of each register if all moves read before any writes. The last move of a register counts. */
export function runAtOnce(moves: readonly Move[]): Map<string, string> {
  // A move of a register to itself changes nothing and is never hazardous.
  return new Map(moves.flatMap(({ target, source }) => (target === source ? [] : [[target, source]])));
}

/** Whether a move reads, into another register, what an earlier one overwrote. */
export function isHazardous(moves: readonly Move[]): boolean {
  const changed = new Set<string>();
  for (const { target, source } of moves) {
    if (target === source) continue;
    if (changed.has(source)) return true;
    changed.add(target);
  }
  return false;
}
