// The words that the planner and the kernels share with their caller.
import { State } from "../src/machine/layout.js";

/** The address of these words. */
export const state: usize = memory.data(State.bytes, 16);

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

/** The types whose values have 64 bits, one bit each: b64, u64, s64, f64, f32x2. */
export const DOUBLE_TYPES: u32 = 0x278000;

/** How many steps of rows `run` may still do before it pauses. */
export let budget: f64 = 0;

export function spend(steps: f64): void {
  budget -= steps;
}
