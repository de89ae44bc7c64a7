// Which functions stay functions: those that call themselves, and those that are called by their addresses. All others are
// put in the places of their calls.
import type { Operand } from "../program/operand.js";
import type { Program, ProgramFunction } from "../program/program.js";

/** What a kernel calls without knowing, or again and again. */
export interface Calls {
  /** Functions at which a circle of calls closes; each circle has one. */
  readonly recursive: ReadonlySet<number>;
  /** Functions that calls by addresses may mean; none when there is no such call. */
  readonly addressed: readonly number[];
}

/** The calls of a kernel and of all that it calls. */
export function callsOf(program: Program, kernel: ProgramFunction): Calls {
  const recursive = new Set<number>();
  const above = new Set<number>();
  const seen = new Set<number>();
  let isIndirect = false;
  /** The functions that an instruction after the other calls. */
  function* calleesOf(index: number): Generator<number> {
    for (const { call } of program.functions[index]!.instructions) {
      if (call?.callee.kind === "register") isIndirect = true;
      if (call?.callee.kind === "function") yield call.callee.function;
    }
  }
  // No recursion: chains of calls may be longer than the stack takes.
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

/** Functions whose addresses a program has anywhere. */
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
