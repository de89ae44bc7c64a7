// Encoders: each makes one instruction as its two words. Values that do not fit the 8 bytes are rejected here. Whether
// an index is in range depends on the table, so that is checked when a program is compiled.
import { didYouMean } from "@mm-ptx/types/internal";
import { integer, invalid } from "./arguments.js";
import { float32Bits } from "./float32.js";
import { InstructionType, META_OPERATION_NAMES, type MetaOperationName, Packed, packHead } from "./layout.js";

export type { MetaOperationName } from "./layout.js";

/** An encoded instruction: two little-endian words. */
export interface Instruction {
  /** The first word: `type | aux << 16`. */
  readonly head: number;
  readonly payload: number;
}

/** Runs PTX instruction `index` of the table. @throws StackPtxError INVALID_ARGUMENT unless it is a u16 */
export function ptxInstruction(index: number): Instruction {
  return encode(InstructionType.ptx, 0, u16("instruction index", index));
}

/** Pushes register `index` of the job's registers. @throws StackPtxError INVALID_ARGUMENT unless it is a u32 */
export function input(index: number): Instruction {
  return encode(InstructionType.input, 0, u32("register index", index));
}

/** Pushes the elements of special register `index`. @throws StackPtxError INVALID_ARGUMENT unless it is a u16 */
export function special(index: number): Instruction {
  return encode(InstructionType.special, 0, u16("special register index", index));
}

/** Pushes 32 bits on a stack. @throws StackPtxError INVALID_ARGUMENT when an argument does not fit */
export function constantBits(stack: number, bits: number): Instruction {
  return encode(InstructionType.constant, u16("stack index", stack), u32("constant", bits));
}

/** Pushes a number rounded to f32 on a stack. @throws StackPtxError INVALID_ARGUMENT when an argument does not fit */
export function constantF32(stack: number, value: number): Instruction {
  if (typeof value !== "number") throw invalid("a number as constant", value);
  return constantBits(stack, float32Bits(value));
}

/** Pushes a signed 32-bit integer on a stack. @throws StackPtxError INVALID_ARGUMENT unless it is an s32 */
export function constantS32(stack: number, value: number): Instruction {
  return constantBits(stack, integer("constant", value, 0x7fffffff, -0x80000000) >>> 0);
}

/** Applies a meta operation to a stack; the package's README lists the operations. */
export function meta(stack: number, operation: MetaOperationName): Instruction {
  return encode(InstructionType.meta, u16("stack index", stack), metaPayload(operation));
}

/** Pushes a number on the meta stack. @throws StackPtxError INVALID_ARGUMENT unless it is a u32 */
export function metaConstant(value: number): Instruction {
  return encode(InstructionType.metaConstant, 0, u32("meta constant", value));
}

/** Runs routine `index` of the compiler's routines. @throws StackPtxError INVALID_ARGUMENT unless it is a u32 */
export function routine(index: number): Instruction {
  return encode(InstructionType.routine, 0, u32("routine index", index));
}

/** Pops a value of a stack into a slot. @throws StackPtxError INVALID_ARGUMENT when an argument does not fit */
export function store(stack: number, slot: number): Instruction {
  return encode(InstructionType.store, u16("stack index", stack), u32("slot", slot));
}

/** Pushes a slot's value on the stack that it came from. @throws StackPtxError INVALID_ARGUMENT unless it is a u32 */
export function load(slot: number): Instruction {
  return encode(InstructionType.load, 0, u32("slot", slot));
}

/** Ends a program or routine. Programs that lack a return end after their last instruction. */
export const returnInstruction: Instruction = encode(InstructionType.return, 0, 0);

/** The payload of a meta operation. @throws StackPtxError INVALID_ARGUMENT for an unknown name */
export function metaPayload(name: unknown): number {
  const payload = META_OPERATION_NAMES.indexOf(name as MetaOperationName);
  if (payload >= 0) return payload;
  const hint = typeof name === "string" ? didYouMean(name, META_OPERATION_NAMES) : "";
  throw invalid("a known name as meta operation", name, hint);
}

/** Whether a value consists of two words, as an encoded instruction does. */
export function isInstruction(value: unknown): value is Instruction {
  const { head, payload } = (value ?? {}) as Partial<Record<keyof Instruction, unknown>>;
  return isWord(head) && isWord(payload);
}

function isWord(value: unknown): boolean {
  return typeof value === "number" && value >>> 0 === value;
}

function encode(type: number, aux: number, payload: number): Instruction {
  return Object.freeze({ head: packHead(type, aux), payload });
}

function u16(what: string, value: number): number {
  return integer(what, value, Packed.auxMax);
}

function u32(what: string, value: number): number {
  return integer(what, value, 0xffffffff);
}
