// Sums of f32 (and of narrower formats) and of their products in f64, and the sign of what f64 can't hold of them. So they can
// be rounded to any narrower format, in any direction, once.

/** Takes the f64 nearest to an exact value, and a number with the sign of the rest. */
export type Finish = (x: number, residue: number) => number;

/** a + b; also for f64, when the sum does not overflow (Knuth's two-sum). */
export function exactSum(a: number, b: number, finish: Finish): number {
  const sum = a + b;
  if (!Number.isFinite(sum)) return finish(sum, 0);
  const part = sum - a;
  return finish(sum, a - (sum - part) + (b - part));
}
