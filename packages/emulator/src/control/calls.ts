// Finds the functions that remain functions: recursive ones, and those that are called through their addresses. All
// others are inlined where they are called.
import type { Operand } from "../program/operand.js";
import type { Program, ProgramFunction } from "../program/program.js";

/** Functions that a kernel calls recursively or through an address. */
export interface Calls {
  /** For each cycle of calls, the function at which it closes. */
  readonly recursive: ReadonlySet<number>;
  /** Functions that indirect calls may reach; empty when the kernel makes no such call. */
  readonly addressed: readonly number[];
}

/** Returns the recursive and indirect calls of a kernel and of everything that it calls. */
export function callsOf(program: Program, kernel: ProgramFunction): Calls {
  const recursive = new Set<number>();
  const above = new Set<number>();
  const seen = new Set<number>();
  let isIndirect = false;
  /** The functions that a function calls, in instruction order. */
  function* calleesOf(index: number): Generator<number> {
    for (const { call } of program.functions[index]!.instructions) {
      if (call?.callee.kind === "register") isIndirect = true;
      if (call?.callee.kind === "function") yield call.callee.function;
    }
  }
  // This walk is iterative because chains of calls may be deeper than the JavaScript stack.
  const walk = (root: number): void => {
    const open: { readonly index: number; readonly callees: Iterator<number> }[] = [];
    const enter = (index: number) => {
      seen.add(index);
      above.add(index);
      open.push({ index, callees: calleesOf(index) });
    };
    enter(root);
    for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
      const { done, value: callee } = visit.callees.next();
      if (done === true) {
        above.delete(visit.index);
        open.pop();
      } else if (above.has(callee)) recursive.add(callee);
      else if (!seen.has(callee)) enter(callee);
    }
  };
  walk(program.functions.indexOf(kernel));
  if (!isIndirect) return { recursive, addressed: [] };
  const addressed = [...functionsWithAddress(program)].sort((a, b) => a - b);
  for (const index of addressed) if (!seen.has(index)) walk(index);
  return { recursive, addressed };
}

/** Functions whose address appears anywhere in a program. */
function functionsWithAddress({ functions, variables }: Program): ReadonlySet<number> {
  const found = new Set<number>();
  const add = (operand: Operand) => {
    if (operand.kind === "function") found.add(operand.function);
    else if (operand.kind === "vector") operand.items.forEach(add);
  };
  for (const { instructions } of functions) for (const { operands } of instructions) operands.forEach(add);
  for (const { relocations } of [...variables, ...functions.flatMap((each) => each.variables)]) {
    for (const { target } of relocations) if (target.kind === "function") found.add(target.function);
  }
  return new Set([...found].filter((index) => functions[index]!.kind === "func"));
}
