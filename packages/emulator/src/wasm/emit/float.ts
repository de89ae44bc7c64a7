// Arithmetic of f32 and f64, rounded to nearest, and sums and products of f32 in all rounding modes (PTX ISA,
// Floating-Point Instructions). Other rounding modes and narrower floats are computed by JavaScript.
import type { Step } from "../../control/step.js";
import type { Opcode } from "../binary/opcodes.js";
import { DIRECTED, type Directed, type Multiplied, multiplyAddDirected } from "../directed.js";
import type { ElementaryName } from "../elementary/signature.js";
import type { Emitter } from "./emitter.js";
import type { Emit, Select } from "./select.js";

type Float = "f32" | "f64";

/** The type of an instruction whose types are all f32, or all f64. */
function floatType({ operation: { types } }: Step): Float | undefined {
  const [type] = types;
  if (types.some((other) => other !== type)) return undefined;
  return type === "f32" || type === "f64" ? type : undefined;
}

const directionOf = ({ operation: { words } }: Step) => DIRECTED.find((word) => words.has(word));

/** The type of such an instruction if it rounds to nearest. */
const nearestType = (step: Step): Float | undefined =>
  directionOf(step) === undefined ? floatType(step) : undefined;

/** Replaces a subnormal f32 on the stack by a zero of the same sign. */
export function flush({ code }: Emitter): void {
  const bits = code.take("i32");
  code.op("i32.reinterpret_f32").tee(bits);
  code.get(bits).i32(-0x80000000).op("i32.and");
  code.get(bits).i32(0x7f800000).op("i32.and");
  code.op("select").op("f32.reinterpret_i32");
  code.release("i32", bits);
}

/** Clamps to [0, 1], and turns a NaN into +0. */
export function saturate({ code }: Emitter): void {
  code.scratch("f32", (value) => {
    code.tee(value).f32(ONE_32).op("f32.min").f32(0n);
    code.get(value).f32(0n).op("f32.gt").op("select");
  });
}

const ONE_32 = 0x3f800000n;
const ONE_64 = 0x3ff0000000000000n;

/**
 * Emits an instruction with a number of sources: flushes them, applies the operation, and flushes and saturates the
 * result.
 *
 * @param multiplied how the operation is a multiply-add, if it can round in a direction
 */
function arithmetic(
  sources: number,
  writeNearest: (emitter: Emitter, type: Float) => void,
  multiplied?: Multiplied,
): Select {
  const forms: Emit[] = [];
  return (step) => {
    const direction = directionOf(step);
    const type = floatType(step);
    if (direction !== undefined && (multiplied === undefined || type !== "f32")) return undefined;
    if (type === undefined || step.source.operands.length !== sources + 1) return undefined;
    const has = step.operation.words;
    if (has.has("NaN") || has.has("xorsign") || has.has("abs")) return undefined;
    const flushes = type === "f32" && has.has("ftz");
    const saturates = has.has("sat");
    // All instructions of a form share one emitter.
    const form =
      Number(type === "f64") +
      2 * Number(flushes) +
      4 * Number(saturates) +
      8 * (direction === undefined ? 0 : 1 + DIRECTED.indexOf(direction));
    const write =
      direction === undefined
        ? writeNearest
        : (emitter: Emitter) => emitDirected(emitter, sources, direction, multiplied!);
    if (forms[form] === undefined) {
      const push = (emitter: Emitter, it: Step) => {
        for (let i = 1; i <= sources; i++) {
          emitter.push(it, i);
          if (flushes && !isFlushed(emitter, it, i)) flush(emitter);
        }
        write(emitter, type);
        if (flushes) flush(emitter);
        if (saturates) saturate(emitter);
      };
      forms[form] =
        type === "f32"
          ? (emitter, it) => emitter.assignFloat(it, 0, push)
          : (emitter, it) => emitter.assignDouble(it, 0, () => push(emitter, it));
    }
    return forms[form];
  };
}

/** Replaces f32 on the stack by the result of an operation that rounds in a direction. */
function emitDirected(
  { code, facts }: Emitter,
  sources: number,
  mode: Directed,
  multiplied: Multiplied,
): void {
  const values = Array.from({ length: sources }, () => code.take("f32"));
  for (const value of values.toReversed()) code.set(value);
  for (const value of values) code.get(value).op("f32x4.splat");
  multiplyAddDirected(code, facts.module.directed(mode), multiplied);
  code.lane("f32x4.extract_lane", 0);
  for (const value of values.toReversed()) code.release("f32", value);
}

/** Whether a source is never subnormal. */
function isFlushed({ facts }: Emitter, { source, context }: Step, i: number): boolean {
  const operand = source.operands[i]!;
  if (operand.kind === "immediate") return operand.bits === 0n || ((operand.bits >> 23n) & 0xffn) !== 0n;
  return operand.kind === "register" && facts.flushed[context.registerBase + operand.register] === 1;
}

const one = (op: string) => (emitter: Emitter, type: Float) =>
  void emitter.code.op(`${type}.${op}` as Opcode);

/** min and max: a number takes precedence over a NaN. */
const extremum =
  (name: "min" | "max") =>
  ({ code }: Emitter, type: Float): void => {
    code.scratch(type, (a) => {
      code.scratch(type, (b) => {
        code.set(b).set(a);
        code.get(a).get(b).op(`${type}.${name}`).get(a).get(b).get(b).op(`${type}.eq`).op("select");
        code.get(b).get(a).get(a).op(`${type}.eq`).op("select");
      });
    });
  };

/** a * b + c with a single rounding. */
function multiplyAdd({ code, facts }: Emitter, type: Float): void {
  if (type === "f64" || facts.fusedMultiplyAdd) {
    const lanes = type === "f32" ? "f32x4" : "f64x2";
    code.scratch(type, (c) => {
      code.scratch(type, (b) => {
        code.set(c).set(b).op(`${lanes}.splat`).get(b).op(`${lanes}.splat`).get(c).op(`${lanes}.splat`);
      });
    });
    code.op(`${lanes}.relaxed_madd`).lane(`${lanes}.extract_lane`, 0);
  } else code.call(facts.module.fma32());
}

const reciprocal = ({ code }: Emitter, type: Float): void => {
  code.scratch(type, (value) => {
    code.set(value);
    if (type === "f32") code.f32(ONE_32);
    else code.f64(ONE_64);
    code.get(value).op(`${type}.div`);
  });
};

const reciprocalRoot = ({ code }: Emitter): void => {
  code.scratch("f64", (value) => {
    code.op("f64.promote_f32").op("f64.sqrt").set(value);
    code.f64(ONE_64).get(value).op("f64.div").op("f32.demote_f64");
  });
};

const singleRoot = arithmetic(1, reciprocalRoot);

/** Approximate instructions return the nearest value, which WebAssembly computes for most of them. */
const of32 =
  (select: Select): Select =>
  (step) =>
    nearestType(step) === "f32" || !step.operation.words.has("approx") ? select(step) : undefined;

/** 2^126 */
const LARGE_DIVISOR = 0x7e800000n;

/** The quotient that `div.approx` returns: divisors beyond 2^126 have a reciprocal of 0. */
function approximateQuotient({ code }: Emitter): void {
  code.scratch("f32", (a) => {
    code.scratch("f32", (b) => {
      code.set(b).tee(a).f32(0n).get(b).op("f32.copysign").op("f32.mul");
      code.get(a).get(b).op("f32.div");
      code.get(b).op("f32.abs").f32(LARGE_DIVISOR).op("f32.gt").op("select");
    });
  });
}

const quotient = arithmetic(2, one("div"));
const approximate = arithmetic(2, approximateQuotient);
const divide: Select = (step) => (step.operation.words.has("approx") ? approximate(step) : quotient(step));

/** A function of four f32 that kernels share, called with 0 for the others. */
const elementary =
  (name: ElementaryName) =>
  ({ code, facts }: Emitter): void => {
    code.scratch("f32", (value) => {
      code.set(value).v128([0n, 0n], 64).get(value).lane("f32x4.replace_lane", 0);
    });
    code.call(facts.module.elementary(name)).lane("f32x4.extract_lane", 0);
  };

/** The magnitude of b with the sign of a. The payload of a NaN is kept. */
const copySign: Select = ({ operation }) => {
  const type = operation.types[0] as Float;
  return (emitter, it) =>
    emitter.assign(it, 0, type, () => {
      for (const i of [2, 1]) emitter.pushBits(it, it.source.operands[i]!, type, true);
      emitter.code.op(`${type}.copysign`);
    });
};

/** Instructions on f32 and f64 by name. */
export const FLOAT: Readonly<Record<string, Select>> = {
  add: arithmetic(2, one("add"), "add"),
  sub: arithmetic(2, one("sub"), "sub"),
  mul: arithmetic(2, one("mul"), "mul"),
  div: divide,
  fma: arithmetic(3, multiplyAdd, "fma"),
  mad: arithmetic(3, multiplyAdd, "fma"),
  neg: arithmetic(1, one("neg")),
  abs: arithmetic(1, one("abs")),
  min: arithmetic(2, extremum("min")),
  max: arithmetic(2, extremum("max")),
  sqrt: arithmetic(1, one("sqrt")),
  rcp: of32(arithmetic(1, reciprocal)),
  sin: arithmetic(1, elementary("sin")),
  cos: arithmetic(1, elementary("cos")),
  lg2: arithmetic(1, elementary("lg2")),
  ex2: arithmetic(1, elementary("ex2")),
  tanh: arithmetic(1, elementary("tanh")),
  copysign: copySign,
  rsqrt: (step) => (nearestType(step) === "f32" ? singleRoot(step) : undefined),
};
