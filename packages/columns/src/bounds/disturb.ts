// Perturbed results: a function of the seed, the instruction and the bits of its operands. assembly/bounds.ts computes
// the same.
import { type Approximate, Hash, TO_UNIT, USED } from "./limits.js";

/** A bijection of words whose results look random: the finalizer of MurmurHash3. */
export function mix(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, Hash.first);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, Hash.second);
  return mixed ^ (mixed >>> 16);
}

/**
 * How a seed perturbs an instruction. Errors are fractions of the bound, from -1 to 1: a bias, which differs between
 * seeds, plus a part that depends on the operands. So some seeds have errors of one sign nearly everywhere, as
 * approximations in hardware may have, and others have errors that cancel out.
 */
export class Disturbance {
  readonly #key: number;
  readonly #bias: number;
  readonly #spread: number;

  constructor(seed: number, operation: Approximate) {
    this.#key = mix(mix(seed) ^ Math.imul(operation, Hash.golden));
    this.#bias = mix(this.#key ^ Hash.bias) * TO_UNIT;
    this.#spread = 1 - Math.abs(this.#bias);
  }

  /** The error of a result, as a fraction of its bound. */
  part(a: number, b = 0): number {
    const hash = mix(mix(this.#key ^ a) ^ b);
    return this.#bias + this.#spread * (hash * TO_UNIT);
  }
}

/** The values to which results are rounded. */
export interface ResultFormat {
  readonly round: (x: number) => number;
  readonly leastNormal: number;
  readonly greatest: number;
}

/**
 * A perturbed result, with the sign of the exact one. Results that are zero, subnormal, infinite or NaN when rounded to
 * nearest are not perturbed, and no perturbed result becomes one of these.
 *
 * @param bound the largest error
 * @param part the error to add, as a fraction of the bound
 * @param most an upper bound of the magnitude of the result
 */
export function disturbed(
  exact: number,
  bound: number,
  part: number,
  most: number,
  { round, leastNormal, greatest }: ResultFormat,
): number {
  const nearest = round(exact);
  const size = Math.abs(exact);
  if (!(Math.abs(nearest) >= leastNormal && Math.abs(nearest) <= greatest)) return nearest;
  const used = bound * USED;
  const room = part < 0 ? Math.min(used, size) : Math.min(used, most - size);
  const moved = round(size + part * room);
  if (!(moved >= leastNormal && moved <= greatest && Math.abs(moved - size) <= used)) return nearest;
  return exact < 0 ? -moved : moved;
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** The largest power of two that does not exceed a positive number. */
export function powerBelow(x: number): number {
  double[0] = x;
  words[0] = 0;
  words[1] = words[1]! & 0x7ff00000;
  return double[0];
}
