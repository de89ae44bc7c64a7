// Arguments and results of calls: where a frame holds them and how they are copied between frames.
import type { Operand } from "../program/operand.js";
import type { Builder } from "./builder.js";
import type { Machine } from "./machine.js";
import type { Frame } from "./thread.js";

/** Where a frame holds a value that a call passes: bytes of a variable, or a register. */
export type ValuePlace =
  | { readonly kind: "memory"; readonly offset: number; readonly bytes: number }
  | { readonly kind: "slot"; readonly slot: number };

export function placeOf(builder: Builder, operand: Operand): ValuePlace {
  if (operand.kind === "variable" && operand.variable.kind === "function-variable") {
    const { offset, bytes } = builder.variable(operand.variable);
    return { kind: "memory", offset: offset + operand.offset, bytes };
  }
  return {
    kind: "slot",
    slot: operand.kind === "register" ? builder.register(operand.register) : builder.source(operand),
  };
}

const SLOT_BYTES = 8;

/** Copies a value from a place in one frame to a place in another. */
export function copyValue(
  machine: Machine,
  from: Frame,
  source: ValuePlace,
  to: Frame,
  target: ValuePlace,
): void {
  const bytes = bytesOf(machine, from, source);
  if (target.kind === "slot") {
    const slot = new Uint8Array(SLOT_BYTES);
    slot.set(bytes.subarray(0, SLOT_BYTES));
    machine.registers.u32.set(new Uint32Array(slot.buffer), 2 * (to.base + target.slot));
    machine.registers.written[to.base + target.slot] = 1;
    return;
  }
  const start = machine.localBase() + to.local + target.offset;
  machine.bytes.set(bytes.subarray(0, target.bytes), start);
}

export function bytesOf(machine: Machine, frame: Frame, place: ValuePlace): Uint8Array {
  if (place.kind === "slot") {
    const { u32 } = machine.registers;
    return new Uint8Array(u32.buffer, SLOT_BYTES * (frame.base + place.slot), SLOT_BYTES);
  }
  const start = machine.localBase() + frame.local + place.offset;
  return machine.bytes.subarray(start, start + place.bytes);
}
