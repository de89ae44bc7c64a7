// Expressions on vectors, written as nested calls: each emits its operands and then its operation.
import type { Code } from "../binary/code.js";
import type { Opcode } from "../binary/opcodes.js";

/** Emits code that pushes a vector. */
export type Expression = () => void;

const BYTES = new DataView(new ArrayBuffer(8));

/** Byte indices of the lower halves of two vectors, and of the upper half of one. */
const LOWER_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const UPPER_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

/** Writes the expressions of a function. Constants are the same in all lanes, and arithmetic is that of two f64. */
export class Expressions {
  readonly #code: Code;
  readonly add = this.#binary("f64x2.add");
  readonly subtract = this.#binary("f64x2.sub");
  readonly multiply = this.#binary("f64x2.mul");
  readonly divide = this.#binary("f64x2.div");
  readonly and = this.#binary("v128.and");
  readonly or = this.#binary("v128.or");
  readonly xor = this.#binary("v128.xor");

  constructor(code: Code) {
    this.#code = code;
  }

  /** Any operation. */
  of(name: Opcode, ...operands: readonly Expression[]): Expression {
    return () => {
      for (const operand of operands) operand();
      this.#code.op(name);
    };
  }

  /** Computes a value now, to be used more than once. */
  keep(value: Expression): Expression {
    return this.variable(value).get;
  }

  /** A value that can be replaced. */
  variable(value: Expression): { readonly get: Expression; readonly set: (value: Expression) => void } {
    const code = this.#code;
    const local = code.local("v128");
    const set = (other: Expression) => {
      other();
      code.set(local);
    };
    set(value);
    return { get: () => void code.get(local), set };
  }

  number(value: number): Expression {
    BYTES.setFloat64(0, value);
    return this.bits(BYTES.getBigUint64(0));
  }

  /** The bits of two double words. */
  bits(value: bigint): Expression {
    return () => void this.#code.v128([value, value], 64);
  }

  /** The bits of four words. */
  words(value: bigint): Expression {
    return () => void this.#code.v128([value, value, value, value], 32);
  }

  /** Shifts double words by a constant. */
  shift(name: "i64x2.shl" | "i64x2.shr_u" | "i64x2.shr_s", value: Expression, by: number): Expression {
    return () => {
      value();
      this.#code.i32(by).op(name);
    };
  }

  /** `yes` where the bits of a mask are 1, and `no` where they are 0. */
  select(yes: Expression, no: Expression, mask: Expression): Expression {
    return this.of("v128.bitselect", yes, no, mask);
  }

  /** A polynomial of degree 1 or more, given by its coefficients from the highest power down. */
  polynomial(x: Expression, coefficients: readonly number[]): Expression {
    return coefficients
      .map((coefficient) => this.number(coefficient))
      .reduce((sum, coefficient) => this.add(this.multiply(sum, x), coefficient));
  }

  /** The first two of four f32 as f64, or the last two. */
  promoted(value: Expression, half: "low" | "high"): Expression {
    return () => {
      value();
      if (half === "high") {
        value();
        this.#code.shuffle(UPPER_HALF);
      }
      this.#code.op("f64x2.promote_low_f32x4");
    };
  }

  /** The f32 that are nearest to two pairs of f64. */
  demoted(low: Expression, high: Expression): Expression {
    return () => {
      this.of("f32x4.demote_f64x2_zero", low)();
      this.of("f32x4.demote_f64x2_zero", high)();
      this.#code.shuffle(LOWER_HALVES);
    };
  }

  /** Runs what `write` emits if any bit of a mask is 1. */
  ifAny(mask: Expression, write: () => void): void {
    mask();
    this.#code.op("v128.any_true").if();
    write();
    this.#code.end();
  }

  /** Runs what `write` emits if a word of a mask is not 0. */
  ifLane(mask: Expression, lane: number, write: () => void): void {
    mask();
    this.#code.lane("i32x4.extract_lane", lane).if();
    write();
    this.#code.end();
  }

  /** Replaces one of four f32 by a function of another one, which takes and returns an f64. */
  replaced(values: Expression, arguments_: Expression, lane: number, called: number): Expression {
    return () => {
      values();
      arguments_();
      this.#code.lane("f32x4.extract_lane", lane).op("f64.promote_f32").call(called);
      this.#code.op("f32.demote_f64").lane("f32x4.replace_lane", lane);
    };
  }

  #binary(name: Opcode): (a: Expression, b: Expression) => Expression {
    return (a, b) => this.of(name, a, b);
  }
}
