// Accesses and fences by which blocks speak with each other while they run (PTX ISA, Memory Consistency Model: strong
// operations). WebAssembly's atomic accesses keep their order, and none of them is seen half done.
import type { Step } from "../../control/graph.js";
import { type PtxType, TYPES } from "../../program/types.js";
import type { AtomicOpcode, Code } from "../binary/code.js";
import type { Opcode, ValueType } from "../binary/opcodes.js";
import { type Emitter, isSigned } from "./emitter.js";

const STRONG = ["volatile", "relaxed", "acquire", "release", "mmio"] as const;

/** Whether other blocks may wait for a store, or this one by a load. Shared memory is the block's alone. */
export function isStrong({ words }: Step): boolean {
  return STRONG.some((word) => words.has(word)) && !words.has("shared");
}

/** The word of WebAssembly that an access goes through, and what follows its opcode for parts of it. */
function wordOf(type: PtxType): {
  readonly word: "i32" | "i64";
  readonly part: string;
  readonly bytes: number;
} {
  const { bits } = TYPES[type];
  return { word: bits === 64 ? "i64" : "i32", part: bits < 32 ? `${bits}` : "", bytes: bits / 8 };
}

/** Loads from the address on the stack, as `loadOpcode` says. */
export function loadStrong(code: Code, type: PtxType, as: ValueType, offset: number): void {
  const { word, part, bytes } = wordOf(type);
  code.atomic(`${word}.atomic.load${part}${part && "_u"}` as AtomicOpcode, bytes, offset);
  if (part !== "" && isSigned(type)) code.op(`i32.extend${part}_s` as Opcode);
  if (as !== word) code.op(`${as}.reinterpret_${word}` as Opcode);
}

/** Stores the value on the stack at the address below it, as `storeOpcode` says. */
export function storeStrong(code: Code, type: PtxType, as: ValueType, offset: number): void {
  const { word, part, bytes } = wordOf(type);
  if (as !== word) code.op(`${word}.reinterpret_${as}` as Opcode);
  code.atomic(`${word}.atomic.store${part}` as AtomicOpcode, bytes, offset);
}

/** `membar` and `fence`: nothing where blocks run one after another, or where only the block's own threads are meant. */
export function fence({ code, facts }: Emitter, { words }: Step): void {
  if (facts.concurrent && !words.has("cta")) code.fence();
}
