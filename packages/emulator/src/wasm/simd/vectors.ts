// Code for four neighbouring threads at once. A register that holds one value, or values with a constant stride, is
// kept as the first thread's value. Other registers are kept as a vector of four words or as two vectors of two double
// words. Predicates are masks.

import { NAN_32 } from "@mm-ptx/types/internal/floats";
import type { Step } from "../../control/step.js";
import type { RegisterOperand } from "../../program/operand.js";
import type { ValueType } from "../../program/types.js";
import type { Code, Label } from "../binary/code.js";
import { Emitter } from "../emit/emitter.js";
import type { KernelFacts, ThreadLocals } from "../emit/facts.js";
import type { Cursor } from "../emit/ranges.js";
import type { Shapes } from "./shapes.js";

/** The number of threads of a group. */
export const LANES = 4;

/** A constant that is the same in all lanes. */
export function splat(word: bigint): readonly bigint[] {
  return Array<bigint>(LANES).fill(word);
}

/** How a register is kept: as a single value, as a vector, or as two vectors. */
export type Kept = ValueType | "v128" | "pair";

export function keptAs(type: ValueType, isScalar: boolean): Kept {
  if (isScalar) return type;
  return type === "i64" || type === "f64" ? "pair" : "v128";
}

/** Adds a local for a register, or the first of two. */
export function newLocal(code: Code, kept: Kept): number {
  if (kept !== "pair") return code.local(kept);
  const first = code.local("v128");
  code.local("v128");
  return first;
}

/** The parts with which the code of a vector segment is generated. */
export interface VectorParts {
  readonly code: Code;
  readonly facts: KernelFacts;
  readonly thread: ThreadLocals;
  /** For each register, its local or the first of its two locals. */
  readonly locals: Int32Array;
  readonly shapes: Shapes;
  readonly hoisted: Map<string, number>;
  /**
   * The local of a vector in which a word is below {@link DOUBTFUL} once a result was subnormal that should have been
   * flushed; undefined when it is not used.
   */
  readonly doubt: number | undefined;
}

/**
 * Twice the magnitude bits of a subnormal, minus one, is below this. For zeros it wraps around to the largest number.
 */
const DOUBTFUL = splat(0x00ffffffn);
const ALL_BITS = splat(0xffffffffn);
const NANS = splat(BigInt(NAN_32));

const isWide = (type: ValueType): boolean => type === "i64" || type === "f64";

/** Emits code for one thread of the group. It extracts its inputs from the vectors and inserts its results. */
export class LaneEmitter extends Emitter {
  readonly #shapes: Shapes;
  readonly #lane: number;

  constructor({ code, facts, thread, locals, shapes, hoisted }: VectorParts, lane: number) {
    super(code, facts, thread, locals, hoisted);
    this.#shapes = shapes;
    this.#lane = lane;
  }

  override getRegister(register: number): void {
    const { code, facts, locals } = this;
    const type = facts.types[register]!;
    const local = locals[register]!;
    const shape = this.#shapes.of(register);
    if (shape !== undefined) {
      code.get(local);
      if (shape === 0 || this.#lane === 0) return;
      this.constant(BigInt(shape * this.#lane), type);
      code.op(type === "i64" ? "i64.add" : "i32.add");
      return;
    }
    if (isWide(type)) {
      code.get(local + (this.#lane >> 1)).lane(`${type as "i64"}x2.extract_lane`, this.#lane & 1);
      return;
    }
    code.get(local).lane(`${type as "i32"}x4.extract_lane`, this.#lane);
    if (facts.registerTypes[register] === "pred") code.i32(1).op("i32.and");
  }

  override beginRegister(register: number): void {
    const { code, facts, locals } = this;
    code.get(locals[register]! + (isWide(facts.types[register]!) ? this.#lane >> 1 : 0));
    if (facts.registerTypes[register] === "pred") code.i32(0);
  }

  override endRegister(register: number): void {
    const { code, facts, locals } = this;
    const type = facts.types[register]!;
    const local = locals[register]! + (isWide(type) ? this.#lane >> 1 : 0);
    if (facts.registerTypes[register] === "pred") code.op("i32.sub");
    if (isWide(type)) code.lane(`${type as "i64"}x2.replace_lane`, this.#lane & 1);
    else code.lane(`${type as "i32"}x4.replace_lane`, this.#lane);
    code.set(local);
  }

  override pushCursor(cursor: Cursor): void {
    super.pushCursor(cursor);
    if (this.#lane > 0 && cursor.stride !== 0) this.code.i32(this.#lane * cursor.stride).op("i32.add");
  }

  override threadNumber(): void {
    super.threadNumber();
    if (this.#lane > 0) this.code.i32(this.#lane).op("i32.add");
  }

  override threadIndex(component: number): void {
    super.threadIndex(component);
    if (component === 0 && this.#lane > 0) this.code.i32(this.#lane).op("i32.add");
  }
}

/** Emits code whose single result is written to a register that is a vector elsewhere. */
export class SplatEmitter extends Emitter {
  override beginRegister(register: number): void {
    if (this.facts.registerTypes[register] === "pred") this.code.i32(0);
  }

  override endRegister(register: number): void {
    const { code, facts, locals } = this;
    const type = facts.types[register]!;
    if (facts.registerTypes[register] === "pred") code.op("i32.sub");
    code.op(isWide(type) ? `${type as "i64"}x2.splat` : `${type as "i32"}x4.splat`);
    if (isWide(type)) code.tee(locals[register]! + 1);
    code.set(locals[register]!);
  }
}

/** Operands and results as vectors. */
export class Vectors {
  readonly code: Code;
  readonly facts: KernelFacts;
  readonly shapes: Shapes;
  /** Emits values that are the same for all threads, and the first thread's values. */
  readonly scalar: Emitter;
  readonly splat: SplatEmitter;
  readonly lanes: readonly LaneEmitter[];
  readonly #locals: Int32Array;
  readonly #doubt: number | undefined;
  /** The locals of constants. */
  readonly #constants = new Map<readonly bigint[], number>();

  constructor(parts: VectorParts) {
    this.#doubt = parts.doubt;
    const { code, facts, thread, locals, shapes, hoisted } = parts;
    this.code = code;
    this.facts = facts;
    this.shapes = shapes;
    this.#locals = locals;
    this.scalar = new Emitter(code, facts, thread, locals, hoisted);
    this.splat = new SplatEmitter(code, facts, thread, locals, hoisted);
    this.lanes = Array.from({ length: LANES }, (_, lane) => new LaneEmitter(parts, lane));
  }

  shape(step: Step, i: number): number | undefined {
    return this.shapes.ofOperand(step, step.source.operands[i]!);
  }

  /**
   * Pushes source `i` as four words, which are masks if it is a predicate.
   *
   * @param copied whether the instruction copies the bits of an f32, so that those of a NaN matter
   */
  push(step: Step, i: number, copied = false): void {
    const { code } = this;
    const operand = step.source.operands[i]!;
    const type = step.operation.operandTypes[i];
    const observed = copied || type !== "f32";
    if (operand.kind === "immediate") {
      const bits = Number(BigInt.asIntN(32, operand.bits));
      code.i32(type === "pred" ? -bits : bits).op("i32x4.splat");
      return;
    }
    const shape = this.shapes.ofOperand(step, operand);
    if (operand.kind === "register" && shape === undefined) {
      const register = step.context.registerBase + operand.register;
      code.get(this.#locals[register]!);
      if (operand.negated) code.op("v128.not");
      if (observed && this.facts.anyNaN[register] === 1) this.canonical();
      return;
    }
    if (shape === undefined) {
      // A special register whose value differs between the threads.
      code.i32(0).op("i32x4.splat");
      this.lanes.forEach((lane, i) => {
        lane.pushBits(step, operand, "i32", observed);
        code.lane("i32x4.replace_lane", i);
      });
      return;
    }
    if (
      operand.kind === "register" &&
      this.facts.registerTypes[step.context.registerBase + operand.register] === "pred"
    ) {
      code.i32(0);
      this.scalar.pushBits(step, operand, "i32", false);
      code.op("i32.sub").op("i32x4.splat");
      return;
    }
    this.scalar.pushBits(step, operand, "i32", observed);
    code.op("i32x4.splat");
    if (shape !== 0) {
      code
        .v128(
          [0, 1, 2, 3].map((lane) => BigInt(lane * shape)),
          32,
        )
        .op("i32x4.add");
    }
  }

  /** Pushes the values of a register: four words, or one half of four double words. Predicates are masks. */
  pushRegister(register: number, half: 0 | 1): void {
    const { code, facts, scalar } = this;
    const type = facts.types[register]!;
    const shape = this.shapes.of(register);
    if (shape === undefined) {
      code.get(this.#locals[register]! + half);
      return;
    }
    const lanes = isWide(type) ? 2 : LANES;
    if (facts.registerTypes[register] === "pred") code.i32(0);
    scalar.getRegister(register);
    if (facts.registerTypes[register] === "pred") code.op("i32.sub");
    code.op(`${type as "i32"}x${lanes as 4}.splat`);
    if (shape === 0) return;
    const offsets = Array.from({ length: lanes }, (_, lane) => BigInt((half * 2 + lane) * shape));
    code.v128(offsets, isWide(type) ? 64 : 32).op(isWide(type) ? "i64x2.add" : "i32x4.add");
  }

  /** Pushes one half of the 64-bit source `i`: two double words. */
  pushHalf(step: Step, i: number, half: 0 | 1): void {
    const { code } = this;
    const operand = step.source.operands[i]!;
    if (operand.kind === "immediate") {
      code.v128([operand.bits, operand.bits], 64);
      return;
    }
    const shape = this.shape(step, i);
    if (operand.kind === "register" && shape === undefined) {
      code.get(this.#locals[step.context.registerBase + operand.register]! + half);
      return;
    }
    this.scalar.pushBits(step, operand, "i64", true);
    code.op("i64x2.splat");
    if (shape !== undefined && shape !== 0) {
      code
        .v128(
          [0, 1].map((lane) => BigInt((2 * half + lane) * shape)),
          64,
        )
        .op("i64x2.add");
    }
  }

  /** Writes the four words that `push` pushes to result `i`. */
  assign(step: Step, i: number, push: () => void): void {
    const operand = step.source.operands[i]!;
    if (operand.kind !== "register") return;
    push();
    this.code.set(this.#locals[step.context.registerBase + operand.register]!);
  }

  /** Writes the arithmetic f32 values on the stack to a result. */
  setFloat({ source, context }: Step, i: number): void {
    const register = context.registerBase + (source.operands[i] as RegisterOperand).register;
    if (this.facts.anyNaN[register] === 0) this.canonical();
    this.code.set(this.#locals[register]!);
  }

  /** Writes a 64-bit result, half by half. */
  assignHalves(step: Step, i: number, push: (half: 0 | 1) => void): void {
    const operand = step.source.operands[i]!;
    if (operand.kind !== "register") return;
    const local = this.#locals[step.context.registerBase + operand.register]!;
    this.code.scratch("v128", (first) => {
      push(0);
      this.code.set(first);
      push(1);
      this.code
        .set(local + 1)
        .get(first)
        .set(local);
    });
  }

  /** Replaces NaNs among four f32 on the stack by the canonical NaN. */
  canonical(): void {
    const { code } = this;
    const value = code.take("v128");
    code.tee(value);
    this.constant(NANS);
    code.get(value).get(value).op("f32x4.eq").op("v128.bitselect");
    code.release("v128", value);
  }

  /** Pushes a constant of four words, which the function computes once. */
  constant(words: readonly bigint[]): void {
    let local = this.#constants.get(words);
    if (local === undefined) {
      const added = this.code.local("v128");
      this.code.atStart(() => void this.code.v128(words, 32).set(added));
      this.#constants.set(words, added);
      local = added;
    }
    this.code.get(local);
  }

  get mayDoubt(): boolean {
    return this.#doubt !== undefined;
  }

  /** Resets the doubt. */
  trust(): void {
    if (this.#doubt === undefined) return;
    this.constant(ALL_BITS);
    this.code.set(this.#doubt);
  }

  /** Records a doubt when one of four f32 on the stack is subnormal. */
  doubtSubnormal(): void {
    const { code } = this;
    const value = code.take("v128");
    code.tee(value).get(value).get(value).op("i32x4.add");
    this.constant(ALL_BITS);
    code.op("i32x4.add").get(this.#doubt!).op("i32x4.min_u").set(this.#doubt!);
    code.release("v128", value);
  }

  /** Branches away when a doubt was recorded. */
  leaveInDoubt(away: Label): void {
    if (this.#doubt === undefined) return;
    const { code } = this;
    code.get(this.#doubt);
    this.constant(DOUBTFUL);
    code.op("i32x4.lt_u").op("v128.any_true").brIf(away);
  }

  /** The local of a register, or the first of its two locals. */
  localOf(register: number): number {
    return this.#locals[register]!;
  }
}
