// Encoders: each makes one instruction as its two words. Values that do not fit the 8 bytes are rejected here. Whether
// an index is in range depends on the table or the job, so that is checked when a program is compiled.
import { invalid } from "./checks.js";
import { InstructionType, Packed } from "./layout.js";

/** An encoded instruction: two little-endian words. */
export interface Instruction {
  /** The first word: `type | aux << 16`. */
  readonly head: number;
  readonly payload: number;
}

/** Pushes input `index` of the job. @throws AstPtxError INVALID_ARGUMENT unless it is a u32 */
export function input(index: number): Instruction {
  return encode(InstructionType.input, 0, u32("input index", index));
}

/** Pushes a number rounded to f32. @throws AstPtxError INVALID_ARGUMENT unless it is a number */
export function constant(value: number): Instruction {
  return constantBits(float32Bits(value));
}

/** Pushes an f32 given by its bits. @throws AstPtxError INVALID_ARGUMENT unless they are a u32 */
export function constantBits(bits: number): Instruction {
  return encode(InstructionType.constant, 0, u32("constant", bits));
}

/**
 * Replaces the last `argCount` values by the result of PTX instruction `index` of the table.
 * @throws AstPtxError INVALID_ARGUMENT unless both arguments are u16
 */
export function ptxInstruction(index: number, argCount: number): Instruction {
  return encode(InstructionType.ptx, u16("argument count", argCount), u16("instruction index", index));
}

/**
 * Replaces the last `argCount` values by the result of routine `index`.
 * @throws AstPtxError INVALID_ARGUMENT unless `index` is a u32 and `argCount` a u16
 */
export function routine(index: number, argCount: number): Instruction {
  return encode(InstructionType.routine, u16("argument count", argCount), u32("routine index", index));
}

/**
 * Pushes argument `index` of the routine that contains the instruction. @throws AstPtxError INVALID_ARGUMENT unless it is
 * a u32
 */
export function routineArgument(index: number): Instruction {
  return encode(InstructionType.routineArgument, 0, u32("argument index", index));
}

/** Ends a program or routine. Programs that lack a return end after their last instruction. */
export const returnInstruction: Instruction = encode(InstructionType.ret, 0, 0);

/**
 * The bits of a number rounded to f32 (round to nearest even), as u32.
 * @throws AstPtxError INVALID_ARGUMENT unless it is a number
 */
export function float32Bits(value: number): number {
  if (typeof value !== "number") throw invalid("a number", value);
  scratchFloat[0] = value;
  return scratchBits[0]!;
}

/** The number whose f32 bits these are. @throws AstPtxError INVALID_ARGUMENT unless they are a u32 */
export function float32FromBits(bits: number): number {
  scratchBits[0] = u32("the bits of an f32", bits);
  return scratchFloat[0]!;
}

const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

function encode(type: number, aux: number, payload: number): Instruction {
  return Object.freeze({ head: (type | (aux << Packed.auxShift)) >>> 0, payload });
}

function u16(what: string, value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > Packed.auxMax)
    throw invalid(`an integer from 0 to 65535 as ${what}`, value);
  return value;
}

function u32(what: string, value: number): number {
  if (typeof value !== "number" || value >>> 0 !== value)
    throw invalid(`an integer from 0 to 4294967295 as ${what}`, value);
  return value;
}
