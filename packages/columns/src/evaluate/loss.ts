// Losses: how outputs are compared with a target.
import { codeType } from "@mm-ptx/types/code";
import { type Check, isAnything, isNumber, isOneOf, isWhole } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import { LossKernel } from "../machine/kernels.js";
import { sumOf } from "../machine/lane-sums.js";
import type { LossData } from "../machine/machine.js";
import { type Column, invalid, typesOf } from "./columns.js";
import { readOptions } from "./options.js";

/**
 * How the errors of a code are combined to one number, which is lower for better codes. An error is the difference of
 * an output and its target, in f64; 64-bit integers are rounded to f64 first.
 *
 * - `mse`: the mean of the squared errors; `mae`: the mean of their absolute values; `max`: the greatest absolute value.
 * - `r2`: 1 - R², which is the sum of the squared errors divided by the sum of the squared deviations of the target from its mean.
 * - `nmse`: the same for `offset + scale * output`, with the `scale` and `offset` that minimize it; both are part of
 * the result. An output that
 *   has the same value in all rows has the scale 0 and the loss 1.
 * - `misses`: the number of rows whose absolute error is greater than `tolerance`.
 * - `hamming`: the number of bits that differ from those of the target, in all rows.
 */
export type LossKind = "mse" | "mae" | "max" | "nmse" | "r2" | "misses" | "hamming";

/** The comparison of one output of each code with a target. */
export interface Loss {
  readonly kind: LossKind;
  /**
   * One value for each row: finite numbers, in any kind of array. For `hamming`, the kind of array determines the type
   * of the outputs, as for a `Column`.
   */
  readonly target: Column;
  /** The number of the output that is compared. The default is 0. */
  readonly output?: number;
  /**
   * One weight for each row, finite and not negative, by which the squared or absolute error, the miss or the number of bits is
   * multiplied; means are divided by the sum of the weights. The default is 1 for each. Outputs have to be finite in rows of weight 0
   * as well.
   */
  readonly weights?: Float32Array | Float64Array;
  /** The greatest absolute error that does not count as a miss. Required for `misses`, and only allowed there. */
  readonly tolerance?: number;
}

const KERNELS: Readonly<Record<LossKind, LossKernel>> = {
  mse: LossKernel.squared,
  mae: LossKernel.absolute,
  max: LossKernel.greatest,
  nmse: LossKernel.scaled,
  r2: LossKernel.squared,
  misses: LossKernel.misses,
  hamming: LossKernel.bits,
};

/** The types of outputs that are numbers. */
const NUMBERS = "pred u8 s8 u16 s16 f16 bf16 u32 s32 f32 tf32 u64 s64 f64"
  .split(" ")
  .reduce((mask, name) => mask | (1 << codeType(name)), 0);

const MOST_OUTPUTS = 0xffff;

const CHECKS: Readonly<Record<keyof Loss, Check>> = {
  kind: isOneOf(Object.keys(KERNELS)),
  target: isAnything,
  output: isWhole(0, MOST_OUTPUTS - 1),
  weights: isAnything,
  tolerance: isNumber(0, Number.MAX_VALUE),
};

/** The options of a loss, read once. @throws ColumnsError INVALID_ARGUMENT */
export const takeLoss = (loss: Loss): Loss =>
  readOptions<Loss>(loss, CHECKS, { required: ["kind", "target"], prefix: "loss." });

/** The loss of a call. @throws ColumnsError INVALID_ARGUMENT */
export function readLoss({ kind, target, output = 0, weights, tolerance }: Loss, rows: number): LossData {
  if ((kind === "misses") !== (tolerance !== undefined)) {
    throw kind === "misses"
      ? invalid("option `loss.tolerance` as a number, because `loss.kind` is `misses`", tolerance)
      : invalid("option `loss.tolerance` only if `loss.kind` is `misses`", kind);
  }
  const weighted = weights === undefined ? undefined : readWeights(weights, rows);
  const kernel = KERNELS[kind];
  const common = { kernel, output, weights: weighted?.weights, tolerance: tolerance ?? 0 };
  const weightSum = weighted?.sum ?? rows;
  if (kind === "hamming") {
    const { bits, types, mask } = readBits(target, rows);
    return { ...common, types, target: bits, divisor: 1, targetMean: 0, weightSum, mask };
  }
  const numbers = readNumbers(target, rows);
  const weight = (row: number): number => weighted?.weights[row] ?? 1;
  const isRelative = kind === "nmse" || kind === "r2";
  const first = numbers[0]!;
  const targetMean = first + sumOf(rows, (row) => (numbers[row]! - first) * weight(row)) / weightSum;
  const deviations = sumOf(rows, (row) => (numbers[row]! - targetMean) ** 2 * weight(row));
  if (isRelative && !(deviations > 0 && deviations < Number.POSITIVE_INFINITY)) {
    throw new ColumnsError(
      "INVALID_ARGUMENT",
      `expected a target with a variance above 0 for \`${kind}\`, found squared deviations of ${deviations}`,
    );
  }
  const isMean = kind === "mse" || kind === "mae";
  const divisor = isRelative ? deviations : isMean ? weightSum : 1;
  return { ...common, types: NUMBERS, target: numbers, divisor, targetMean, weightSum, mask: 0n };
}

/** @throws ColumnsError INVALID_ARGUMENT */
function checkLength(name: string, length: number, rows: number): void {
  if (length === rows) return;
  throw new ColumnsError("INVALID_ARGUMENT", `expected ${rows} rows in \`loss.${name}\`, found ${length}`);
}

/** @throws ColumnsError INVALID_ARGUMENT */
function checkTarget(target: Column, rows: number): void {
  if (typesOf(target) === 0) throw invalid("`loss.target` as a typed array", target);
  checkLength("target", target.length, rows);
}

/** A target as numbers. */
function readNumbers(target: Column, rows: number): Float64Array {
  checkTarget(target, rows);
  const numbers = Float64Array.from(target as ArrayLike<number | bigint>, Number);
  const wrong = numbers.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) throw invalid(`a finite number in row ${wrong} of \`loss.target\``, numbers[wrong]);
  return numbers;
}

interface Bits {
  readonly bits: BigUint64Array;
  readonly types: number;
  readonly mask: bigint;
}

/** The bits of a target: those of its elements, or one bit for a predicate. */
function readBits(target: Column, rows: number): Bits {
  checkTarget(target, rows);
  const { buffer, byteOffset, BYTES_PER_ELEMENT: bytes } = target;
  const types = typesOf(target);
  if (bytes === 8) {
    return { bits: new BigUint64Array(buffer, byteOffset, rows).slice(), types, mask: 2n ** 64n - 1n };
  }
  if (bytes === 4) {
    return {
      bits: BigUint64Array.from(new Uint32Array(buffer, byteOffset, rows), BigInt),
      types,
      mask: 0xffffffffn,
    };
  }
  if (bytes === 2) {
    return {
      bits: BigUint64Array.from(new Uint16Array(buffer, byteOffset, rows), BigInt),
      types,
      mask: 0xffffn,
    };
  }
  const bits = BigUint64Array.from(new Uint8Array(buffer, byteOffset, rows), BigInt);
  const wrong = bits.findIndex((value) => value > 1n);
  if (wrong >= 0)
    throw invalid(`a predicate, 0 or 1, in row ${wrong} of \`loss.target\``, Number(bits[wrong]));
  return { bits, types, mask: 1n };
}

interface Weights {
  readonly weights: Float64Array;
  readonly sum: number;
}

function readWeights(given: Float32Array | Float64Array, rows: number): Weights {
  if (!(given instanceof Float32Array || given instanceof Float64Array)) {
    throw invalid("`loss.weights` as a Float32Array or Float64Array", given);
  }
  checkLength("weights", given.length, rows);
  const weights = Float64Array.from(given);
  const wrong = weights.findIndex((weight) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY));
  if (wrong >= 0) {
    throw invalid(`a finite weight of at least 0 in row ${wrong} of \`loss.weights\``, weights[wrong]);
  }
  const sum = sumOf(rows, (row) => weights[row]!);
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) {
    throw new ColumnsError(
      "INVALID_ARGUMENT",
      `expected \`loss.weights\` with a finite sum above 0, found ${sum}`,
    );
  }
  return { weights, sum };
}
