// Losses in JavaScript: the sums of assembly/losses.ts, in the same order, with the same bits.
import type { JavaScriptLanes } from "./lanes.js";
import type { LossData, Results } from "./machine.js";

/** The loss of one code. */
export interface BlockLoss {
  /** Adds the rows of a block, whose first row has the number `from`. */
  add(lanes: JavaScriptLanes, address: number, from: number, rows: number): void;
  /** Writes the result of a code. */
  end(code: number, results: Results): void;
}

const LANES = 4;

/** The mean of squared errors. */
export function javaScriptLoss({ target }: LossData, rows: number): BlockLoss {
  const sums = new Float64Array(LANES);
  const rests = new Float64Array(LANES);
  return {
    add({ floats }, address, from, count) {
      for (let row = 0; row < count; row++) {
        const error = floats[address / 4 + row]! - target[from + row]!;
        const lane = (from + row) % LANES;
        const term = error * error;
        const sum = sums[lane]!;
        const total = sum + term;
        const part = total - sum;
        sums[lane] = total;
        rests[lane] = rests[lane]! + (sum - (total - part) + (term - part));
      }
    },
    end(code, { loss, status }) {
      const joined = ([a, b, c, d]: Float64Array): number => a! + b! + (c! + d!);
      const mean = (joined(sums) + joined(rests)) / rows;
      const finite = mean - mean === 0;
      status[code] = finite ? 0 : 1;
      loss![code] = finite ? mean : Number.NaN;
    },
  };
}
