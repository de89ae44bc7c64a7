// The caller's registers of a compile, kept from one to the next: searches compile thousands of programs for the same
// ones, and their texts are written into the arena again only when they change.
import { invalid } from "./checks.js";

export class InputNames {
  names: readonly string[] = [];
  /** Characters of the longest. */
  longest = 0;
  /** Changes when the names do. */
  version = 0;

  /** Takes over the names of a compile. @throws AstPtxError INVALID_VALUE */
  load(names: readonly string[]): void {
    if (!Array.isArray(names)) {
      throw invalid("`inputs` as an array of register names", names);
    }
    if (this.holds(names)) return;
    // Read once, then checked: what is kept is what was checked, whatever the caller's array does.
    const read: readonly string[] = Array.from(names);
    for (const name of read) checkName(name);
    this.names = read;
    this.longest = read.reduce((most, { length }) => Math.max(most, length), 0);
    this.version++;
  }

  private holds(names: readonly string[]): boolean {
    const count = this.names.length;
    if (names.length !== count) return false;
    for (let index = 0; index < count; index++) if (names[index] !== this.names[index]) return false;
    return true;
  }
}

/** @throws AstPtxError INVALID_VALUE when it is no name that a register outside of a stub can have */
export function checkName(name: string): void {
  if (typeof name !== "string" || !REGISTER_NAME.test(name)) {
    throw invalid("a register name without `%`", name);
  }
  if (STUB_REGISTER.test(name)) {
    throw invalid("a register name that stubs do not use for their own", name);
  }
}

/** Behind a `%` a digit may stand first. Only an element of a special register such as `tid.x` has a point. */
const REGISTER_NAME = /^[A-Za-z0-9_$]+(?:\.[xyzw])?$/;
/** What a stub declares in its own scope: the register of the kernel would be out of reach there. */
const STUB_REGISTER = /^ast[0-9]+$/;
