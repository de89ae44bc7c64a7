// Encoders: one instruction as its two words. Indices that only a table can judge are checked when a program is
// compiled; what does not fit the 8 bytes is refused here.
import { didYouMean } from "@mm-ptx/types/core";
import { StackPtxError } from "./error.js";
import { InstructionType, MetaOperation, type MetaOperationName, Packed } from "./layout.js";

export type { MetaOperationName } from "./layout.js";

/** One encoded instruction: two little-endian words. */
export interface Instruction {
  /** `type | aux << 16` */
  readonly head: number;
  readonly payload: number;
}

/** Runs PTX instruction `index` of the table. @throws StackPtxError INVALID_VALUE when it is no u16 */
export function ptxInstruction(index: number): Instruction {
  return encode(InstructionType.ptx, 0, u16("instruction index", index));
}

/** Pushes register `index` of the compile's registers. @throws StackPtxError INVALID_VALUE when it is no u32 */
export function input(index: number): Instruction {
  return encode(InstructionType.input, 0, u32("register index", index));
}

/** Pushes the elements of special register `index`. @throws StackPtxError INVALID_VALUE when it is no u16 */
export function special(index: number): Instruction {
  return encode(InstructionType.special, 0, u16("special register index", index));
}

/** Pushes 32 bits on a stack. @throws StackPtxError INVALID_VALUE when an argument does not fit */
export function constantBits(stack: number, bits: number): Instruction {
  return encode(InstructionType.constant, u16("stack index", stack), u32("constant", bits));
}

/** Pushes a number rounded to f32 on a stack. @throws StackPtxError INVALID_VALUE when an argument does not fit */
export function constantF32(stack: number, value: number): Instruction {
  if (typeof value !== "number") throw invalid("constant", "a number", value);
  return constantBits(stack, float32Bits(value));
}

/** Pushes a signed 32-bit integer on a stack. @throws StackPtxError INVALID_VALUE when it is no s32 */
export function constantS32(stack: number, value: number): Instruction {
  if ((value | 0) !== value) throw invalid("constant", "an s32", value);
  return constantBits(stack, value >>> 0);
}

/** Changes the order of a stack's values, as the package's README says. */
export function meta(stack: number, operation: MetaOperationName): Instruction {
  if (!Object.hasOwn(MetaOperation, operation)) {
    throw invalid(
      "meta operation",
      "a known name",
      operation,
      didYouMean(String(operation), Object.keys(MetaOperation)),
    );
  }
  const payload = MetaOperation[operation];
  return encode(InstructionType.meta, u16("stack index", stack), payload);
}

/** Pushes a number on the meta stack. @throws StackPtxError INVALID_VALUE when it is no u32 */
export function metaConstant(value: number): Instruction {
  return encode(InstructionType.metaConstant, 0, u32("meta constant", value));
}

/** Runs routine `index` of the compiler's routines. @throws StackPtxError INVALID_VALUE when it is no u32 */
export function routine(index: number): Instruction {
  return encode(InstructionType.routine, 0, u32("routine index", index));
}

/** Pops a value of a stack into a slot. @throws StackPtxError INVALID_VALUE when an argument does not fit */
export function store(stack: number, slot: number): Instruction {
  return encode(InstructionType.store, u16("stack index", stack), u32("slot", slot));
}

/** Pushes a slot's value back on the stack it came from. @throws StackPtxError INVALID_VALUE when it is no u32 */
export function load(slot: number): Instruction {
  return encode(InstructionType.load, 0, u32("slot", slot));
}

/** Ends a program or routine. Programs that lack it are ended all the same. */
export const returnInstruction: Instruction = encode(InstructionType.return, 0, 0);

/** The bits of a number rounded to f32 (round to nearest even), as u32. */
export function float32Bits(value: number): number {
  scratchFloat[0] = value;
  return scratchBits[0]!;
}

const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

function encode(type: number, aux: number, payload: number): Instruction {
  return Object.freeze({ head: (type | (aux << Packed.auxShift)) >>> 0, payload });
}

function u16(what: string, value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > Packed.auxMax)
    throw invalid(what, "an integer from 0 to 65535", value);
  return value;
}

function u32(what: string, value: number): number {
  if (value >>> 0 !== value) throw invalid(what, "an integer from 0 to 4294967295", value);
  return value;
}

function invalid(what: string, expected: string, found: unknown, suggestion = ""): StackPtxError {
  const message = `expected ${expected} as ${what}, found ${String(found)}${suggestion}`;
  return new StackPtxError("INVALID_VALUE", message);
}
