// Arithmetic of f32 on four threads at once.
import type { Step } from "../../control/step.js";
import type { Opcode } from "../binary/opcodes.js";
import { DIRECTED, type Multiplied, multiplyAddDirected } from "../directed.js";
import type { ElementaryName } from "../elementary/signature.js";
import { type GiveUp, refused, type VectorEmit, type VectorSelect } from "./select.js";
import { splat, type Vectors } from "./vectors.js";

const ONES = splat(0x3f800000n);
const EXPONENTS = splat(0x7f800000n);
const ZEROS = splat(0n);

/** Replaces subnormals among four f32 on the stack by zeros of the same sign. */
export function flush(vectors: Vectors): void {
  const { code } = vectors;
  const value = code.take("v128");
  code.tee(value).get(value);
  vectors.constant(EXPONENTS);
  code.op("v128.and");
  vectors.constant(ZEROS);
  // All bits except the sign.
  code.op("i32x4.eq").i32(1).op("i32x4.shr_u").op("v128.andnot");
  code.release("v128", value);
}

/**
 * Flushes subnormal results. They are very rare, and later instructions depend on the results. As long as the group can
 * give up, it is enough to detect subnormals later.
 */
function flushResult(vectors: Vectors, giveUp: GiveUp): void {
  if (giveUp === undefined || !vectors.mayDoubt) flush(vectors);
  else vectors.doubtSubnormal();
}

/** Clamps to [0, 1], and turns NaNs into +0. */
export function saturate({ code }: Vectors): void {
  code.scratch("v128", (value) => {
    code.tee(value).v128(ONES, 32).op("f32x4.min");
    code.get(value).v128(ZEROS, 32).op("f32x4.gt").op("v128.and");
  });
}

/**
 * An f32 operation: pushes the sources, applies the operation, and handles `.ftz` and `.sat`.
 *
 * @param multiplied how the operation is a multiply-add, if it can round in a direction
 */
export function float(
  sources: number,
  writeNearest: (vectors: Vectors) => void,
  multiplied?: Multiplied,
): VectorSelect {
  const forms: VectorEmit[] = [];
  return (step) => {
    const { operands } = step.source;
    const { types } = step.operation;
    if (types.some((type) => type !== "f32") || operands.length !== sources + 1) return undefined;
    if (operands[0]!.kind !== "register") return undefined;
    if (refused(step, "NaN", "xorsign", "abs")) return undefined;
    const direction = DIRECTED.find((word) => step.operation.words.has(word));
    if (direction !== undefined && multiplied === undefined) return undefined;
    const flushes = step.operation.words.has("ftz");
    const saturates = step.operation.words.has("sat");
    // All instructions of a form share one emitter.
    const form =
      Number(flushes) +
      2 * Number(saturates) +
      4 * (direction === undefined ? 0 : 1 + DIRECTED.indexOf(direction));
    const write =
      direction === undefined
        ? writeNearest
        : ({ code, facts }: Vectors) =>
            multiplyAddDirected(code, facts.module.directed(direction), multiplied!);
    forms[form] ??= (vectors, it, giveUp) => {
      for (let i = 1; i <= sources; i++) {
        vectors.push(it, i);
        if (flushes && !isFlushed(vectors, it, i)) flush(vectors);
      }
      write(vectors);
      if (flushes) flushResult(vectors, giveUp);
      if (saturates) saturate(vectors);
      vectors.setFloat(it, 0);
    };
    return forms[form];
  };
}

export function isFlushed({ facts }: Vectors, { source, context }: Step, i: number): boolean {
  const operand = source.operands[i]!;
  if (operand.kind === "immediate") return operand.bits === 0n || ((operand.bits >> 23n) & 0xffn) !== 0n;
  return operand.kind === "register" && facts.flushed[context.registerBase + operand.register] === 1;
}

export const op = (name: Opcode) => (vectors: Vectors) => void vectors.code.op(name);

/** min and max: a number takes precedence over a NaN. */
export const floatExtremum =
  (name: "min" | "max") =>
  ({ code }: Vectors): void => {
    code.scratch("v128", (a) => {
      code.scratch("v128", (b) => {
        code.set(b).set(a);
        code.get(a).get(b).op(`f32x4.${name}`).get(a).get(b).get(b).op("f32x4.eq").op("v128.bitselect");
        code.get(b).get(a).get(a).op("f32x4.eq").op("v128.bitselect");
      });
    });
  };

export const reciprocal = (vectors: Vectors): void => {
  const { code } = vectors;
  const value = code.take("v128");
  code.set(value);
  vectors.constant(ONES);
  code.get(value).op("f32x4.div");
  code.release("v128", value);
};

/** 2^126 */
const LARGE_DIVISORS = splat(0x7e800000n);
const SIGNS = splat(0x80000000n);

/** The quotient that `div.approx` returns: divisors beyond 2^126 have a reciprocal of 0. */
function approximateQuotient(vectors: Vectors): void {
  const { code } = vectors;
  const a = code.take("v128");
  const b = code.take("v128");
  code.set(b).tee(a).get(b);
  vectors.constant(SIGNS);
  code.op("v128.and").op("f32x4.mul");
  code.get(a).get(b).op("f32x4.div");
  code.get(b).op("f32x4.abs");
  vectors.constant(LARGE_DIVISORS);
  code.op("f32x4.gt").op("v128.bitselect");
  code.release("v128", b);
  code.release("v128", a);
}

export const quotient = float(2, op("f32x4.div"));
export const approximate = float(2, approximateQuotient);

export const elementary =
  (name: ElementaryName) =>
  ({ code, facts }: Vectors): void =>
    void code.call(facts.module.elementary(name));

/** The magnitude of b with the sign of a. */
export const copySign: VectorSelect = ({ operation }) =>
  operation.types[0] === "f32"
    ? (vectors, it) =>
        vectors.assign(it, 0, () => {
          vectors.push(it, 1, true);
          vectors.push(it, 2, true);
          vectors.constant(SIGNS);
          vectors.code.op("v128.bitselect");
        })
    : undefined;
