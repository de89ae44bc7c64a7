// How much local memory a thread needs for the frames of its calls.
import type { ProgramFunction } from "../program/program.js";

const STACK_BYTES = 16384;

/** Bytes that a thread's calls may take: those of the deepest chain, or, where functions may call themselves, a stack. */
export function localBytesOf(functions: readonly ProgramFunction[], kernel: ProgramFunction): number {
  const deepest = (current: ProgramFunction, above: readonly ProgramFunction[]): number => {
    const indirect = current.instructions.some(({ call }) => call?.callee.kind === "register");
    if (indirect || above.includes(current)) return STACK_BYTES;
    const below = current.calls.map((index) => deepest(functions[index]!, [...above, current]));
    return current.frameBytes + Math.max(0, ...below);
  };
  return Math.ceil(deepest(kernel, []) / 16) * 16;
}
