// Instructions on four threads at once, by name. Instructions without an emitter here are computed thread by thread.
import type { Step } from "../../control/step.js";
import { type PtxType, TYPES } from "../../program/types.js";
import type { Opcode } from "../binary/opcodes.js";
import { integralOf } from "../emit/convert.js";
import { isSigned } from "../emit/emitter.js";
import {
  approximate,
  copySign,
  elementary,
  float,
  floatExtremum,
  flush,
  isFlushed,
  op,
  quotient,
  reciprocal,
  saturate,
} from "./float.js";
import { multiplyAdd } from "./fma.js";
import { vectorLoad, vectorStore } from "./memory.js";
import { refused, type VectorEmit, type VectorSelect } from "./select.js";
import type { Vectors } from "./vectors.js";

const isWord = (type: PtxType | undefined): boolean => {
  if (type === undefined) return false;
  const { bits, class: kind, lanes } = TYPES[type];
  return bits === 32 && kind !== "float" && lanes === 1;
};

const isDouble = (type: PtxType | undefined): boolean => type === "b64" || type === "u64" || type === "s64";

/** Whether the vector instruction also exists for double words. Bitwise instructions are the same for all widths. */
type Widths = "words" | "double words" | "bits";

const integer =
  (sources: number, name: string, widths: Widths = "words"): VectorSelect =>
  (step) => {
    const type = step.operation.types[0];
    if (refused(step, "sat", "cc", "hi", "wide", "relu") || step.source.operands.length !== sources + 1)
      return undefined;
    if (isWord(type)) {
      return (vectors, it) =>
        vectors.assign(it, 0, () => {
          for (let i = 1; i <= sources; i++) vectors.push(it, i);
          vectors.code.op((widths === "bits" ? `v128.${name}` : `i32x4.${name}`) as Opcode);
        });
    }
    if (type === "pred" && widths === "bits") {
      return (vectors, it) =>
        vectors.assign(it, 0, () => {
          for (let i = 1; i <= sources; i++) vectors.push(it, i);
          vectors.code.op(`v128.${name}` as Opcode);
        });
    }
    if (!isDouble(type) || widths === "words") return undefined;
    return (vectors, it) =>
      vectors.assignHalves(it, 0, (half) => {
        for (let i = 1; i <= sources; i++) vectors.pushHalf(it, i, half);
        vectors.code.op((widths === "bits" ? `v128.${name}` : `i64x2.${name}`) as Opcode);
      });
  };

const extremum =
  (name: "min" | "max"): VectorSelect =>
  (step) =>
    integer(2, `${name}_${isSigned(step.operation.types[0]!) ? "s" : "u"}`)(step);

/** Shifts by constants. */
const shift =
  (name: "shl" | "shr"): VectorSelect =>
  ({ source, operation }) => {
    const count = source.operands[2];
    const type = operation.types[0]!;
    if (count?.kind !== "immediate" || count.bits >= BigInt(TYPES[type].bits)) return undefined;
    const by = Number(count.bits);
    const op = name === "shl" ? "shl" : isSigned(type) ? "shr_s" : "shr_u";
    if (isWord(type)) {
      return (vectors, it) =>
        vectors.assign(it, 0, () => {
          vectors.push(it, 1);
          vectors.code.i32(by).op(`i32x4.${op}`);
        });
    }
    if (!isDouble(type)) return undefined;
    return (vectors, it) =>
      vectors.assignHalves(it, 0, (half) => {
        vectors.pushHalf(it, 1, half);
        vectors.code.i32(by).op(`i64x2.${op}`);
      });
  };

/** Byte indices of the upper words of two vectors of double words. */
const UPPER_WORDS = [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31];
/** Byte indices of the lower words. */
const LOWER_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];

const multiply =
  (adds: boolean): VectorSelect =>
  (step) => {
    const type = step.operation.types[0]!;
    if (!isWord(type) || refused(step, "sat", "cc")) {
      return adds || !isDouble(type) || refused(step, "hi")
        ? undefined
        : integer(2, "mul", "double words")(step);
    }
    const sign = isSigned(type) ? "s" : "u";
    const has = step.operation.words;
    const extended = (vectors: Vectors, it: Step, half: 0 | 1) => {
      vectors.push(it, 1);
      vectors.push(it, 2);
      vectors.code.op(`i64x2.extmul_${half === 0 ? "low" : "high"}_i32x4_${sign}`);
    };
    if (has.has("wide")) {
      return (vectors, it) =>
        vectors.assignHalves(it, 0, (half) => {
          extended(vectors, it, half);
          if (!adds) return;
          vectors.pushHalf(it, 3, half);
          vectors.code.op("i64x2.add");
        });
    }
    return (vectors, it) =>
      vectors.assign(it, 0, () => {
        if (has.has("hi")) {
          extended(vectors, it, 0);
          extended(vectors, it, 1);
          vectors.code.shuffle(UPPER_WORDS);
        } else {
          vectors.push(it, 1);
          vectors.push(it, 2);
          vectors.code.op("i32x4.mul");
        }
        if (!adds) return;
        vectors.push(it, 3);
        vectors.code.op("i32x4.add");
      });
  };

const either =
  (...selects: VectorSelect[]): VectorSelect =>
  (step) => {
    for (const select of selects) {
      const emit = select(step);
      if (emit !== undefined) return emit;
    }
    return undefined;
  };

/** Comparisons of words. Comparisons of floats are false for NaNs, except for the one that is true. */
const COMPARISONS: Readonly<Record<string, string>> = {
  ...{ eq: "eq", ne: "ne", lt: "lt", le: "le", gt: "gt", ge: "ge", lo: "lt", ls: "le", hi: "gt", hs: "ge" },
};
const FLOAT_COMPARISONS: Readonly<Record<string, string>> = {
  ...{ eq: "eq", neu: "ne", lt: "lt", le: "le", gt: "gt", ge: "ge" },
};
/** Comparisons that are true for NaNs, as negations of others. */
const UNORDERED: Readonly<Record<string, string>> = { ltu: "ge", leu: "gt", gtu: "le", geu: "lt" };

const setPredicate: VectorSelect = (step) => {
  const type = step.operation.types.at(-1)!;
  const has = step.operation.words;
  const { operands } = step.source;
  if (operands[1]!.kind !== "sink" && step.operation.results > 1) return undefined;
  const isFloat = type === "f32";
  if (!isFloat && !isWord(type)) return undefined;
  const table = isFloat ? { ...FLOAT_COMPARISONS, ...UNORDERED } : COMPARISONS;
  const name = Object.keys(table).find((word) => has.has(word));
  if (name === undefined) return undefined;
  const compare = table[name]!;
  const sign = isFloat || compare === "eq" || compare === "ne" ? "" : isSigned(type) ? "_s" : "_u";
  const combination = (["and", "or", "xor"] as const).find((word) => has.has(word));
  return (vectors, it) => {
    const first = it.operation.results;
    vectors.assign(it, 0, () => {
      for (const source of [first, first + 1]) {
        vectors.push(it, source);
        if (has.has("ftz") && !isFlushed(vectors, it, source)) flush(vectors);
      }
      vectors.code.op(`${isFloat ? "f32" : "i32"}x4.${compare}${sign}` as Opcode);
      if (isFloat && name in UNORDERED) vectors.code.op("v128.not");
      if (combination === undefined) return;
      vectors.push(it, first + 2);
      vectors.code.op(`v128.${combination}`);
    });
  };
};

const select: VectorSelect = ({ operation }) => {
  const { bits } = TYPES[operation.types[0]!];
  if (bits === 32) {
    return (vectors, it) =>
      vectors.assign(it, 0, () => {
        vectors.push(it, 1, true);
        vectors.push(it, 2, true);
        vectors.push(it, 3);
        vectors.code.op("v128.bitselect");
      });
  }
  if (bits !== 64) return undefined;
  return (vectors, it) =>
    vectors.assignHalves(it, 0, (half) => {
      vectors.pushHalf(it, 1, half);
      vectors.pushHalf(it, 2, half);
      vectors.push(it, 3);
      vectors.code.op(`i64x2.extend_${half === 0 ? "low" : "high"}_i32x4_s`).op("v128.bitselect");
    });
};

const move: VectorSelect = ({ source, operation }) => {
  const [to, from] = source.operands;
  if (to!.kind !== "register" || from!.kind === "vector") return undefined;
  const { bits } = TYPES[operation.types[0]!];
  if (bits === 32 || bits === 1)
    return (vectors, it) => vectors.assign(it, 0, () => vectors.push(it, 1, true));
  return bits === 64
    ? (vectors, it) => vectors.assignHalves(it, 0, (half) => vectors.pushHalf(it, 1, half))
    : undefined;
};

/** Rounding to whole numbers, and clamping to [0, 1]. */
const convertFloat: VectorSelect = ({ source, operation: { words } }) => {
  if (source.operands[0]!.kind !== "register") return undefined;
  const integral = integralOf(words);
  return (vectors, it) => {
    vectors.push(it, 1);
    if (words.has("ftz")) flush(vectors);
    if (integral !== undefined) vectors.code.op(`f32x4.${integral}` as Opcode);
    if (words.has("sat")) saturate(vectors);
    vectors.setFloat(it, 0);
  };
};

const convert: VectorSelect = (step) => {
  const [to, from] = step.operation.types;
  if (refused(step, "rz", "rm", "rp")) return undefined;
  if (to === "f32" && from === "f32") return convertFloat(step);
  if (refused(step, "sat")) return undefined;
  const sign = isSigned(from!) ? "s" : "u";
  if (to === "f32" && isWord(from)) {
    return (vectors, it) =>
      vectors.assign(it, 0, () => {
        vectors.push(it, 1);
        vectors.code.op(`f32x4.convert_i32x4_${sign}`);
      });
  }
  if (isWord(to) && from === "f32" && step.operation.words.has("rzi") && !step.operation.words.has("ftz")) {
    return (vectors, it) =>
      vectors.assign(it, 0, () => {
        vectors.push(it, 1);
        vectors.code.op(`i32x4.trunc_sat_f32x4_${isSigned(to!) ? "s" : "u"}`);
      });
  }
  if (isDouble(to) && isWord(from)) {
    return (vectors, it) =>
      vectors.assignHalves(it, 0, (half) => {
        vectors.push(it, 1);
        vectors.code.op(`i64x2.extend_${half === 0 ? "low" : "high"}_i32x4_${sign}`);
      });
  }
  if (isWord(to) && isDouble(from)) {
    return (vectors, it) =>
      vectors.assign(it, 0, () => {
        vectors.pushHalf(it, 1, 0);
        vectors.pushHalf(it, 1, 1);
        vectors.code.shuffle(LOWER_WORDS);
      });
  }
  return undefined;
};

const TABLE: Readonly<Record<string, VectorSelect>> = {
  add: either(integer(2, "add", "double words"), float(2, op("f32x4.add"), "add")),
  sub: either(integer(2, "sub", "double words"), float(2, op("f32x4.sub"), "sub")),
  mul: either(multiply(false), float(2, op("f32x4.mul"), "mul")),
  mad: either(multiply(true), float(3, multiplyAdd, "fma")),
  fma: float(3, multiplyAdd, "fma"),
  div: (step) => (step.operation.words.has("approx") ? approximate(step) : quotient(step)),
  neg: either(integer(1, "neg", "double words"), float(1, op("f32x4.neg"))),
  abs: either(integer(1, "abs"), float(1, op("f32x4.abs"))),
  min: either(extremum("min"), float(2, floatExtremum("min"))),
  max: either(extremum("max"), float(2, floatExtremum("max"))),
  sqrt: float(1, op("f32x4.sqrt")),
  rcp: float(1, reciprocal),
  rsqrt: float(1, elementary("rsqrt")),
  sin: float(1, elementary("sin")),
  cos: float(1, elementary("cos")),
  lg2: float(1, elementary("lg2")),
  ex2: float(1, elementary("ex2")),
  tanh: float(1, elementary("tanh")),
  copysign: copySign,
  and: integer(2, "and", "bits"),
  or: integer(2, "or", "bits"),
  xor: integer(2, "xor", "bits"),
  not: integer(1, "not", "bits"),
  shl: shift("shl"),
  shr: shift("shr"),
  setp: setPredicate,
  selp: select,
  mov: move,
  cvt: convert,
  ld: vectorLoad,
  ldu: vectorLoad,
  st: vectorStore,
};

/** The emitter of an instruction for four threads; undefined when it is computed thread by thread. */
export function vectorEmitterOf(step: Step): VectorEmit | undefined {
  if (step.vectorEmit === undefined) step.vectorEmit = selectFor(step) ?? null;
  return (step.vectorEmit as VectorEmit | null) ?? undefined;
}

function selectFor(step: Step): VectorEmit | undefined {
  const { operands } = step.source;
  const { operandTypes } = step.operation;
  // Values narrower than a word, or of another width than their register, are truncated and extended thread by thread.
  const isOdd = operands.some((operand, i) => {
    const type = operandTypes[i];
    if (type === undefined || operand.kind !== "register") return false;
    const register = step.context.body.registers[operand.register];
    // The arguments of a call are in registers of another function.
    if (register === undefined) return true;
    const { bits } = TYPES[register.type];
    return bits !== TYPES[type].bits || bits === 16 || bits === 8;
  });
  return isOdd ? undefined : TABLE[step.operation.name]?.(step);
}
