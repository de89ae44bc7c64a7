// Which registers the operands and results of operations may be (PTX ISA, Operand Type Checking; Operand Size Exceeding
// Instruction-Type Size).
import { CODE_TYPES, codeType, codeTypeBits } from "@mm-ptx/types/code";

/** The number of bits of a type; 1 for predicates. */
export const bitsOf = (type: string): number => codeTypeBits(codeType(type));

/** Whether a type is one of `CODE_TYPES`; registers of other types have no place in straight-line code. */
export const isCodeType = (type: string): boolean => CODE_TYPES.includes(type) && type !== "";

const isInteger = (type: string): boolean => /^[us]\d+$/.test(type);
const isBits = (type: string): boolean => /^b\d+$/.test(type);

/** Whether an operand of a type may be a register of another. */
export function takesRegister(type: string, register: string, relaxed: boolean): boolean {
  if (type === register) return true;
  if (type === "pred" || register === "pred") return false;
  const [bits, room] = [bitsOf(type), bitsOf(register)];
  if (room < bits || (room > bits && !relaxed)) return false;
  // To integer instructions, a pair of f16 is untyped bits.
  return (
    isBits(type) || isBits(register) || (isInteger(type) && (isInteger(register) || register === "f16x2"))
  );
}
