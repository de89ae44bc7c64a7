// Replaces the constants of formulas by simple numbers that are next to them: fractions, and their products with powers of pi.

/** How near, relative to the constant. */
const NEAR = 1e-5;
const MOST_DENOMINATOR = 12;
const MOST_NUMERATOR = 100;
const POWERS_OF_PI = [0, 1, -1, 2, -2, 0.5, -0.5];
const NUMBER = /(?<![\w.])\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The formula with simple constants; those that are not near to a simple number stay as they are. */
export const withSimpleConstants = (formula) =>
  formula.replace(NUMBER, (text) => simpleNumber(Number(text)) ?? text);

function simpleNumber(value) {
  for (const power of POWERS_OF_PI) {
    const unit = Math.PI ** power;
    for (let denominator = 1; denominator <= MOST_DENOMINATOR; denominator++) {
      const numerator = Math.round((value / unit) * denominator);
      if (numerator < 1 || numerator > MOST_NUMERATOR) continue;
      if (Math.abs((unit * numerator) / denominator - value) > NEAR * value) continue;
      const factor = power === 0 ? "" : ` * pi^(${power})`;
      return `(${numerator} / ${denominator}${factor})`;
    }
  }
  const decimal = Number(value.toPrecision(4));
  return Math.abs(decimal - value) <= NEAR * 0.1 * value ? String(decimal) : undefined;
}
