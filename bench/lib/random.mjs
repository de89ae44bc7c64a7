// Pseudorandom numbers for the benchmarks' programs and kernels; the same seed gives the same numbers.

/**
 * A linear congruential generator of numbers from 0 (inclusive) to 1 (exclusive), with the constants of
 * Numerical Recipes.
 *
 * @param {number} seed a whole number; its low 32 bits count
 * @returns {() => number} returns the next number
 */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
