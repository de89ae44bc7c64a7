// Values that are the same for four threads, but are only multiplied and added with vectors: they are loaded into all four
// words of a vector at once, instead of being spread over one at each use.
import type { Step } from "../../control/graph.js";
import { spaceOf } from "../emit/memory.js";

const ARITHMETIC = new Set(["fma", "mad", "mul", "add", "sub"]);

/** Whether a load can put one word into all four of a vector. */
export function spreads(step: Step): boolean {
  const { name, types, operands, guard } = step.source;
  const space = spaceOf(step);
  return (
    name === "ld" &&
    types.at(-1) === "f32" &&
    operands[0]!.kind === "register" &&
    guard === undefined &&
    space !== "local" &&
    space !== "param"
  );
}

/**
 * Registers of a segment that are worth it.
 *
 * @param steps of the segment
 * @param restored registers that have a value at its beginning
 */
export function spreadRegisters(steps: readonly Step[], restored: ReadonlySet<number>): Iterable<number> {
  const found = new Set<number>();
  for (const step of steps) if (spreads(step)) for (const register of step.writes) found.add(register);
  for (const register of restored) found.delete(register);
  if (found.size === 0) return found;
  for (const step of steps) {
    const { name, types } = step.source;
    const isArithmetic = ARITHMETIC.has(name) && types[0] === "f32";
    if (!isArithmetic) for (const register of step.reads) found.delete(register);
    if (!spreads(step)) for (const register of step.writes) found.delete(register);
  }
  return found;
}
