// How much local memory a thread needs for the frames of its calls.
import type { ProgramFunction } from "../program/program.js";

const STACK_BYTES = 16384;

/** A function whose calls are looked at, and how many of them were. */
interface Visit {
  readonly current: ProgramFunction;
  seen: number;
}

/** Bytes that a thread's calls may take: those of the deepest chain, or, where functions may call themselves, a stack. */
export function localBytesOf(functions: readonly ProgramFunction[], kernel: ProgramFunction): number {
  // What is found again before it is known calls itself.
  const known = new Map([[kernel, STACK_BYTES]]);
  // No recursion: chains of calls may be longer than the stack takes.
  const open: Visit[] = [{ current: kernel, seen: 0 }];
  for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
    const { current } = visit;
    const callee = functions[current.calls[visit.seen++] ?? -1];
    if (callee === undefined) {
      known.set(current, bytesOf(functions, current, known));
      open.pop();
    } else if (!known.has(callee)) {
      known.set(callee, STACK_BYTES);
      open.push({ current: callee, seen: 0 });
    }
  }
  return Math.ceil(known.get(kernel)! / 16) * 16;
}

function bytesOf(
  functions: readonly ProgramFunction[],
  { instructions, calls, frameBytes }: ProgramFunction,
  known: ReadonlyMap<ProgramFunction, number>,
): number {
  if (instructions.some(({ call }) => call?.callee.kind === "register")) return STACK_BYTES;
  const below = calls.map((index) => known.get(functions[index]!)!);
  return frameBytes + below.reduce((most, bytes) => Math.max(most, bytes), 0);
}
