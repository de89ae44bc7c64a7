// Instructions as operations of straight-line code: one word encodes a mnemonic such as `add.rn.ftz.f32`.
import { CodeName, OperationField } from "./layout.js";

/** Names of operations, by index. `min3` and `max3` are `min` and `max` with three operands. */
export const CODE_NAMES: readonly string[] = (
  ", input, constant, mov, cvt, add, sub, mul, mad, fma, div, rem, neg, abs, min, max, min3, max3, copysign, rcp, " +
  "sqrt, rsqrt, sin, cos, lg2, ex2, tanh, testp, and, or, xor, not, cnot, shl, shr, popc, clz, brev, bfind, bfe, " +
  "bfi, prmt, lop3, shf, sad, mul24, mad24, dp4a, dp2a, fns, bmsk, szext, setp, set, selp, slct"
).split(", ");

/** Types of operands and registers, by index. */
export const CODE_TYPES: readonly string[] = (
  ", pred, b8, u8, s8, b16, u16, s16, f16, bf16, b32, u32, s32, f32, tf32, b64, u64, s64, f64, f16x2, bf16x2, f32x2, " +
  "u16x2, s16x2, e4m3x2, e5m2x2"
).split(", ");

/** Roundings and precisions, of which an operation has at most one, by index. */
export const CODE_ROUNDINGS: readonly string[] =
  ", rn, rz, rm, rp, rna, rni, rzi, rmi, rpi, approx, full".split(", ");

/** Saturations, by index. */
export const CODE_SATURATIONS: readonly string[] = ["", "sat", "satfinite"];

const COMPARISONS = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan".split(" ");
const COMBINATIONS = ["", ".and", ".or", ".xor"];
/** The index of the first comparison in `CODE_CHOICES`. */
const FIRST_COMPARISON = 32;
const FORMS = (
  ", lo, hi, wide, shiftamt, l.wrap, l.clamp, r.wrap, r.clamp, clamp, wrap, NaN, xorsign.abs, NaN.xorsign.abs, abs, " +
  "NaN.abs, f4e, b4e, rc8, ecl, ecr, rc16, finite, infinite, number, notanumber, normal, subnormal, pack"
).split(", ");

/** The combinations of all remaining modifiers, by index; unused indices are empty. */
export const CODE_CHOICES: readonly string[] = [
  ...Array.from({ length: FIRST_COMPARISON }, (_, index) => FORMS[index] ?? ""),
  ...COMPARISONS.flatMap((comparison) => COMBINATIONS.map((combination) => comparison + combination)),
];

/** The instruction whose modifiers PTX writes after the type. */
const PRMT = "prmt";

/** The third type of `cvt.pack` with bytes, which is always the same. */
const PACKED_THIRD = "b32";

/** The number of operands of each name; comparisons and conversions may have more. */
const OPERANDS: readonly (readonly [count: number, names: string])[] = [
  [
    1,
    "input constant mov cvt neg abs rcp sqrt rsqrt sin cos lg2 ex2 tanh testp not cnot popc clz brev bfind",
  ],
  [2, "add sub mul div rem min max copysign and or xor shl shr mul24 bmsk szext setp set"],
  [3, "mad fma min3 max3 bfe prmt shf sad mad24 dp4a dp2a fns selp slct"],
  [4, "bfi lop3"],
];

const operandCounts = CODE_NAMES.map(
  (name) => OPERANDS.find(([, names]) => name !== "" && names.split(" ").includes(name))?.[0] ?? 0,
);
const nameIndices = indices(CODE_NAMES);
const typeIndices = indices(CODE_TYPES);
const choiceIndices = new Map(
  CODE_CHOICES.map((choice, index) => [sorted(choice.split(".")), index] as const).filter(
    ([key]) => key !== "",
  ),
);

function indices(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index] as const).filter(([name]) => name !== ""));
}

function sorted(words: readonly string[]): string {
  return [...words].sort().join(".");
}

/** The index of a type in `CODE_TYPES`, or 0 if straight-line code does not have it. */
export function codeType(name: string): number {
  return typeIndices.get(name) ?? 0;
}

/** The number of bits of a type of `CODE_TYPES`: 1 for predicates. */
export function codeTypeBits(type: number): number {
  const name = CODE_TYPES[type] ?? "";
  if (name === "pred") return 1;
  const lane = name.startsWith("e") ? 8 : Number(/\d+/.exec(name)?.[0] ?? 0);
  return name.endsWith("x2") ? 2 * lane : lane;
}

/** The operation that makes an input of a type. */
export function inputOperation(type: number): number {
  return (CodeName.input | (type << OperationField.typeShift)) >>> 0;
}

/** The operation that makes a constant of a type. */
export function constantOperation(type: number): number {
  return (CodeName.constant | (type << OperationField.typeShift)) >>> 0;
}

/**
 * Encodes an instruction such as `add.rn.ftz.f32`, or returns 0 if straight-line code does not have it: memory,
 * warps, matrices, control flow, and results that depend on more than the operands.
 *
 * @param operands the number of its source operands, which distinguishes the forms of `min` and `max`
 */
export function encodeOperation(instruction: string, operands: number): number {
  const [name = "", ...modifiers] = instruction.trim().split(".");
  const three = operands === 3 && (name === "min" || name === "max");
  const index = nameIndices.get(three ? `${name}3` : name) ?? 0;
  if (index <= CodeName.constant) return 0;
  const types: number[] = [];
  const rest: string[] = [];
  let word = index;
  for (const modifier of modifiers) {
    const type = typeIndices.get(modifier);
    const rounding = CODE_ROUNDINGS.indexOf(modifier);
    const saturation = CODE_SATURATIONS.indexOf(modifier);
    if (type !== undefined) types.push(type);
    else if (modifier === "ftz") word |= OperationField.flush;
    else if (modifier === "relu") word |= OperationField.rectify;
    else if (rounding > 0) {
      if ((word >> OperationField.roundingShift) & OperationField.roundingMask) return 0;
      word |= rounding << OperationField.roundingShift;
    } else if (saturation > 0) word |= saturation << OperationField.saturationShift;
    else rest.push(modifier);
  }
  const choice = rest.length === 0 ? 0 : choiceIndices.get(sorted(rest));
  if (choice === undefined || types.length === 0) return 0;
  if (types.length === 3 && CODE_TYPES[types[2]!] === PACKED_THIRD && CODE_CHOICES[choice] === "pack")
    types.pop();
  if (types.length > 2) return 0;
  word |= types[0]! << OperationField.typeShift;
  word |= (types[1] ?? 0) << OperationField.secondShift;
  word |= choice << OperationField.choiceShift;
  word >>>= 0;
  return operandsOf(word) === operands ? word : 0;
}

/** The parts of an operation, by the names that PTX gives them; missing parts are empty strings. */
export interface OperationParts {
  readonly name: string;
  readonly types: readonly string[];
  readonly rounding: string;
  readonly flush: boolean;
  readonly saturation: string;
  readonly rectify: boolean;
  readonly choice: string;
}

/** The parts of an operation. For words that encode no instruction, the names are empty. */
export function operationParts(word: number): OperationParts {
  const field = (shift: number, mask: number): number => (word >>> shift) & mask;
  const types = [
    CODE_TYPES[field(OperationField.typeShift, OperationField.typeMask)] ?? "",
    CODE_TYPES[field(OperationField.secondShift, OperationField.typeMask)] ?? "",
  ];
  return {
    name: CODE_NAMES[word & OperationField.nameMask] ?? "",
    types: types.filter((type) => type !== ""),
    rounding: CODE_ROUNDINGS[field(OperationField.roundingShift, OperationField.roundingMask)] ?? "",
    flush: (word & OperationField.flush) !== 0,
    saturation: CODE_SATURATIONS[field(OperationField.saturationShift, OperationField.saturationMask)] ?? "",
    rectify: (word & OperationField.rectify) !== 0,
    choice: CODE_CHOICES[field(OperationField.choiceShift, OperationField.choiceMask)] ?? "",
  };
}

/** The number of words that follow an operation in its item. */
export function operandsOf(word: number): number {
  const index = word & OperationField.nameMask;
  const { name, types, choice } = operationParts(word);
  const [to = "", from = ""] = types;
  if (index === CodeName.constant) return codeTypeBits(CODE_TYPES.indexOf(to)) === 64 ? 2 : 1;
  if ((name === "setp" || name === "set") && choice.includes(".")) return 3;
  if (name === "cvt" && choice === "pack") return to.endsWith("8") ? 3 : 2;
  if (name === "cvt" && to.endsWith("x2") && from === "f32") return 2;
  return operandCounts[index] ?? 0;
}

/** An operation as PTX writes it: `add.rn.ftz.f32`. */
export function operationText(word: number): string {
  const { name, types, rounding, flush, saturation, rectify, choice } = operationParts(word);
  const isLate = choice.includes("NaN") || choice.includes("abs");
  const late = isLate || name === PRMT;
  const early = saturation === "satfinite" && types[0]?.startsWith("e") === true;
  const packed = choice === "pack" && types[0]?.endsWith("8") === true;
  const parts = [
    name === "min3" || name === "max3" ? name.slice(0, -1) : name,
    late ? "" : choice,
    rounding,
    flush ? "ftz" : "",
    isLate ? choice : "",
    saturation === "sat" || early ? saturation : "",
    rectify ? "relu" : "",
    saturation === "sat" || early ? "" : saturation,
    ...types,
    packed ? PACKED_THIRD : "",
    name === PRMT ? choice : "",
  ];
  return parts.filter((part) => part !== "").join(".");
}
