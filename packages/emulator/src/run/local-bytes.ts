// How much local memory a thread needs for the frames of its calls.
import type { ProgramFunction } from "../program/program.js";

const STACK_BYTES = 16384;

/** Bytes that a thread's calls may take: those of the deepest chain, or, where functions may call themselves, a stack. */
export function localBytesOf(functions: readonly ProgramFunction[], kernel: ProgramFunction): number {
  const known = new Map<ProgramFunction, number>();
  const deepest = (current: ProgramFunction): number => {
    const bytes = known.get(current);
    if (bytes !== undefined) return bytes;
    // What is found again before it is known calls itself.
    known.set(current, STACK_BYTES);
    const indirect = current.instructions.some(({ call }) => call?.callee.kind === "register");
    const below = current.calls.map((index) => deepest(functions[index]!));
    const all = indirect ? STACK_BYTES : current.frameBytes + Math.max(0, ...below);
    known.set(current, all);
    return all;
  };
  return Math.ceil(deepest(kernel) / 16) * 16;
}
