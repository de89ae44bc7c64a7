// How genomes of stack spaces pack instructions: two words each, the type and the stack in the first, the payload in the second.
import { constantBits, input, ptxInstruction, returnInstruction, routine } from "@mm-ptx/stack";

/** Words of an instruction, which is a gene. */
export const GENE = 2;
/** The low half of the first word is the type of the instruction, the high half its stack. */
export const TYPE_MASK = 0xffff;
export const STACK_SHIFT = 16;

/** The types of instructions. */
export const PTX: number = ptxInstruction(0).head;
export const CONSTANT: number = constantBits(0, 0).head;
export const INPUT: number = input(0).head;
export const ROUTINE: number = routine(0).head;
export const RETURN: number = returnInstruction.head;
