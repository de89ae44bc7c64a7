// The elites that no other one beats in both cost and value, and which of them are worth a label.
import type { Values } from "./shown-value.js";

/** The elites of the front, from the least cost to the greatest; values get better along it. */
export function frontOf(count: number, costOf: (elite: number) => number, values: Values): number[] {
  const order = Array.from({ length: count }, (_, elite) => elite)
    .filter((elite) => Number.isFinite(costOf(elite)) && Number.isFinite(values.at(elite)))
    .sort(
      (a, b) =>
        costOf(a) - costOf(b) ||
        (values.isBetter(values.at(a), values.at(b))
          ? -1
          : values.isBetter(values.at(b), values.at(a))
            ? 1
            : a - b),
    );
  const front: number[] = [];
  for (const elite of order) {
    const last = front.at(-1);
    if (last === undefined || values.isBetter(values.at(elite), values.at(last))) front.push(elite);
  }
  return front;
}

/**
 * The knees of a front in the order of how much they improve per cost over the elite before, on the scale of the picture. Steps below
 * `least` do not count; the best elite is the first and the cheapest one the last in any case.
 */
export function byKnees(
  front: readonly number[],
  costOf: (elite: number) => number,
  placeOf: (elite: number) => number,
  least: number,
): number[] {
  const gains = front.map((elite, i) => {
    const before = front[i - 1];
    if (i === front.length - 1) return Number.POSITIVE_INFINITY;
    if (before === undefined) return 0;
    const step = Math.abs(placeOf(elite) - placeOf(before));
    return step < least ? -1 : step / (costOf(elite) - costOf(before));
  });
  return front
    .map((elite, i) => ({ elite, gain: gains[i]! }))
    .filter(({ gain }) => gain >= 0)
    .sort((a, b) => b.gain - a.gain || costOf(a.elite) - costOf(b.elite))
    .map(({ elite }) => elite);
}
