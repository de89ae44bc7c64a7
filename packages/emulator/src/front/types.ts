// Which registers an instruction accepts for its types (PTX ISA, Operand Type Checking; Operand Size Exceeding
// Instruction-Type Size), and how constants are converted to a type.
import type { PtxFloat } from "@mm-ptx/ptx";
import { type PtxType, TYPES } from "../program/types.js";

/** Types that registers cannot be declared with. Their values are kept in registers of untyped bits. */
const ONLY_BITS: ReadonlySet<PtxType> = new Set<PtxType>([
  ...(["bf16", "bf16x2", "tf32", "u16x2", "s16x2"] as const),
  ...(["e4m3", "e5m2", "e4m3x2", "e5m2x2", "f32x2"] as const),
]);

/** The types that registers can be declared with. */
export const REGISTER_TYPES: ReadonlySet<string> = new Set(
  Object.keys(TYPES).filter((type) => !ONLY_BITS.has(type as PtxType)),
);

/** Whether an operand of one type may be a register of another. With `wider`, the register may have more bits. */
export function takesRegister(type: PtxType, register: PtxType, wider: boolean): boolean {
  if (type === register) return true;
  const wanted = TYPES[type];
  const given = TYPES[register];
  if (wanted.class === "pred" || given.class === "pred") return false;
  if (given.bits < wanted.bits || (given.bits > wanted.bits && !wider)) return false;
  if (given.class === "bits" || wanted.class === "bits") return true;
  // An integer instruction treats a pair of f16 as untyped bits.
  return isInteger(type) && (isInteger(register) || register === "f16x2");
}

/** Whether the values of a type are single integers. */
export function isInteger(type: PtxType): boolean {
  const { class: kind, lanes } = TYPES[type];
  return (kind === "signed" || kind === "unsigned") && lanes === 1;
}

/** The bits of an integer constant in a type; undefined when the type does not accept it. */
export function integerBits(type: PtxType, value: bigint): bigint | undefined {
  const { bits, class: kind } = TYPES[type];
  if (kind === "pred") return value === 0n ? 0n : 1n;
  if (kind === "float" || ONLY_BITS.has(type) || type === "b128") return undefined;
  return BigInt.asUintN(bits, value);
}

const view = new DataView(new ArrayBuffer(8));

/** The bits of a floating-point constant in a type; undefined when the type does not accept it. */
export function floatBits(type: PtxType, { bits, width }: PtxFloat): bigint | undefined {
  if (TYPES[type].class === "bits") return TYPES[type].bits === width ? bits : undefined;
  if (type === "f32") return width === 32 ? bits : narrowed(bits);
  if (type === "f64") return width === 64 ? bits : widened(bits);
  return undefined;
}

function narrowed(bits: bigint): bigint {
  view.setBigUint64(0, bits);
  view.setFloat32(0, view.getFloat64(0));
  return BigInt(view.getUint32(0));
}

function widened(bits: bigint): bigint {
  view.setUint32(0, Number(bits));
  view.setFloat64(0, view.getFloat32(0));
  return view.getBigUint64(0);
}
