// Computes how much local memory a thread needs for its call frames.
import type { ProgramFunction } from "../program/program.js";

/** The minimum for recursive calls: this many bytes, or this many calls of a function with a large frame. */
const STACK_BYTES = 16384;
const RECURSIVE_CALLS = 16;

/** The most local memory of a thread (CUDA C++ Programming Guide, Technical Specifications per Compute Capability). */
export const MOST_STACK = 512 * 1024;

/** Says that a thread's calls need more local memory than it has. */
export const stackWords = (bytes: number): string =>
  `${bytes} bytes of local memory are not enough for its calls${
    bytes < MOST_STACK ? "; a CUDA program gets more with `cudaLimitStackSize`" : ""
  }`;

const stackOf = ({ frameBytes }: ProgramFunction, stack: number): number =>
  Math.max(stack, RECURSIVE_CALLS * frameBytes);

/** A function being visited, and how many of its calls have been visited. */
interface Visit {
  readonly current: ProgramFunction;
  seen: number;
}

/**
 * Bytes that a thread's calls may use: the deepest call chain, which ends in a fixed stack where functions may recurse.
 *
 * @param stackBytes what recursive calls may use if it is more than the default
 */
export function localBytesOf(
  functions: readonly ProgramFunction[],
  kernel: ProgramFunction,
  stackBytes = STACK_BYTES,
): number {
  const stack = Math.max(STACK_BYTES, stackBytes);
  // A function that is reached again before its result is known is recursive and keeps this initial value.
  const known = new Map([[kernel, stackOf(kernel, stack)]]);
  // The traversal is iterative because call chains may be deeper than the JavaScript stack.
  const open: Visit[] = [{ current: kernel, seen: 0 }];
  for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
    const { current } = visit;
    const callee = functions[current.calls[visit.seen++] ?? -1];
    if (callee === undefined) {
      known.set(current, bytesOf(functions, current, known, stack));
      open.pop();
    } else if (!known.has(callee)) {
      known.set(callee, stackOf(callee, stack));
      open.push({ current: callee, seen: 0 });
    }
  }
  return Math.ceil(known.get(kernel)! / 16) * 16;
}

function bytesOf(
  functions: readonly ProgramFunction[],
  { instructions, calls, frameBytes }: ProgramFunction,
  known: ReadonlyMap<ProgramFunction, number>,
  stack: number,
): number {
  const indirect = instructions.some(({ call }) => call?.callee.kind === "register");
  const below = calls.map((index) => known.get(functions[index]!)!);
  return frameBytes + below.reduce((most, bytes) => Math.max(most, bytes), indirect ? stack : 0);
}
