// The caller's registers, kept from one compile to the next. Searches compile thousands of programs for the same
// registers, and their texts are written into the arena again only when they change.
import { invalid } from "./checks.js";

export class InputNames {
  names: readonly string[] = [];
  /** The number of characters in the longest name. */
  longest = 0;
  /** Increases whenever the names change. */
  version = 0;

  /** Loads the names of a compile. @throws AstPtxError INVALID_ARGUMENT */
  load(names: readonly string[]): void {
    if (!Array.isArray(names)) {
      throw invalid("`inputs` as an array of register names", names);
    }
    if (this.#holds(names)) return;
    // Each name is read once and then checked, so that what was checked is what is kept, even if the caller's array
    // changes.
    const read: readonly string[] = Array.from(names);
    for (const name of read) checkName(name);
    this.names = read;
    this.longest = read.reduce((most, { length }) => Math.max(most, length), 0);
    this.version++;
  }

  #holds(names: readonly string[]): boolean {
    const count = this.names.length;
    if (names.length !== count) return false;
    for (let index = 0; index < count; index++) if (names[index] !== this.names[index]) return false;
    return true;
  }
}

/** @throws AstPtxError INVALID_ARGUMENT unless it is a name that a register outside a stub can have */
export function checkName(name: string): void {
  if (typeof name !== "string" || !REGISTER_NAME.test(name)) {
    throw invalid("a register name without `%`", name);
  }
  if (STUB_REGISTER.test(name)) {
    throw invalid("a register name that stubs do not declare themselves", name);
  }
}

/**
 * After the `%`, a name may start with a digit. A point is only part of the elements of special registers, such as
 * `tid.x`.
 */
const REGISTER_NAME = /^[A-Za-z0-9_$]+(?:\.[xyzw])?$/;
/** Names that stubs declare in their own scope, where they would hide the kernel's register. */
const STUB_REGISTER = /^ast[0-9]+$/;
