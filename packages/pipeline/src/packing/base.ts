// What the address in a register is derived from: the base to which a program adds offsets.

/**
 * A base. Those of parameters are `ownBase` and `sharedBase`.
 *
 * UNKNOWN: nothing has been found out yet. ZERO: the constant 0. VALUE: anything that no parameter with parts of the alternatives
 * is in. VARIABLE: a variable of the module. PRIVATE: shared or local memory. MIXED: computed from the address of such a
 * parameter, but not by adding offsets to it.
 */
export const enum Base {
  UNKNOWN = 0,
  ZERO = 1,
  VALUE = 2,
  VARIABLE = 3,
  PRIVATE = 4,
  MIXED = 5,
}

const OWN = 2 ** 16;
const SHARED = 2 ** 20;

/** The base of a parameter of which each alternative has its own part. */
export const ownBase = (parameter: number): number => OWN + parameter;
/** The base of another parameter. */
export const sharedBase = (parameter: number): number => SHARED + parameter;
export const isOwn = (base: number): boolean => base >= OWN && base < SHARED;
/** The parameter of a base that `sharedBase` made. */
export const sharedParameter = (base: number): number | undefined =>
  base >= SHARED ? base - SHARED : undefined;
/** Whether the value depends on where an alternative's part is. */
export const isOwnDerived = (base: number): boolean => isOwn(base) || base === Base.MIXED;

/** The base of a register that is set in two places. */
export function join(a: number, b: number): number {
  if (a === b || b === Base.UNKNOWN || b === Base.ZERO) return a === Base.UNKNOWN ? b : a;
  if (a === Base.UNKNOWN || a === Base.ZERO) return b;
  return isOwnDerived(a) || isOwnDerived(b) ? Base.MIXED : Base.VALUE;
}

/** The base of a sum. */
export function sum(a: number, b: number): number {
  if (a === Base.UNKNOWN || b === Base.UNKNOWN) return Base.UNKNOWN;
  if (a === Base.MIXED || b === Base.MIXED || (isOwn(a) && isOwn(b))) return Base.MIXED;
  if (isOwn(a)) return a;
  if (isOwn(b)) return b;
  const isOffset = (base: number) => base === Base.VALUE || base === Base.ZERO;
  if (isOffset(b)) return a === Base.ZERO ? Base.VALUE : a;
  return isOffset(a) ? b : Base.VALUE;
}

/** The base of a difference. */
export function difference(a: number, b: number): number {
  if (isOwn(a) && a === b) return Base.VALUE;
  return isOwnDerived(b) ? Base.MIXED : sum(a, b === Base.UNKNOWN ? b : Base.VALUE);
}

/** What is computed in any other way from values. */
export function combined(bases: readonly number[]): number {
  if (bases.includes(Base.UNKNOWN)) return Base.UNKNOWN;
  return bases.some(isOwnDerived) ? Base.MIXED : Base.VALUE;
}

/** What is found out by comparing the first two values, and combined with the others. */
export function comparison([a = Base.VALUE, b = Base.VALUE, ...others]: readonly number[]): number {
  const isSame = (isOwn(a) && (a === b || b === Base.ZERO)) || (isOwn(b) && a === Base.ZERO);
  return combined(isSame ? others : [a, b, ...others]);
}
