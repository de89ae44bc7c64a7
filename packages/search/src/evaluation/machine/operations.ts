// What an operation of straight-line code becomes in machine code of sm_90, as ptxas 13.0 was seen to translate it.
import { CODE_NAMES, encodeOperation, operandsOf, operationParts } from "@mm-ptx/types/code";
import { OperationField } from "@mm-ptx/types/internal";

/** How an operation is translated. */
export const enum MachineKind {
  /** An instruction with free modifiers `-` and `||` of its operands. */
  arithmetic,
  /** `a * b`, or `a * b + c`: only one of the operands can be an immediate. */
  multiply,
  multiplyAdd,
  /** An addition, which may be fused with a multiplication. */
  add,
  /** The unit for special functions, whose operand can be modified. */
  special,
  /** Nothing: another name of its operand, perhaps with a modifier. */
  alias,
  negate,
  absolute,
  /** A reciprocal and a multiplication. */
  quotient,
  /** Minimum and maximum, which vanish if both operands are the same. */
  choose,
  /** An instruction on bits, whose operands can be neither modified nor, at most places, constants. */
  bits,
}

/** An operation as the model of machine code sees it. */
export interface MachineOperation {
  /** Equal for operations that compute the same of the same operands, once the second operand of a subtraction is negated. */
  readonly key: number;
  readonly kind: MachineKind;
  readonly operands: number;
  /** How many instructions it takes, with all operands in registers. */
  readonly instructions: number;
  /** How many of these are instructions of the unit for special functions. */
  readonly special: number;
  /** Whether it is computed by the compiler if all operands are constants. */
  readonly isFolded: boolean;
  /** Whether operands a and b can be exchanged. */
  readonly isCommutative: boolean;
  /** Whether it is an addition of the negative of operand b. */
  readonly isSubtraction: boolean;
  /** Whether it scales its operand in place, which takes one more instruction if the operand is still needed. */
  readonly isScaling: boolean;
  /** A constant that it needs in a register, as bits of f32, or 0. */
  readonly register: number;
  /** With `.ftz`. */
  readonly isFlushing: boolean;
  /** Whether it can be part of a fused multiplication and addition: without a rounding of its own. */
  readonly isFusable: boolean;
}

/**
 * The instructions of an approximation: with `.ftz`, and without, where subnormal arguments or results are scaled. A reciprocal also needs
 * 2^24 in a register for that.
 */
const APPROXIMATIONS: Readonly<Record<string, readonly [flushing: number, exact: number]>> = {
  ex2: [1, 4],
  lg2: [1, 4],
  rcp: [1, 7],
  rsqrt: [1, 4],
  sqrt: [1, 4],
  sin: [2, 2],
  cos: [2, 2],
  tanh: [1, 1],
};

const KINDS: Readonly<Record<string, MachineKind>> = {
  mov: MachineKind.alias,
  neg: MachineKind.negate,
  abs: MachineKind.absolute,
  add: MachineKind.add,
  sub: MachineKind.add,
  mul: MachineKind.multiply,
  fma: MachineKind.multiplyAdd,
  mad: MachineKind.multiplyAdd,
  min: MachineKind.choose,
  max: MachineKind.choose,
  copysign: MachineKind.bits,
};

/** 2^24 */
const SCALE = 0x4b800000;
const ADD = CODE_NAMES.indexOf("add");

/** The operation that computes the reciprocal of `div.approx.ftz.f32`. */
export const RECIPROCAL: number = encodeOperation("rcp.approx.ftz.f32", 1);
/** The operation whose reciprocal is the same of the negative operand. */
export const POWER: number = encodeOperation("ex2.approx.ftz.f32", 1);
/** Stands for an instruction that only flushes subnormal numbers. */
export const FLUSH: number = encodeOperation("mov.f32", 1);

const known = new Map<number, MachineOperation>();

/** How an operation of straight-line code is translated. Names that the model does not know count as one instruction. */
export function machineOperation(word: number): MachineOperation {
  const found = known.get(word);
  if (found !== undefined) return found;
  const operation = describe(word);
  known.set(word, operation);
  return operation;
}

function describe(word: number): MachineOperation {
  const { name, types, rounding, flush, saturation } = operationParts(word);
  const operands = operandsOf(word);
  const isFloat = types[0] === "f32" && types.length === 1;
  const isSubtraction = name === "sub" && isFloat;
  const common = {
    key: isSubtraction ? ((word & ~OperationField.nameMask) | ADD) >>> 0 : word,
    operands,
    isFlushing: flush,
    isCommutative: isFloat && ["add", "sub", "mul", "fma", "mad", "min", "max"].includes(name),
    isSubtraction,
    isFusable: false,
    isScaling: false,
    register: 0,
  };
  const approximation =
    isFloat && (rounding === "approx" || rounding === "") ? APPROXIMATIONS[name] : undefined;
  if (approximation !== undefined) {
    const instructions = approximation[flush ? 0 : 1];
    const isFolded = name !== "tanh";
    const isScaling = !flush && instructions === 4;
    const register = name === "rcp" && !flush ? SCALE : 0;
    return { ...common, kind: MachineKind.special, instructions, special: 1, isFolded, isScaling, register };
  }
  if (isFloat && name === "div" && rounding !== "rn") {
    const isSimple = flush && rounding === "approx";
    const instructions = isSimple ? 1 : rounding === "full" ? (flush ? 6 : 9) : 6;
    const kind = isSimple ? MachineKind.quotient : MachineKind.arithmetic;
    return { ...common, kind, instructions, special: isSimple ? 0 : 1, isFolded: true, isFusable: isSimple };
  }
  const untyped = { ...common, instructions: 1, special: 0, isFolded: true };
  // Negations that are instructions are additions of zero.
  const isSum = /^(add|sub|neg|abs|mov)$/.test(name);
  const isPlain = isFloat || (name === "mov" && types.length === 1);
  const kind = isPlain ? KINDS[name] : undefined;
  if (kind === undefined) return { ...untyped, kind: MachineKind.arithmetic };
  return {
    ...untyped,
    kind,
    isFolded: kind !== MachineKind.multiplyAdd,
    isFusable: rounding === "" && (isSum || (name === "mul" && saturation === "")),
  };
}
