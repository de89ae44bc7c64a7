// Registers of the caller, which a program's inputs read and its requests write.
import { integer, invalid } from "./arguments.js";
import { Packed } from "./layout.js";

/** A register outside the stub, and the stack that holds its values. */
export interface StackRegister {
  /** The name without the leading `%`. */
  readonly name: string;
  readonly stackIndex: number;
}

/** Anything that has a register, such as an operand of an annotated kernel. */
export interface NamedRegister {
  readonly register: string;
}

/**
 * Makes a register for a compile: `register("x", stacks.F32)` or `register(injection.operand("x"), stacks.F32)`.
 * `siteJob` does this for all operands of a site.
 * @param type the stack's index, or an object that has it as `stackIndex`
 * @throws StackPtxError INVALID_ARGUMENT when the name is not a PTX identifier or the index not a u16
 */
export function register(
  name: string | NamedRegister,
  type: number | { readonly stackIndex: number },
): StackRegister {
  const text = typeof name === "string" ? name : name?.register;
  const stackIndex = typeof type === "number" ? type : type?.stackIndex;
  checkRegister(text, stackIndex);
  return Object.freeze({ name: text, stackIndex });
}

/** @throws StackPtxError INVALID_ARGUMENT */
export function checkRegister(name: string, stackIndex: number): void {
  if (typeof name !== "string" || !REGISTER_NAME.test(name)) {
    throw invalid("a register name without `%`", name);
  }
  if (STUB_REGISTER.test(name)) {
    throw invalid("a register name that stubs do not declare themselves", name);
  }
  integer(`stack index of register \`${name}\``, stackIndex, Packed.auxMax);
}

/** Visible ASCII characters that cannot end an operand. Special registers such as `tid.x` have such names too. */
const REGISTER_NAME = /^[A-Za-z0-9_$.]+$/;
/** Names that stubs declare in their own scope, where they would hide the kernel's register. */
const STUB_REGISTER = /^_s[0-9]+_[0-9]+$/;
