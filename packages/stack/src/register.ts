// Registers of the caller: what a program's inputs read and its requests write.
import { integer, invalid } from "./arguments.js";
import { Packed } from "./layout.js";

/** A register outside the stub, with the stack that its values live on. */
export interface StackRegister {
  /** Without the leading `%`. */
  readonly name: string;
  readonly stackIndex: number;
}

/** Anything that knows its register, such as an operand of an annotated kernel. */
export interface NamedRegister {
  readonly register: string;
}

/**
 * A register for a compile: `register("x", stacks.F32)` or `register(injection.operand("x"), stacks.F32)`.
 * @param type the stack's index, or an object that has it as `stackIndex`
 * @throws StackPtxError INVALID_VALUE when the name is no PTX identifier or the index no u16
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

/** @throws StackPtxError INVALID_VALUE */
export function checkRegister(name: string, stackIndex: number): void {
  if (typeof name !== "string" || !REGISTER_NAME.test(name)) {
    throw invalid("a register name without `%`", name);
  }
  if (STUB_REGISTER.test(name)) {
    throw invalid("a register name that stubs do not use for their own", name);
  }
  integer(`stack index of register \`${name}\``, stackIndex, Packed.auxMax);
}

/** Visible ASCII that cannot end an operand: special registers such as `tid.x` are named this way too. */
const REGISTER_NAME = /^[A-Za-z0-9_$.]+$/;
/** What a stub declares in its own scope: the register of the kernel would be out of reach there. */
const STUB_REGISTER = /^_s[0-9]+_[0-9]+$/;
