// Derivatives of random formulas against central differences in f64, and the same bits on all machines.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { GradientStatus, gradientBatch, type LossKind } from "../../src/index.js";
import { batchOf, bitsOf } from "../support/codes.js";
import { codeOf, constantsOf, evaluate64, type Formula, FUNCTIONS } from "../support/formulas.js";

const INPUTS = 3;
const ROWS = 37;

const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 4, depthSize: "max", withCrossShrink: true },
    { weight: 4, arbitrary: fc.record({ constant: fc.double({ min: -3, max: 3, noNaN: true }) }) },
    { weight: 6, arbitrary: fc.record({ input: fc.integer({ min: 0, max: INPUTS - 1 }) }) },
    ...Object.entries(FUNCTIONS).map(([name, { evaluate }]) => ({
      weight: 1,
      arbitrary: fc.record({
        name: fc.constant(name),
        operands: fc.tuple(...Array.from({ length: operandCount(name, evaluate) }, () => tie("formula"))),
      }),
    })),
  ) as fc.Arbitrary<Formula>,
}));

/** Formulas whose outputs depend on an input. */
const varied: fc.Arbitrary<Formula> = fc
  .tuple(formula, fc.integer({ min: 0, max: INPUTS - 1 }), formula)
  .map(([factor, index, addend]) => ({ name: "fma", operands: [factor, { input: index }, addend] }));

function operandCount(name: string, evaluate: (...operands: number[]) => number): number {
  return name === "min" || name === "max" ? 2 : evaluate.length;
}

/** Data without structure, from -1 to 3. */
const column = (seed: number): Float32Array =>
  Float32Array.from({ length: ROWS }, (_, row) => (((row + 1) * 0.6180339887 * (seed + 1)) % 4) - 1);
const COLUMNS = Array.from({ length: INPUTS }, (_, index) => column(index));
const TARGET = Float64Array.from(column(INPUTS));
const WEIGHTS = Float64Array.from({ length: ROWS }, (_, row) => (row % 5) / 2);

const SMOOTH_FROM_ZERO = new Set(["lg2", "sqrt", "rsqrt", "rcp", "abs"]);

/** Whether a formula is smooth and well conditioned near all rows. */
function isTame(formula: Formula, constants: readonly number[]): boolean {
  let isFine = true;
  const check = (part: Formula, value: number, operands: readonly number[]): void => {
    const name = "name" in part ? part.name : "";
    const size = Math.max(...operands.map(Math.abs));
    if (!(Math.abs(value) < 30) || size > 8) isFine = false;
    if (SMOOTH_FROM_ZERO.has(name) && !(Math.abs(operands[0]!) > 0.2)) isFine = false;
    if (name.startsWith("div") && !(Math.abs(operands[1]!) > 0.2)) isFine = false;
    const isChoice = name === "min" || name === "max";
    if (isChoice && !(Math.abs(operands[0]! - operands[1]!) > 0.05)) isFine = false;
  };
  for (let row = 0; row < ROWS; row++) evaluate64(formula, inputsOf(row), constants, check);
  return isFine;
}

const inputsOf = (row: number): number[] => COLUMNS.map((values) => values[row]!);

const weightOf = (row: number, isWeighted: boolean): number => (isWeighted ? WEIGHTS[row]! : 1);

const sum = (isWeighted: boolean, term: (row: number) => number): number =>
  TARGET.reduce((total, _, row) => total + term(row) * weightOf(row, isWeighted), 0);

/** The loss in f64, and the sum of absolute values of what the derivatives of its terms are made of. */
function loss64(kind: LossKind, isWeighted: boolean, outputs: readonly number[]): number {
  const each = (term: (row: number) => number): number => sum(isWeighted, term);
  const total = each(() => 1);
  const mean = each((row) => TARGET[row]!) / total;
  const variance = each((row) => (TARGET[row]! - mean) ** 2);
  if (kind === "mae") return each((row) => Math.abs(outputs[row]! - TARGET[row]!)) / total;
  if (kind !== "nmse") {
    const squares = each((row) => (outputs[row]! - TARGET[row]!) ** 2);
    return squares / (kind === "r2" ? variance : total);
  }
  const center = each((row) => outputs[row]!) / total;
  const spread = each((row) => (outputs[row]! - center) ** 2);
  const product = each((row) => (outputs[row]! - center) * (TARGET[row]! - mean));
  return 1 - product ** 2 / spread / variance;
}

describe("gradientBatch", () => {
  it.each(["mse", "mae", "r2", "nmse"] as const)("agrees with central differences: %s", async (kind) => {
    let compared = 0;
    const property = fc.asyncProperty(varied, fc.boolean(), async (tree, isWeighted) => {
      const constants = constantsOf(tree);
      if (constants.length === 0 || constants.length > 12 || !isTame(tree, constants)) return;
      const outputs = (values: readonly number[]): number[] =>
        Array.from(TARGET, (_, row) => evaluate64(tree, inputsOf(row), values));
      const base = outputs(constants);
      if (kind === "mae" && base.some((value, row) => Math.abs(value - TARGET[row]!) < 0.01)) return;
      const spread = Math.max(...base) - Math.min(...base);
      if (kind === "nmse" && !(spread > 0.1)) return;
      const weights = isWeighted ? { weights: WEIGHTS } : {};
      const result = await gradientBatch(batchOf(codeOf(tree, INPUTS)), COLUMNS, {
        loss: { kind, target: TARGET, ...weights },
      });
      expect(result.status[0]).toBe(GradientStatus.ok);
      const step = 1e-4;
      const moved = (k: number, by: number): number[] =>
        constants.map((value, at) => (at === k ? value + by : value));
      constants.forEach((_, k) => {
        const above = outputs(moved(k, step));
        const below = outputs(moved(k, -step));
        const difference = (loss64(kind, isWeighted, above) - loss64(kind, isWeighted, below)) / (2 * step);
        // What errors of f32 are relative to: the sum of the absolute values of what is added.
        const slopes = above.map((value, row) => (value - below[row]!) / (2 * step));
        const size = Math.max(...slopes.map(Math.abs)) * (kind === "nmse" ? 10 / Math.min(spread, 1) : 20);
        expect(Math.abs(result.gradients[k]! - difference)).toBeLessThan(1e-4 * size + 1e-6);
      });
      compared++;
    });
    await fc.assert(property, { numRuns: smoke(4000) });
    expect(compared).toBeGreaterThan(smoke(4000) / 20);
  });

  it("has the same bits in WebAssembly and in JavaScript", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(formula, { minLength: 1, maxLength: 20 }),
        fc.boolean(),
        async (trees, isWeighted) => {
          const batch = batchOf(...trees.map((tree) => codeOf(tree, INPUTS)));
          for (const kind of ["mse", "mae", "nmse"] as const) {
            const loss = { kind, target: TARGET, ...(isWeighted ? { weights: WEIGHTS } : {}) };
            const first = await gradientBatch(batch, COLUMNS, { loss });
            const second = await gradientBatch(batch, COLUMNS, { loss, webAssembly: false });
            expect(second.status).toEqual(first.status);
            expect(second.offsets).toEqual(first.offsets);
            expect(bitsOf(second.loss)).toEqual(bitsOf(first.loss));
            expect(bitsOf(second.gradients)).toEqual(bitsOf(first.gradients));
          }
        },
      ),
      { numRuns: smoke(300) },
    );
  });
});
