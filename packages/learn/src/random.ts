// Random numbers by seed and index, with 32-bit integers alone: the same on all machines.

const STEP = 0x9e3779b9;

/** A permutation of the 32-bit integers: the output function of splitmix32. */
function mix(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Random number `index` of a seed, as u32: splitmix32, whose state is a permutation of the seed. */
export function wordAt(seed: number, index: number): number {
  return mix(mix(seed ^ STEP) + Math.imul(index + 1, STEP));
}

/** An integer from 0 to `bound` (exclusive). */
export function below(seed: number, index: number, bound: number): number {
  return Math.floor((wordAt(seed, index) / 2 ** 32) * bound);
}

/** A number with mean 0 and variance 1: the sum of four uniform ones, which is close to normal, and at most 3.47. */
export function normalAt(seed: number, index: number): number {
  let sum = 0;
  for (let part = 0; part < 4; part++) sum += wordAt(seed, 4 * index + part) / 2 ** 32;
  return (sum - 2) * Math.sqrt(3);
}
