// Sums of f32 values (and narrower formats) and of their products in f64, with the sign of the part that f64 cannot
// represent. They can thus be rounded once to any narrower format, in any direction.

/** Receives the f64 nearest to an exact value and a number with the sign of the remainder. */
export type Finish = (x: number, residue: number) => number;

/** a + b; also valid for f64 if the sum does not overflow (Knuth's two-sum) */
export function exactSum(a: number, b: number, finish: Finish): number {
  const sum = a + b;
  if (!Number.isFinite(sum)) return finish(sum, 0);
  const part = sum - a;
  return finish(sum, a - (sum - part) + (b - part));
}
