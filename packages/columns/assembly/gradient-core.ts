// What the module of gradients uses of the core module, and the words that it shares with its caller. The module has no memory of
// its own.
import { Adjoint, Room } from "../src/gradient/layout.js";
import { Lane, State, ValueField } from "../src/machine/layout.js";

// @ts-expect-error: decorators are AssemblyScript's
@external("core", "state")
declare const state: usize;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "draft")
export declare function draft(at: usize, end: usize): u32;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "place")
export declare function place(slotCount: u32): u32;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "flagsOf")
export declare function flagsOf(word: u32): u32;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "checkOutputs")
export declare function checkOutputs(): u32;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "spend")
export declare function spend(cost: f64): void;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "isOver")
export declare function isOver(): bool;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "log2")
export declare function log2(x: f64): f64;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "runSteps")
export declare function runSteps(step: usize, end: usize, offset: usize, rows: usize): void;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "beginLoss")
export declare function beginLoss(): void;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "addLoss")
export declare function addLoss(from: usize, rows: usize): void;
// @ts-expect-error: decorators are AssemblyScript's
@external("core", "endLoss")
export declare function endLoss(result: usize): void;

let roomAddress: usize = 0;

/** Says where the words are. */
export function setRoom(address: usize): void {
  roomAddress = address;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function get(field: State): u32 {
  return load<u32>(state + field);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function set(field: State, value: u32): void {
  store<u32>(state + field, value);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function room(field: Room): u32 {
  return load<u32>(roomAddress + field);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function roomNumber(field: Room): f64 {
  return load<f64>(roomAddress + field);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function valueAt(index: u32): usize {
  return <usize>get(State.values) + (<usize>index << ValueField.shift);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function adjointAt(index: u32): usize {
  return <usize>room(Room.adjoints) + (<usize>index << Adjoint.shift);
}

/** The address of an operand in the block that starts `offset` bytes after the first row of 4 bytes. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function addressOf(operand: u32, offset: usize): usize {
  return <usize>(operand & ~Lane.mask) + <usize>(operand & Lane.mask) * offset;
}

/** Replaces the number of a slot by its address. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function placed(operand: u32): u32 {
  if ((operand & Lane.mask) != Lane.slot) return operand;
  return get(State.slots) + (operand >> 2) * (get(State.laneBytes) * get(State.blockRows));
}
