// The method of Levenberg and Marquardt against another implementation of it, in f64.
import { levenbergMarquardt } from "ml-levenberg-marquardt";
import { describe, expect, it } from "vitest";
import { fitConstants } from "../../src/index.js";
import { batchOf } from "../support/codes.js";
import { codeOf, constantsOf, evaluate64, type Formula } from "../support/formulas.js";

const x: Formula = { input: 0 };
const c = (value: number): Formula => ({ constant: value });
const call = (name: string, ...operands: Formula[]): Formula => ({ name, operands });

/** Classical problems: a model, its first constants, and the constants of the data. */
const PROBLEMS: Readonly<Record<string, readonly [model: Formula, truth: readonly number[], to: number]>> = {
  "exponential decay": [call("fma", c(3), call("ex2", call("mul", c(-1), x)), c(0.5)), [5, -1.2, 0.7], 5],
  "a sine": [call("mul", c(1.5), call("sin", call("fma", c(1.1), x, c(0.2)))), [2, 1.3, 0.5], 6],
  "a saturating curve": [call("div", call("mul", c(1), x), call("add", c(1), x)), [4, 2.5], 10],
  "a logistic curve": [
    call("fma", c(1), call("tanh", call("fma", c(0.5), x, c(-1))), c(1)),
    [2, 0.9, -3, 1],
    8,
  ],
  "a peak": [
    call("div", c(1), call("add", c(1), call("mul", call("sub", x, c(2)), call("sub", x, c(3))))),
    [3, 2, 2.4, 2.6],
    5,
  ],
};

describe("fitConstants", () => {
  it.each(Object.entries(PROBLEMS))(
    "fits as well as ml-levenberg-marquardt: %s",
    async (_, [model, truth, to]) => {
      const column = Float32Array.from({ length: 60 }, (_, row) => (row * to) / 60 + 0.05);
      // Deterministic noise, so that no fit is perfect.
      const target = Float64Array.from(
        column,
        (v, row) => evaluate64(model, [v], truth) + 0.05 * Math.sin(row * row),
      );
      const start = constantsOf(model);
      const { loss, constants } = await fitConstants(batchOf(codeOf(model, 1)), [column], {
        loss: { kind: "mse", target },
        method: "lm",
        iterations: 100,
      });
      const reference = levenbergMarquardt(
        { x: Array.from(column), y: Array.from(target) },
        (values: readonly number[]) => (v: number) => evaluate64(model, [v], values),
        {
          initialValues: start,
          damping: 1e-2,
          maxIterations: 200,
          gradientDifference: 1e-6,
          centralDifference: true,
          errorTolerance: 1e-12,
        },
      );
      const error = (values: readonly number[]): number =>
        target.reduce((sum, y, row) => sum + (evaluate64(model, [column[row]!], values) - y) ** 2, 0) /
        target.length;
      const found = [...new Float32Array(constants.buffer)];
      const expected = error(reference.parameterValues);
      expect(loss[0]).toBeLessThan(expected * 1.0001 + 1e-9);
      expect(error(found)).toBeCloseTo(loss[0]!, 6);
    },
  );
});
