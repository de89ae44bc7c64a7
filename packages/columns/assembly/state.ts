// The words that the planner and the kernels share with their caller.
import { Lane, State } from "../src/machine/layout.js";

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

/** The address of an operand in the block that starts `offset` bytes after the first row of 4 bytes. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function addressOf(place: u32, offset: usize): usize {
  return <usize>(place & ~Lane.mask) + <usize>(place & Lane.mask) * offset;
}
