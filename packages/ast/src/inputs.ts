// The caller's registers of a compile, kept from one to the next: searches compile thousands of programs for the same
// ones, and their texts are packed again only when they change.
import { describeValue } from "@mm-ptx/types/core";
import { Value, Values } from "./compile/values.js";
import { AstPtxError } from "./error.js";

export class InputNames {
  count = 0;
  /** Whether each name has a text of its own in `values`; a longer one is written character by character. */
  allShort = true;
  readonly names: string[] = [];
  readonly values = new Values(16);

  /** Takes over the names of a compile. @throws AstPtxError INVALID_VALUE */
  load(names: readonly string[]): void {
    if (!Array.isArray(names)) {
      throw new AstPtxError(
        "INVALID_VALUE",
        `expected \`inputs\` as an array of register names, found ${describeValue(names)}`,
      );
    }
    if (names.length === this.count && names.every((name, index) => name === this.names[index])) return;
    // Read once, then checked: what is kept is what was checked, whatever the caller's array does.
    const read: readonly string[] = Array.from(names);
    for (const name of read) checkName(name);
    this.names.length = this.count = read.length;
    this.allShort = true;
    this.values.reserve(read.length);
    read.forEach((name, index) => {
      this.names[index] = name;
      const text = `%${name}, `;
      if (text.length <= Value.mostCharacters) {
        this.values.setText(index, text);
      } else {
        this.values.setInput(index, index);
        this.allShort = false;
      }
    });
  }
}

/** @throws AstPtxError INVALID_VALUE when it is no name that a register outside of a stub can have */
export function checkName(name: string): void {
  if (typeof name !== "string" || !REGISTER_NAME.test(name)) {
    throw new AstPtxError(
      "INVALID_VALUE",
      `expected a register name without \`%\`, found ${describeValue(name)}`,
    );
  }
  if (STUB_REGISTER.test(name)) {
    throw new AstPtxError(
      "INVALID_VALUE",
      `expected a register name that stubs do not use for their own, found \`${name}\``,
    );
  }
}

/** Visible ASCII that cannot end an operand: special registers such as `clock.x` are named this way too. */
const REGISTER_NAME = /^[A-Za-z0-9_$.]+$/;
/** What a stub declares in its own scope: the register of the kernel would be out of reach there. */
const STUB_REGISTER = /^ast[0-9]+$/;
