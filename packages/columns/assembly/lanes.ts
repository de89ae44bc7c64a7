// Where columns are. Modules that have no data of their own, which would replace those of `core`, may import this file.
import { Lane } from "../src/machine/layout.js";

/** The address of an operand in the block that starts `offset` bytes after the first row of 4 bytes. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function addressOf(place: u32, offset: usize): usize {
  return <usize>(place & ~Lane.mask) + <usize>(place & Lane.mask) * offset;
}
