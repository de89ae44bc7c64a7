// A row of a table whose figure has an upper bound.

/**
 * @param {string} name
 * @param {number} ours
 * @param {number} budget
 * @param {string} unit
 */
export const atMost = (name, ours, budget, unit) => ({
  name,
  ours,
  yardstick: undefined,
  ratio: undefined,
  budget,
  unit,
  pass: ours <= budget,
});
