// Numbers for the benchmarks' programs and kernels: they look random, and the same seed gives the same in every run.

/**
 * Numbers from 0 up to 1 of a linear congruential generator (Numerical Recipes' constants).
 *
 * @param {number} seed a whole number; its low 32 bits count
 * @returns {() => number} the next one at each call
 */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
