// Finds the shared variables that a kernel and everything it may call use, and places them in its shared memory.
import type { Operand } from "../program/operand.js";
import type { ProgramFunction, ProgramVariable, SharedPlacement } from "../program/program.js";
import type { PlacelessFunction } from "./function.js";
import { alignedTo } from "./variable.js";

/** The alignment of dynamic shared memory. */
const DYNAMIC_ALIGN = 16;

/**
 * Returns the functions with their shared variables placed. `addressed` are the functions that an indirect call may
 * reach.
 */
export function placeShared(
  functions: readonly PlacelessFunction[],
  variables: readonly ProgramVariable[],
  addressed: ReadonlySet<number>,
): ProgramFunction[] {
  // Kernels whose addresses are taken are launched, not called.
  const called = [...addressed].filter((index) => functions[index]!.kind === "func");
  const facts = functions.map(({ instructions }) => {
    const calls = new Set<number>();
    const used = new Set<number>();
    let isIndirect = false;
    for (const { call, operands } of instructions) {
      for (let i = 0; i < operands.length; i++) collectVariables(operands[i]!, used);
      if (call?.callee.kind === "function") calls.add(call.callee.function);
      isIndirect ||= call?.callee.kind === "register";
    }
    return { calls, used, reaches: isIndirect ? [...calls, ...called] : [...calls] };
  });
  return functions.map((one, index) => {
    const calls = [...facts[index]!.calls];
    if (one.kind === "func") return Object.freeze({ ...one, calls, shared: [], sharedBytes: 0 });
    const used = new Set<number>();
    for (const reached of reachable(index, facts))
      for (const variable of facts[reached]!.used) used.add(variable);
    const shared = [...used]
      .filter((variable) => variables[variable]!.space === "shared")
      .sort((a, b) => a - b);
    return Object.freeze({ ...one, calls, ...place(shared, variables) });
  });
}

function collectVariables(operand: Operand, into: Set<number>): void {
  const reference =
    operand.kind === "address" ? operand.base : operand.kind === "variable" ? operand.variable : undefined;
  if (reference?.kind === "module-variable") into.add(reference.variable);
  if (operand.kind === "vector") for (const item of operand.items) collectVariables(item, into);
}

/** A function and everything that it may call. */
function reachable(from: number, facts: readonly { readonly reaches: readonly number[] }[]): Set<number> {
  const reached = new Set([from]);
  // Iterating over a set visits the elements that are added meanwhile.
  for (const index of reached) for (const next of facts[index]!.reaches) reached.add(next);
  return reached;
}

function place(
  shared: readonly number[],
  variables: readonly ProgramVariable[],
): { readonly shared: readonly SharedPlacement[]; readonly sharedBytes: number } {
  const placements: SharedPlacement[] = [];
  const isDynamic = (variable: number) => variables[variable]!.extern && variables[variable]!.bytes === 0;
  let end = 0;
  for (const variable of shared) {
    if (isDynamic(variable)) continue;
    const { align, bytes: size } = variables[variable]!;
    const offset = alignedTo(end, align);
    placements.push({ variable, offset });
    end = offset + size;
  }
  const dynamic = shared.filter(isDynamic);
  const align = Math.max(DYNAMIC_ALIGN, ...dynamic.map((variable) => variables[variable]!.align));
  const sharedBytes = alignedTo(end, align);
  for (const variable of dynamic) placements.push({ variable, offset: sharedBytes });
  return { shared: placements, sharedBytes };
}
