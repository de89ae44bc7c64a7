// The conversions from and to types of 64 bits, f16, bf16 and tf32 that have kernels in WebAssembly.
import type { OperationParts } from "@mm-ptx/types/code";
import { clamped, INTEGRAL, integerFromFloat } from "./conversion-operations.js";
import { FloatKernel } from "./kernels.js";
import { Class, Flag } from "./layout.js";
import { bitwise, type Definition, LEAST_NORMAL, type Recipe, type Register } from "./recipe.js";
import {
  AnyRounding,
  DoubleOperation,
  HalfFlag,
  HalfOperation,
  LongOperation,
  LongTest,
  Widening,
} from "./wide-kernels.js";
import { anyRounding, classesOf, halfFlags, WideSteps } from "./wide-recipe.js";
import { Comparison, RareOperation, WordOperation } from "./word-kernels.js";

interface IntegerType {
  readonly bits: number;
  readonly signed: boolean;
}

/** A conversion, while its steps are written. */
interface Task {
  readonly steps: WideSteps;
  readonly recipe: Recipe;
  readonly to: string;
  readonly from: string;
  readonly rounding: AnyRounding;
  /** A rounding to an integral value. */
  readonly integral: string;
  readonly saturates: boolean;
  readonly flushes: boolean;
  /** Flags for a result that is a half. */
  readonly half: number;
}

function integerType(type: string): IntegerType | undefined {
  const [, sign, bits] = /^([us])(8|16|32|64)$/.exec(type) ?? [];
  return bits === undefined ? undefined : { bits: Number(bits), signed: sign === "s" };
}

const isHalf = (type: string): boolean => type === "f16" || type === "bf16";
const FLOATS = ["f16", "bf16", "f32", "f64", "tf32"];
const classOf = (type: string): Class => (type.endsWith("64") ? Class.double : Class.word);

/** `cvt`, except from and to types of 8 bits other than integers, and to pairs of integers. */
export function wideConversion(parts: OperationParts): Definition | undefined {
  const { types, rounding, flush, saturation, rectify, choice } = parts;
  const [to = "", from = ""] = types;
  const isPair = to.endsWith("x2");
  const target = integerType(to);
  const source = integerType(from);
  const isKnown = (type: string) => integerType(type) !== undefined || FLOATS.includes(type);
  if (choice !== "" || !isKnown(to.replace(/^(b?f16)x2$/, "$1")) || !isKnown(from)) return undefined;
  const half =
    halfFlags(to.replace("x2", ""), anyRounding(rounding) ?? AnyRounding.nearest) |
    (to === "tf32" ? HalfFlag.tensor : 0) |
    (saturation === "sat" ? HalfFlag.saturate : 0) |
    (saturation === "satfinite" ? HalfFlag.finite : 0) |
    (rectify ? HalfFlag.rectify : 0);
  const isFloat = to === "f32";
  return {
    flags:
      classesOf(isPair ? [Class.word, Class.word] : [classOf(from)], classOf(to)) |
      (classOf(from) === Class.word && from !== "f32" ? bitwise(1) : 0) |
      (isFloat && saturation === "" ? Flag.loose : 0) |
      (isFloat && (flush || source !== undefined) ? Flag.clean : 0) |
      (flush && from === "f32" ? Flag.flushes : 0),
    build: (recipe) => {
      const steps = new WideSteps(recipe);
      const task: Task = {
        ...{ steps, recipe, to, from, half },
        rounding: anyRounding(rounding) ?? AnyRounding.nearest,
        integral: INTEGRAL[rounding] === undefined ? "" : rounding,
        saturates: saturation === "sat",
        flushes: flush,
      };
      if (isPair) return pair(task);
      if (target === undefined)
        return source === undefined ? floatFromFloat(task) : floatFromInteger(task, source);
      return source === undefined ? toInteger(task, target) : integerFromInteger(task, target, source);
    },
  };
}

/** Two f32 as halves of a word, the first of which is the upper one. */
function pair({ steps, recipe, half }: Task): Register {
  const upper = steps.half(HalfOperation.fromFloat, half, 0);
  const lower = steps.half(HalfOperation.fromFloat, half, 1);
  const moved = recipe.words(WordOperation.mul, upper, recipe.constant(0x10000));
  return recipe.words(WordOperation.or, moved, lower);
}

function integerFromInteger(
  { steps, recipe, saturates }: Task,
  to: IntegerType,
  from: IntegerType,
): Register {
  if (from.bits < 64) {
    const narrow = recipe.extended(0, from.bits, from.signed);
    const wide = steps.widen(from.signed ? Widening.signed : Widening.unsigned, narrow);
    if (!saturates || to.signed || !from.signed) return wide;
    return steps.long(LongOperation.maxSigned, wide, steps.constant(0n));
  }
  const limited = saturates ? clampedLong(steps, to, from) : 0;
  if (to.bits === 64) return limited === 0 ? steps.long(LongOperation.copy, 0) : limited;
  const word = steps.test(LongTest.lowWord, 0, limited);
  return saturates ? word : recipe.extended(word, to.bits, to.signed);
}

/** The integer of a type that is nearest to an operand of 64 bits. */
function clampedLong(steps: WideSteps, to: IntegerType, from: IntegerType): Register {
  const greatest = (1n << BigInt(to.signed ? to.bits - 1 : to.bits)) - 1n;
  if (!from.signed) {
    return to.bits === 64 && !to.signed
      ? 0
      : steps.long(LongOperation.minUnsigned, 0, steps.constant(greatest));
  }
  if (to.bits === 64) return to.signed ? 0 : steps.long(LongOperation.maxSigned, 0, steps.constant(0n));
  const raised = steps.long(LongOperation.maxSigned, 0, steps.constant(to.signed ? ~greatest : 0n));
  return steps.long(LongOperation.minSigned, raised, steps.constant(greatest));
}

function floatFromInteger(task: Task, { bits, signed }: IntegerType): Register {
  const { steps, recipe, to, rounding, saturates, half } = task;
  if (bits === 64) {
    if (isHalf(to))
      return steps.half(signed ? HalfOperation.fromSigned : HalfOperation.fromUnsigned, half, 0);
    if (to === "f32") {
      const float = steps.test(signed ? LongTest.signedToFloat : LongTest.unsignedToFloat, rounding, 0);
      return saturates ? recipe.rare(RareOperation.saturate, float) : float;
    }
    const double = steps.double(
      signed ? DoubleOperation.fromSigned : DoubleOperation.fromUnsigned,
      rounding,
      0,
    );
    return saturates ? steps.double(DoubleOperation.saturate, 0, double) : double;
  }
  const narrow = recipe.extended(0, bits, signed);
  const double = steps.widen(signed ? Widening.signedToDouble : Widening.unsignedToDouble, narrow);
  if (isHalf(to)) return steps.half(HalfOperation.fromDouble, half, double);
  return saturates ? steps.double(DoubleOperation.saturate, 0, double) : double;
}

const INTEGRAL_DOUBLES: Readonly<Record<string, DoubleOperation>> = {
  rni: DoubleOperation.nearest,
  rzi: DoubleOperation.truncate,
  rmi: DoubleOperation.floor,
  rpi: DoubleOperation.ceil,
};

/** The operand as f32, rounded to an integral value if the instruction says so. */
function floatOperand({ steps, recipe, from, integral }: Task): Register {
  const float = isHalf(from) ? steps.half(HalfOperation.expand, halfFlags(from, AnyRounding.nearest), 0) : 0;
  return integral === "" ? float : recipe.rare(INTEGRAL[integral]!, float);
}

function toInteger(task: Task, to: IntegerType): Register {
  const { steps, recipe, from, integral } = task;
  const { bits, signed } = to;
  if (from !== "f64") {
    const whole = floatOperand(task);
    if (bits < 64) return integerFromFloat(recipe, to, whole);
    return steps.widen(signed ? Widening.floatToSigned : Widening.floatToUnsigned, whole);
  }
  const whole = steps.double(INTEGRAL_DOUBLES[integral]!, 0, 0);
  if (bits === 64)
    return steps.double(signed ? DoubleOperation.toSigned : DoubleOperation.toUnsigned, 0, whole);
  const toUnsigned = bits === 32 && !signed;
  const word = steps.test(toUnsigned ? LongTest.doubleToUnsigned : LongTest.doubleToSigned, 0, whole);
  if (bits === 32) return word;
  const near = clamped(recipe, to, word);
  if (signed) return near;
  // A NaN has become the least integer.
  const isNumber = steps.test(LongTest.ordered, 0, 0, 0);
  const highest = recipe.constant(2 ** (bits - 1));
  return recipe.step(recipe.kernels.comparisons, Comparison.select, [near, highest, isNumber]);
}

function floatFromFloat(task: Task): Register {
  const { steps, recipe, to, from, rounding, integral, saturates, flushes, half } = task;
  if (to === "f64") {
    if (from !== "f64") {
      const double = steps.widen(Widening.floatToDouble, floatOperand(task));
      return saturates ? steps.double(DoubleOperation.saturate, 0, double) : double;
    }
    const whole = integral === "" ? 0 : steps.double(INTEGRAL_DOUBLES[integral]!, 0, 0);
    if (saturates) return steps.double(DoubleOperation.saturate, 0, whole);
    return integral === "" ? steps.double(DoubleOperation.copy, 0, 0) : whole;
  }
  if (to === "f32") {
    const float = from === "f64" ? steps.test(LongTest.doubleToFloat, rounding, 0) : floatOperand(task);
    const flushed = flushes && from === "f64" ? recipe.float(FloatKernel.flush, LEAST_NORMAL, float) : float;
    return saturates ? recipe.rare(RareOperation.saturate, flushed) : flushed;
  }
  if (from === "f64") return steps.half(HalfOperation.fromDouble, half, 0);
  return steps.half(HalfOperation.fromFloat, half, floatOperand(task));
}
