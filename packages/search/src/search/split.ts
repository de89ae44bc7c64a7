// Shares a number of candidates among emitters.

/** Whole numbers with the sum `total`, in proportion to the shares: each is rounded down, and the largest remainders get one more. */
export function split(total: number, shares: readonly number[]): number[] {
  const sum = shares.reduce((all, share) => all + share, 0);
  const exact = shares.map((share) => (total * share) / sum);
  const counts = exact.map(Math.floor);
  const left = total - counts.reduce((all, count) => all + count, 0);
  const order = [...shares.keys()].sort((a, b) => exact[b]! - counts[b]! - (exact[a]! - counts[a]!) || a - b);
  for (const index of order.slice(0, left)) counts[index]!++;
  return counts;
}
