// How large the errors of programs are: with exact functions in f64, and with the errors that PTX permits for approximations.
import { evaluateBatch } from "@mm-ptx/columns";
import { type CodeBatch, operandsOf, operationParts, StraightLineCode } from "@mm-ptx/types/code";
import { rowsOf } from "./evolution.js";
import type { ActivationTarget } from "./targets.js";

/** What is known of the errors of a program. */
export interface ActivationErrors {
  /** The largest error of the output, with exact functions in f64, and the argument where it is. */
  readonly error: number;
  readonly at: number;
  /** The largest one seen when approximations had errors within the bounds of the PTX manual. */
  readonly permitted: number;
}

const CHUNK = 8192;
const PERMITTED_ROWS = 8192;
const DISTURBANCES = 64;

type Columns = (columns: readonly Float64Array[], out: Float64Array) => void;

const each =
  (of: (a: number, b: number, c: number) => number): Columns =>
  ([a, b = a, c = a], out) => {
    for (let row = 0; row < out.length; row++) out[row] = of(a![row]!, b![row]!, c![row]!);
  };

const FUNCTIONS: Readonly<Record<string, Columns>> = {
  mov: each((a) => a),
  add: each((a, b) => a + b),
  sub: each((a, b) => a - b),
  mul: each((a, b) => a * b),
  fma: each((a, b, c) => a * b + c),
  min: each((a, b) => Math.min(a, b)),
  max: each((a, b) => Math.max(a, b)),
  neg: each((a) => -a),
  abs: each((a) => Math.abs(a)),
  tanh: each((a) => Math.tanh(a)),
  ex2: each((a) => 2 ** a),
  lg2: each((a) => Math.log2(a)),
  rcp: each((a) => 1 / a),
  rsqrt: each((a) => 1 / Math.sqrt(a)),
};

/** Computes a program of one input in f64 with exact functions. */
export class ExactProgram {
  readonly #columns: Float64Array[] = [];
  readonly #steps: (() => void)[] = [];
  readonly #output: number;
  readonly #input = new Float64Array(CHUNK);

  constructor({ words, offsets }: CodeBatch, code = 0) {
    let at = offsets[code]!;
    const items = words[at + StraightLineCode.itemCount]!;
    at += StraightLineCode.headerWords;
    for (let item = 0; item < items; item++) {
      const operation = words[at]!;
      const operands = [...words.subarray(at + 1, at + 1 + operandsOf(operation))];
      const { name } = operationParts(operation);
      this.#columns.push(this.#column(name, operands));
      at += 1 + operands.length;
    }
    this.#output = words[at]! & StraightLineCode.valueMask;
  }

  #column(name: string, operands: readonly number[]): Float64Array {
    if (name === "input") return this.#input;
    if (name === "constant") {
      const value = new Float32Array(Uint32Array.of(operands[0]!).buffer)[0]!;
      return new Float64Array(CHUNK).fill(value);
    }
    const compute = FUNCTIONS[name]!;
    const columns = operands.map((operand) => this.#columns[operand]!);
    const out = new Float64Array(CHUNK);
    this.#steps.push(() => compute(columns, out));
    return out;
  }

  /** The outputs for up to 8,192 arguments, as a view that is valid until the next call. */
  run(x: Float64Array): Float64Array {
    this.#input.set(x);
    for (const step of this.#steps) step();
    return this.#columns[this.#output]!.subarray(0, x.length);
  }
}

/** Arguments with what programs should compute: many, in chunks, made once for all programs. */
export class Judge {
  readonly #target: ActivationTarget;
  readonly #chunks: { readonly x: Float64Array; readonly y: Float64Array; readonly slope: Float64Array }[] =
    [];

  /** @param points how many arguments there are, equally spaced */
  constructor(target: ActivationTarget, points: number) {
    this.#target = target;
    const { range, exact, slope } = target;
    for (let first = 0; first < points; first += CHUNK) {
      const count = Math.min(CHUNK, points - first);
      const x = Float64Array.from(
        { length: count },
        (_, row) => range * ((2 * (first + row)) / (points - 1) - 1),
      );
      this.#chunks.push({ x, y: x.map(exact), slope: x.map(slope) });
    }
  }

  /** The largest error of the output, and where it is. */
  largestError(code: CodeBatch): { readonly error: number; readonly at: number } {
    const program = new ExactProgram(code);
    let [error, at] = [0, Number.NaN];
    for (const { x, y, slope } of this.#chunks) {
      const outputs = program.run(x);
      for (let row = 0; row < x.length; row++) {
        const each = Math.abs((outputs[row]! - y[row]!) * slope[row]!);
        if (each > error || Number.isNaN(each)) [error, at] = [each, x[row]!];
      }
    }
    return { error, at };
  }

  /**
   * All errors of a program.
   * @param code a batch of one code
   */
  async errors(code: CodeBatch): Promise<ActivationErrors> {
    const { x, target, weights } = rowsOf(this.#target, PERMITTED_ROWS);
    const { interval } = await evaluateBatch(code, [x], {
      loss: { kind: "max", target, weights: weights.map(Math.sqrt) },
      interval: { disturbances: DISTURBANCES },
    });
    return { ...this.largestError(code), permitted: interval!.highest[0]! };
  }
}
