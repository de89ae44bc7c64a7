// Checks blocks of consecutive inputs in this thread, and counts what it finds.
import { codeType } from "@mm-ptx/types/code";
import { describeError, describeValue } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import type { ComputeData, Machine } from "../machine/machine.js";
import { type Comparison, type Limit, makeComparison } from "./comparison.js";
import { absoluteError, ulpError } from "./errors.js";
import type { UnaryCode } from "./shape.js";

/** The code or function that computes the expected values. */
export type Reference = UnaryCode | ((input: number) => number);

/** The result for some inputs. */
export interface Tally {
  readonly mismatches: number;
  /** The input with the largest error above 0; the first one if there are several. */
  readonly worst: WorstInput | undefined;
}

export interface WorstInput {
  readonly bits: number;
  readonly output: number;
  readonly expected: number;
  /** In the unit of the limit. */
  readonly error: number;
}

/** A check in this thread. */
export class Checker {
  readonly #code: UnaryCode;
  readonly #reference: Reference;
  readonly #limit: Limit;
  readonly #machine: Machine;
  readonly #comparison: Comparison;
  #mismatches = 0;
  #worst: WorstInput | undefined;

  constructor(code: UnaryCode, reference: Reference, limit: Limit, machine: Machine) {
    this.#code = code;
    this.#reference = reference;
    this.#limit = limit;
    this.#machine = machine;
    this.#comparison = makeComparison(machine.backend === "webassembly");
  }

  get tally(): Tally {
    return { mismatches: this.#mismatches, worst: this.#worst };
  }

  /**
   * Checks up to `BLOCK` inputs, the first with the given bits. The machine has to have all kernels.
   * @throws ColumnsError BAD_CODE, UNSUPPORTED_INSTRUCTION, INSUFFICIENT_BUFFER, REFERENCE_FAILED
   */
  check(first: number, rows: number): void {
    const comparison = this.#comparison;
    const reference = this.#reference;
    const limit = this.#limit;
    const takesDoubles = typeof reference === "function" || reference.input === "f64";
    comparison.fill(first, rows, takesDoubles);
    this.#compute(this.#code, rows, comparison.outputs);
    const givesDoubles = typeof reference === "function" || reference.output === "f64";
    const expected = givesDoubles ? comparison.expectedDoubles : comparison.expectedFloats;
    if (typeof reference === "function") this.#call(reference, first, rows);
    else this.#computeReference(reference, rows, expected);
    const largest = this.#worst?.error ?? 0;
    const { mismatches, worstRow } = comparison.compare(rows, givesDoubles, limit, largest);
    this.#mismatches += mismatches;
    if (worstRow < 0) return;
    const output = comparison.outputs[worstRow]!;
    const value = expected[worstRow]!;
    const error = (limit.inUlp ? ulpError : absoluteError)(output, value);
    this.#worst = { bits: (first + worstRow) >>> 0, output, expected: value, error };
  }

  #compute({ words, input }: UnaryCode, rows: number, target: Float32Array | Float64Array): void {
    const isDouble = input === "f64";
    const { floats, doubles } = this.#comparison;
    const column = { bytes: bytesOf(isDouble ? doubles : floats, rows), isDouble };
    const data: ComputeData = { rows, columns: [{ ...column, types: 1 << codeType(input) }] };
    this.#machine.compute(words, data, bytesOf(target, rows));
  }

  #computeReference(reference: UnaryCode, rows: number, target: Float32Array | Float64Array): void {
    try {
      this.#compute(reference, rows, target);
    } catch (error) {
      if (!(error instanceof ColumnsError)) throw error;
      throw new ColumnsError(error.code, `the reference: ${error.message}`, undefined, { cause: error });
    }
  }

  #call(reference: (input: number) => number, first: number, rows: number): void {
    const { doubles, expectedDoubles } = this.#comparison;
    let row = 0;
    const failed = (how: string, cause?: unknown): ColumnsError => {
      const bits = (first + row).toString(16).padStart(8, "0");
      const input = `0x${bits} (${doubles[row]})`;
      return new ColumnsError("REFERENCE_FAILED", `the reference ${how} for the input ${input}`, undefined, {
        cause,
      });
    };
    try {
      for (; row < rows; row++) {
        const value: unknown = reference(doubles[row]!);
        if (typeof value !== "number") throw failed(`returned ${describeValue(value)}, not a number,`);
        expectedDoubles[row] = value;
      }
    } catch (error) {
      if (error instanceof ColumnsError && error.code === "REFERENCE_FAILED") throw error;
      throw failed(`threw \`${describeError(error)}\``, error);
    }
  }
}

const bytesOf = (column: Float32Array | Float64Array, rows: number): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, rows * column.BYTES_PER_ELEMENT);

/** Joins the results of several threads. */
export function joinTallies(tallies: readonly Tally[]): Tally {
  let worst: WorstInput | undefined;
  for (const { worst: each } of tallies) {
    const [error, known] = [each?.error ?? 0, worst?.error ?? 0];
    if (error > known || (error === known && each !== undefined && each.bits < worst!.bits)) worst = each;
  }
  return { mismatches: tallies.reduce((sum, { mismatches }) => sum + mismatches, 0), worst };
}
