// Reads values from slots and writes them to slots, by their kind and the width of the register.
import { type Kind, nan64, type ScalarOperation, type Value } from "@mm-ptx/columns/arithmetic";
import { NAN_32 } from "@mm-ptx/types/internal/floats";
import type { Machine } from "./machine.js";

/** Reads a slot of the running frame. */
export function valueReader(machine: Machine, kind: Kind, slot: number): () => Value {
  const { registers } = machine;
  switch (kind) {
    case "i32":
      return () => registers.u32[2 * (machine.base + slot)]!;
    case "i64":
      return () => registers.u64[machine.base + slot]!;
    case "f32":
      return () => registers.f32[2 * (machine.base + slot)]!;
    case "f64":
      return () => registers.f64[machine.base + slot]!;
  }
}

/** Writes an integer of the given width to a register that may be wider. */
export function integerWriter(
  machine: Machine,
  slot: number,
  bits: number,
  signed: boolean,
  registerBits: number,
): (value: number) => void {
  const { registers } = machine;
  if (registerBits > 32) {
    const shift = 32 - bits;
    return (value) => {
      const at = 2 * (machine.base + slot);
      const low = signed ? (value << shift) >> shift : (value << shift) >>> shift;
      registers.u32[at] = low;
      registers.u32[at + 1] = low < 0 ? -1 : 0;
    };
  }
  if (bits >= 32) {
    return (value) => {
      registers.u32[2 * (machine.base + slot)] = value;
    };
  }
  const shift = 32 - bits;
  const mask = registerBits === 32 ? -1 : 2 ** registerBits - 1;
  return (value) => {
    const low = signed ? (value << shift) >> shift : (value << shift) >>> shift;
    registers.u32[2 * (machine.base + slot)] = low & mask;
  };
}

/** Writes the result of an operation. */
export function resultWriter(
  machine: Machine,
  { result, bits, signed, args }: ScalarOperation,
  slot: number,
  registerBits: number,
  sources: readonly number[],
): (value: Value) => void {
  const { registers } = machine;
  switch (result) {
    case "i32":
      return integerWriter(machine, slot, bits, signed, registerBits) as (value: Value) => void;
    case "i64":
      return (value) => {
        registers.u64[machine.base + slot] = value as bigint;
      };
    case "f32":
      return (value) => {
        const at = 2 * (machine.base + slot);
        if (Number.isNaN(value)) registers.u32[at] = NAN_32;
        else registers.f32[at] = value as number;
        if (registerBits > 32) registers.u32[at + 1] = 0;
      };
    case "f64": {
      const doubles = sources.filter((_, index) => args[index] === "f64");
      return (value) => {
        const at = machine.base + slot;
        if (Number.isNaN(value))
          registers.u64[at] = nan64(doubles.map((from) => registers.u64[machine.base + from]!));
        else registers.f64[at] = value as number;
      };
    }
  }
}

/** The bits of a slot; 128-bit values take two slots. */
export function readBits({ registers }: Machine, at: number, bits: number): bigint {
  const low = registers.u64[at]!;
  if (bits === 128) return low | (registers.u64[at + 1]! << 64n);
  return bits === 64 ? low : BigInt.asUintN(bits, low);
}

/** Writes bits to a slot and clears the upper bits. */
export function writeBits({ registers }: Machine, at: number, bits: number, value: bigint): void {
  if (bits === 128) registers.u64[at + 1] = value >> 64n;
  registers.u64[at] = bits >= 64 ? value : BigInt.asUintN(bits, value);
}
