// Losses in JavaScript: what assembly/losses.ts computes, in the same order, with the same bits.
import { codeTypeBits } from "@mm-ptx/types/code";
import type { CodeType } from "@mm-ptx/types/internal";
import { LossKernel } from "./kernels.js";
import { LaneSums } from "./lane-sums.js";
import type { JavaScriptLanes } from "./lanes.js";
import { ResultStatus } from "./layout.js";
import type { LossData, Results } from "./machine.js";
import { toDoubles } from "./to-doubles.js";

/** The loss of one code after the other. */
export class JavaScriptLoss {
  readonly #data: LossData;
  readonly #rows: number;
  readonly #sums = new LaneSums();
  readonly #products = new LaneSums();
  /** The output as f64: a block of it, or all rows for a loss that reads them more than once. */
  #values: Float64Array;
  #type: CodeType = 0 as CodeType;
  #cases: Float64Array | undefined;

  constructor(data: LossData, rows: number, blockRows: number) {
    this.#data = data;
    this.#rows = rows;
    this.#values = new Float64Array(data.kernel === LossKernel.scaled ? rows : blockRows);
  }

  /**
   * Begins with a code.
   * @param type the type of the output
   * @param cases where the term of each row is written, if it is wanted
   */
  begin(type: CodeType, cases: Float64Array | undefined): void {
    this.#type = type;
    this.#cases = cases;
    this.#sums.clear();
  }

  /** Adds the rows of a block, whose first row has the number `from`. */
  add(lanes: JavaScriptLanes, address: number, from: number, rows: number): void {
    const { kernel, target, weights, tolerance, mask } = this.#data;
    if (kernel === LossKernel.scaled) {
      toDoubles(this.#type, lanes, address, rows, this.#values.subarray(from));
      return;
    }
    const values = this.#values;
    toDoubles(this.#type, lanes, address, rows, values);
    const isLong = codeTypeBits(this.#type) === 64;
    for (let row = 0; row < rows; row++) {
      const value = values[row]!;
      let term: number;
      if (kernel === LossKernel.bits) {
        const bits = isLong ? lanes.longs[address / 8 + row]! : BigInt(lanes.words[address / 4 + row]!);
        term = onesIn((bits & mask) ^ (target[from + row] as bigint)) + (value - value);
      } else {
        const error = value - (target[from + row] as number);
        if (kernel === LossKernel.squared) term = error * error;
        else if (kernel === LossKernel.misses) term = (Math.abs(error) > tolerance ? 1 : 0) + (error - error);
        else term = Math.abs(error);
      }
      if (this.#cases !== undefined) this.#cases[from + row] = canonical(term);
      if (weights !== undefined) term *= weights[from + row]!;
      if (kernel === LossKernel.greatest) this.#sums.keepGreatest(from + row, term);
      else this.#sums.add(from + row, term);
    }
  }

  /** Writes the result of the code. */
  end(code: number, results: Results): void {
    const { kernel, divisor } = this.#data;
    if (kernel === LossKernel.scaled) this.#endScaled(code, results);
    else {
      const loss = kernel === LossKernel.greatest ? this.#sums.greatest : this.#sums.total / divisor;
      finish(loss, loss - loss, code, results);
    }
  }

  #endScaled(code: number, results: Results): void {
    const { target, weights, divisor, targetMean, weightSum } = this.#data;
    const values = this.#values;
    const sums = this.#sums;
    const products = this.#products;
    const each = (term: (row: number, weight: number) => void): void => {
      sums.clear();
      products.clear();
      for (let row = 0; row < this.#rows; row++) term(row, weights === undefined ? 1 : weights[row]!);
    };
    const first = values[0]!;
    each((row, weight) => sums.add(row, (values[row]! - first) * weight));
    const mean = sums.total / weightSum;
    each((row, weight) => {
      const deviation = values[row]! - first - mean;
      sums.add(row, deviation * deviation * weight);
      products.add(row, deviation * ((target[row] as number) - targetMean) * weight);
    });
    const variance = sums.total;
    const scale = variance === 0 ? 0 : products.total / variance;
    const offset = targetMean - scale * (first + mean);
    each((row, weight) => {
      const error = (target[row] as number) - (offset + scale * values[row]!);
      if (this.#cases !== undefined) this.#cases[row] = canonical(error * error);
      sums.add(row, error * error * weight);
    });
    const loss = sums.total / divisor;
    const doubt = loss - loss + (variance - variance) + (scale - scale) + (offset - offset);
    results.scale![code] = doubt === 0 ? scale : Number.NaN;
    results.offset![code] = doubt === 0 ? offset : Number.NaN;
    finish(loss, doubt, code, results);
  }
}

/** Gives NaNs the bits that they have in results. */
const canonical = (term: number): number => (Number.isNaN(term) ? Number.NaN : term);

/** @param doubt 0 if everything is finite, and NaN if not */
function finish(value: number, doubt: number, code: number, { loss, status }: Results): void {
  const known = doubt === 0;
  loss![code] = known ? value : Number.NaN;
  status[code] = known ? ResultStatus.ok : ResultStatus.notFinite;
}

/** The number of ones among the bits of a number. */
function onesIn(bits: bigint): number {
  let ones = 0;
  for (let half of [Number(bits & 0xffffffffn), Number(bits >> 32n)]) {
    for (; half !== 0; half &= half - 1) ones++;
  }
  return ones;
}
