// Sums, products, quotients and roots of f32 (and of narrower formats) in f64, and the sign of what f64 can't hold of
// them. So they can be rounded to any narrower format, in any direction, once.

/** Takes the f64 nearest to an exact value, and a number with the sign of the rest. */
export type Finish = (x: number, residue: number) => number;

/** a + b; also for f64, when the sum does not overflow (Knuth's two-sum). */
export function exactSum(a: number, b: number, finish: Finish): number {
  const sum = a + b;
  if (!Number.isFinite(sum)) return finish(sum, 0);
  const part = sum - a;
  return finish(sum, a - (sum - part) + (b - part));
}

/** a * b + c. The product of two f32 is exact. */
export function exactMultiplyAdd(a: number, b: number, c: number, finish: Finish): number {
  return exactSum(a * b, c, finish);
}

/** a / b */
export function exactQuotient(a: number, b: number, finish: Finish): number {
  const quotient = a / b;
  if (quotient === 0 || !Number.isFinite(quotient)) return finish(quotient, 0);
  // Both parts of the quotient have exact products with an f32, and the first difference is exact, too.
  const high = upperHalf(quotient);
  const rest = a - high * b - (quotient - high) * b;
  return finish(quotient, b < 0 ? -rest : rest);
}

/** The square root. */
export function exactRoot(a: number, finish: Finish): number {
  const root = Math.sqrt(a);
  if (root === 0 || !Number.isFinite(root)) return finish(root, 0);
  const high = upperHalf(root);
  const low = root - high;
  return finish(root, a - high * high - 2 * high * low - low * low);
}

/** The upper 26 bits of a number that is not huge (Dekker's split). */
function upperHalf(x: number): number {
  const split = x * 134217729;
  return split - (split - x);
}
