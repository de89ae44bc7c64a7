// Finds where diverged control reconverges: the immediate postdominator of each instruction of a function, found with
// the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm") on the reversed flow.
import type { Instruction, ProgramFunction } from "../program/program.js";

/**
 * For each instruction, the one at which all paths from it meet first. The index after the last instruction means the
 * end of the function's text. The index after that means that the thread has returned or exited; it is also the result
 * where no path leads out.
 */
export function immediatePostdominators({ instructions }: ProgramFunction): Int32Array {
  const exit = instructions.length + 1;
  const successors = Array.from({ length: exit }, (_, at) => successorsOf(instructions[at], at, exit));
  const predecessors: number[][] = Array.from({ length: exit + 1 }, () => []);
  for (const [at, targets] of successors.entries()) for (const to of targets) predecessors[to]!.push(at);
  const order = postorder(exit, predecessors);
  const rank = new Int32Array(exit + 1).fill(-1);
  for (const [place, at] of order.entries()) rank[at] = place;
  const found = new Int32Array(exit + 1).fill(-1);
  found[exit] = exit;
  const meet = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      while (rank[x]! < rank[y]!) x = found[x]!;
      while (rank[y]! < rank[x]!) y = found[y]!;
    }
    return x;
  };
  for (let changes = true; changes; ) {
    changes = false;
    for (let place = order.length - 2; place >= 0; place--) {
      const at = order[place]!;
      let now = -1;
      for (const to of successors[at]!) if (found[to]! >= 0) now = now < 0 ? to : meet(to, now);
      if (now === found[at]) continue;
      found[at] = now;
      changes = true;
    }
  }
  // Nothing leads from an endless loop to the end.
  return found.map((at) => (at < 0 ? exit : at)).subarray(0, exit);
}

function successorsOf(instruction: Instruction | undefined, at: number, exit: number): readonly number[] {
  if (instruction === undefined) return [exit];
  const { operation, operands, branchTargets, guard } = instruction;
  const rest = guard === undefined ? [] : [at + 1];
  switch (operation.traits.flow) {
    case "jump": {
      const label = operands.find((operand) => operand.kind === "label");
      return [...(branchTargets ?? (label === undefined ? [] : [label.target])), ...rest];
    }
    case "return":
    case "exit":
    case "trap":
      return [exit, ...rest];
    default:
      return [at + 1];
  }
}

/** The nodes from which the root can be reached backwards, each after those that follow it; the root is last. */
function postorder(root: number, edges: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  const seen = new Set([root]);
  const open: { readonly at: number; next: number }[] = [{ at: root, next: 0 }];
  for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
    const to = edges[visit.at]![visit.next++];
    if (to === undefined) {
      order.push(visit.at);
      open.pop();
    } else if (!seen.has(to)) {
      seen.add(to);
      open.push({ at: to, next: 0 });
    }
  }
  return order;
}
