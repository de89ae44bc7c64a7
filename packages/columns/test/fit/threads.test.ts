// Derivatives and fitted constants are the same for any number of threads. Workers run what the build made.
import { afterAll, describe, expect, it } from "vitest";
import { fitConstants, gradientBatch } from "../../src/index.js";
import { batchOf } from "../support/codes.js";
import { codeOf, type Formula } from "../support/formulas.js";
import { twoWorkers } from "../support/workers.js";

const X = Float32Array.from({ length: 101 }, (_, row) => row / 25 - 2);
const x: Formula = { input: 0 };

/** Codes of one or two constants. */
const batch = batchOf(
  ...Array.from({ length: 1000 }, (_, index) => {
    const sine: Formula = {
      name: "sin",
      operands: [{ name: "mul", operands: [{ constant: index / 500 }, x] }],
    };
    return codeOf({ name: "add", operands: [sine, index % 3 === 0 ? x : { constant: index }] }, 1);
  }),
);
const loss = { kind: "mse", target: Float64Array.from(X, (v) => v * v) } as const;

const { workers } = twoWorkers();
afterAll(() => workers.dispose());

describe("with two threads", () => {
  it.each(["lm", "es"] as const)("fitConstants has the same bits: %s", async (method) => {
    const one = await fitConstants(batch, [X], { loss, method, seed: 3 });
    const two = await fitConstants(batch, [X], { loss, method, seed: 3, workers });
    expect(two).toEqual(one);
  });

  it("gradientBatch has the same bits", async () => {
    const one = await gradientBatch(batch, [X], { loss });
    expect(await gradientBatch(batch, [X], { loss, workers })).toEqual(one);
  });
});
