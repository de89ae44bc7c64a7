// Steps that access memory: loads, stores, atomic operations, and asynchronous copies, which complete immediately.
// Fences and prefetches do nothing.
import { evaluatorOf, mnemonicOf } from "@mm-ptx/columns/arithmetic";
import type { Operand } from "../program/operand.js";
import { type PtxType, TYPES } from "../program/types.js";
import type { Builder } from "./builder.js";
import type { Machine } from "./machine.js";
import { integerWriter, readBits, writeBits } from "./values.js";

/** `ld` and `ldu`. */
export function loadStep(builder: Builder): () => void {
  const { instruction } = builder;
  const [to, from] = instruction.operands;
  const type = instruction.operation.types.at(-1)!;
  const items = to?.kind === "vector" ? to.items : [to!];
  const bytes = TYPES[type].bits / 8;
  const locate = builder.locate(from!, instruction.operation.space, bytes * items.length, "load");
  const loads = items.map((item, index) => elementLoad(builder, item, type, index * bytes));
  const [first] = loads;
  if (loads.length === 1) return () => first!(locate());
  return () => {
    const offset = locate();
    for (const load of loads) load(offset);
  };
}

/** Loads one element at a displacement into a register, which may be wider. */
function elementLoad(
  builder: Builder,
  item: Operand,
  type: PtxType,
  displacement: number,
): (offset: number) => void {
  const { machine } = builder;
  const { bits, class: kind } = TYPES[type];
  const slot = builder.target(item);
  const { registers } = machine;
  const width = builder.targetBits(item, type);
  if (bits === 32 && width === 32) {
    return (offset) => {
      registers.u32[2 * (machine.base + slot)] = machine.view.getUint32(offset + displacement, true);
    };
  }
  if (bits >= 64) {
    return (offset) => {
      writeBits(machine, machine.base + slot, bits, memoryBits(machine, offset + displacement, bits));
    };
  }
  const write = integerWriter(machine, slot, bits, kind === "signed", width);
  return (offset) => write(Number(memoryBits(machine, offset + displacement, bits)));
}

/** `st`. */
export function storeStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const [to, from] = instruction.operands;
  const type = instruction.operation.types.at(-1)!;
  const { bits } = TYPES[type];
  const slots = builder.sources(from!);
  const locate = builder.locate(to!, instruction.operation.space, (bits / 8) * slots.length, "store");
  const { registers } = machine;
  if (bits === 32 && slots.length === 1) {
    const [slot] = slots;
    return () => machine.view.setUint32(locate(), registers.u32[2 * (machine.base + slot!)]!, true);
  }
  return () => {
    const offset = locate();
    slots.forEach((slot, index) => {
      setMemoryBits(machine, offset + (index * bits) / 8, bits, readBits(machine, machine.base + slot, bits));
    });
  };
}

export function memoryBits({ view }: Machine, offset: number, bits: number): bigint {
  switch (bits) {
    case 8:
      return BigInt(view.getUint8(offset));
    case 16:
      return BigInt(view.getUint16(offset, true));
    case 32:
      return BigInt(view.getUint32(offset, true));
    case 64:
      return view.getBigUint64(offset, true);
    default:
      return view.getBigUint64(offset, true) | (view.getBigUint64(offset + 8, true) << 64n);
  }
}

export function setMemoryBits({ view }: Machine, offset: number, bits: number, value: bigint): void {
  if (bits === 8) view.setUint8(offset, Number(value));
  else if (bits === 16) view.setUint16(offset, Number(value), true);
  else if (bits === 32) view.setUint32(offset, Number(value), true);
  else view.setBigUint64(offset, BigInt.asUintN(64, value), true);
  if (bits === 128) view.setBigUint64(offset + 8, value >> 64n, true);
}

/** Computes the new value in memory from the old value and the operands. */
type Update = (old: bigint, a: bigint, b: bigint, isShared: boolean) => bigint;

const UPDATES: Readonly<Record<string, (type: PtxType) => Update>> = {
  exch: () => (_, a) => a,
  cas: () => (old, a, b) => (old === a ? b : old),
  inc: () => (old, a) => (old >= a ? 0n : old + 1n),
  dec: () => (old, a) => (old === 0n || old > a ? a : old - 1n),
  add: addition,
  min: (type) => evaluated("min", [], type),
  max: (type) => evaluated("max", [], type),
  and: (type) => evaluated("and", [], type),
  or: (type) => evaluated("or", [], type),
  xor: (type) => evaluated("xor", [], type),
};

function evaluated(name: string, words: readonly string[], type: PtxType): Update {
  const evaluate = evaluatorOf(mnemonicOf(name, words, type), 2, 1)!;
  return (old, a) => evaluate([old, a])[0]!;
}

/** Only f32 additions in global memory flush subnormals to zero (PTX ISA, atom). */
function addition(type: PtxType): Update {
  if (type === "f32") {
    const plain = evaluated("add", ["rn"], type);
    const flushing = evaluated("add", ["rn", "ftz"], type);
    return (old, a, b, isShared) => (isShared ? plain : flushing)(old, a, b, isShared);
  }
  return evaluated("add", TYPES[type].class === "float" ? ["rn"] : [], type);
}

/** `atom` and `red`. */
export function atomicStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { words } = instruction.operation;
  const operation = [...words].find((word) => UPDATES[word] !== undefined)!;
  const type = instruction.operation.types.at(-1)!;
  const { bits } = TYPES[type];
  const update = UPDATES[operation]!(type);
  const [result] = instruction.operands.slice(0, instruction.operation.results);
  const [address, first, second] = instruction.operands.slice(instruction.operation.results);
  const target = builder.target(result);
  const a = builder.source(first!);
  const b = operation === "cas" ? builder.source(second!) : a;
  const locate = builder.locate(address!, instruction.operation.space, bits / 8, "atomic");
  const isAtom = instruction.operation.name === "atom";
  return () => {
    const offset = locate();
    const old = memoryBits(machine, offset, bits);
    const x = readBits(machine, machine.base + a, bits);
    const y = readBits(machine, machine.base + b, bits);
    setMemoryBits(machine, offset, bits, update(old, x, y, machine.isShared(offset)));
    if (isAtom) writeBits(machine, machine.base + target, bits, old);
  };
}

/** `cp.async` copies immediately, so waiting for it does nothing. Bytes past the source size are zero. */
export function copyStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const [to, from, size, count] = instruction.operands;
  if (to?.kind !== "address" || from?.kind !== "address") return () => {};
  const bytes = size?.kind === "immediate" ? Number(size.bits) : 16;
  const store = builder.locate(to, "shared", bytes, "store");
  // Indexed by the number of bytes to read; only those bytes must be allocated.
  const loads = Array.from({ length: bytes }, (_, last) =>
    builder.locate(from, "global", bytes, "load", last + 1),
  );
  // An absent count before a cache policy is a sink operand. In place of the count, there may be a predicate that says
  // whether to ignore the source.
  const type = instruction.operation.operandTypes[3];
  const isPresent = count !== undefined && count.kind !== "sink" && type !== "b64";
  const source = isPresent ? builder.source(count) : undefined;
  const given = type === "pred" ? (ignored: number) => bytes * (1 - ignored) : (wanted: number) => wanted;
  const { registers } = machine;
  return () => {
    const wanted =
      source === undefined ? bytes : Math.min(bytes, given(registers.u32[2 * (machine.base + source)]!));
    const target = store();
    if (wanted > 0) {
      const start = loads[wanted - 1]!();
      machine.bytes.copyWithin(target, start, start + wanted);
    }
    machine.bytes.fill(0, target + wanted, target + bytes);
  };
}
