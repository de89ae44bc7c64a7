// Accesses and fences through which blocks communicate while they run (PTX ISA, Memory Consistency Model: strong
// operations). WebAssembly's atomic accesses keep their order and never tear.
import type { Step } from "../../control/step.js";
import { type PtxType, TYPES, type ValueType } from "../../program/types.js";
import type { AtomicOpcode, Code } from "../binary/code.js";
import type { Opcode } from "../binary/opcodes.js";
import { type Emitter, isSigned } from "./emitter.js";

/**
 * Whether another block may wait for a store, or this block for the result of a load. Only the block itself accesses
 * its shared memory.
 */
export function isStrong({ operation: { traits, space } }: Step): boolean {
  return traits.strong && space !== "shared";
}

/** The WebAssembly word type of an access, and the opcode suffix for parts of it. */
function wordOf(type: PtxType): {
  readonly word: "i32" | "i64";
  readonly part: string;
  readonly bytes: number;
} {
  const { bits } = TYPES[type];
  return { word: bits === 64 ? "i64" : "i32", part: bits < 32 ? `${bits}` : "", bytes: bits / 8 };
}

/** Loads from the address on the stack, like `loadOpcode`. */
export function loadStrong(code: Code, type: PtxType, as: ValueType, offset: number): void {
  const { word, part, bytes } = wordOf(type);
  code.atomic(`${word}.atomic.load${part}${part && "_u"}` as AtomicOpcode, bytes, offset);
  if (part !== "" && isSigned(type)) code.op(`i32.extend${part}_s` as Opcode);
  if (as !== word) code.op(`${as}.reinterpret_${word}` as Opcode);
}

/** Stores the value on the stack at the address below it, like `storeOpcode`. */
export function storeStrong(code: Code, type: PtxType, as: ValueType, offset: number): void {
  const { word, part, bytes } = wordOf(type);
  if (as !== word) code.op(`${word}.reinterpret_${as}` as Opcode);
  code.atomic(`${word}.atomic.store${part}` as AtomicOpcode, bytes, offset);
}

/** `membar` and `fence`: nothing where blocks run one after another, or where the scope is the block's own threads. */
export function fence({ code, facts }: Emitter, { operation: { words } }: Step): void {
  if (facts.concurrent && !words.has("cta")) code.fence();
}
