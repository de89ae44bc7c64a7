// Values that are the same for four threads but are only multiplied and added with vectors. They are loaded directly
// into all four words of a vector instead of being splat at each use.
import type { Step } from "../../control/step.js";

/** Whether a step is a load that can fill all four words of a vector with one word. */
export function spreads(step: Step): boolean {
  const { operands, guard } = step.source;
  const { types, space, traits } = step.operation;
  return (
    traits.reads &&
    !traits.writes &&
    types.at(-1) === "f32" &&
    operands[0]!.kind === "register" &&
    guard === undefined &&
    space !== "local" &&
    space !== "param"
  );
}

/**
 * The registers of a segment for which this is worthwhile.
 *
 * @param steps the steps of the segment
 * @param restored registers that are loaded at its beginning
 * @param hasVectors whether a step can be computed for four threads at once
 */
export function spreadRegisters(
  steps: readonly Step[],
  restored: ReadonlySet<number>,
  hasVectors: (step: Step) => boolean,
): Iterable<number> {
  const found = new Set<number>();
  for (const step of steps) if (spreads(step)) for (const register of step.writes) found.add(register);
  for (const register of restored) found.delete(register);
  if (found.size === 0) return found;
  for (const step of steps) {
    const { traits, types } = step.operation;
    const isArithmetic = traits.canonical && types[0] === "f32" && hasVectors(step);
    if (!isArithmetic) for (const register of step.reads) found.delete(register);
    if (!spreads(step)) for (const register of step.writes) found.delete(register);
  }
  return found;
}
