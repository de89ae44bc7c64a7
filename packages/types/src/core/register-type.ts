// PTX register types, and which of them are compatible: with each other in a `mov`, with a constraint of inline
// assembly, and with a constant. Source: PTX ISA, "Fundamental Types" and "Operand Type Checking"; CUDA, "Inline PTX
// Assembly".
import type { ConstantType } from "./table.js";

/** All types that a `.reg` can be declared with. */
export const REGISTER_TYPES = [
  "pred",
  "b8",
  "b16",
  "b32",
  "b64",
  "b128",
  "u8",
  "u16",
  "u32",
  "u64",
  "s8",
  "s16",
  "s32",
  "s64",
  "f16",
  "f16x2",
  "f32",
  "f64",
] as const;

/** The types of `mov`; a register that it copies is declared with the same type. */
export const MOV_TYPES = [
  "pred",
  "b16",
  "b32",
  "b64",
  "u16",
  "u32",
  "u64",
  "s16",
  "s32",
  "s64",
  "f32",
  "f64",
  "b128",
] as const;

export type RegisterType = (typeof REGISTER_TYPES)[number];

/** The type of the register that nvcc uses for an operand of each constraint. */
const CONSTRAINT_REGISTERS = new Map<string, RegisterType>([
  ["h", "b16"],
  ["r", "b32"],
  ["l", "b64"],
  ["f", "f32"],
  ["d", "f64"],
  ["q", "b128"],
]);

/** The constraints that an operand in a register can have. */
export const CONSTRAINTS = [...CONSTRAINT_REGISTERS.keys()];

/** The register types that take each kind of constant. */
const CONSTANT_TYPES: Record<ConstantType, readonly string[]> = {
  f32: ["f32"],
  s32: ["s32", "b32"],
  u32: ["u32", "b32"],
};

/** Whether instructions on registers of this type take constants of this kind. */
export function takesConstant(type: string, constant: ConstantType): boolean {
  return CONSTANT_TYPES[constant].includes(type);
}

/**
 * Whether an instruction of one type takes a register of another: they must have the same size, and be of the same sort
 * or untyped bits.
 */
export function takesRegister(instruction: RegisterType, register: RegisterType): boolean {
  const [sort, size] = sortAndSize(instruction);
  const [otherSort, otherSize] = sortAndSize(register);
  return size === otherSize && (sort === otherSort || sort === "bits" || otherSort === "bits");
}

/** Whether a `mov` of this type takes an operand with this constraint. */
export function fitsConstraint(mov: RegisterType, constraint: string): boolean {
  const register = CONSTRAINT_REGISTERS.get(constraint);
  return register !== undefined && takesRegister(mov, register);
}

const SORTS: Record<string, string> = { b: "bits", f: "float", p: "predicate", s: "integer", u: "integer" };

function sortAndSize(type: RegisterType): [sort: string, size: number] {
  const size = type === "f16x2" ? 32 : type === "pred" ? 1 : Number(type.slice(1));
  return [SORTS[type.charAt(0)]!, size];
}
