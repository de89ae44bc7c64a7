// The functions that a kernel runs, and the values that calls pass to them and back.
import type { PtxFunction, PtxModule } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import { instructionsOf } from "./kernel.js";
import type { Nodes, Operand, Step } from "./steps.js";

/** Why the functions that a kernel runs are not known, and where. */
export interface Obstacle {
  readonly statement: number;
  /** Part of a sentence whose subject is the kernel. */
  readonly reason: string;
}

/** The functions that an entry runs, itself first, and the calls as moves between nodes. */
export interface Calls {
  readonly functions: readonly PtxFunction[];
  readonly moves: readonly Step[];
  readonly obstacles: readonly Obstacle[];
}

/** Follows the calls of a module from one of its kernels. */
export function followCalls(module: PtxModule, entry: PtxFunction, nodes: Nodes): Calls {
  const functions = [entry];
  const moves: Step[] = [];
  const obstacles: Obstacle[] = [];
  for (const caller of functions) {
    for (const statement of instructionsOf(module, caller)) {
      const { opcode, guard, operands } = module.operation(statement);
      if (opcode.split(".", 1)[0] !== "call") continue;
      const at = operands[0]?.kind === "list" ? 1 : 0;
      const [target, args, ...rest] = operands.slice(at);
      const callee = target?.kind === "name" ? module.function(target.name) : undefined;
      if (callee?.scope === undefined || rest.length > 0) {
        const name =
          target?.kind === "name" && !target.name.startsWith("%") ? quoted(target.name) : undefined;
        const reason =
          name === undefined
            ? "calls functions through pointers"
            : `calls ${name}, whose body is not in the module`;
        obstacles.push({ statement, reason });
        continue;
      }
      if (!functions.includes(callee)) functions.push(callee);
      const results = at === 1 ? operands[0] : undefined;
      const condition = guard === undefined ? undefined : nodes.operandOf(guard.name)[0];
      const move = (to: readonly Operand[], from: readonly Operand[]) =>
        moves.push({
          ...{ function: caller, statement, name: "mov", modifiers: ["b64"] },
          guard: condition?.kind === "node" ? condition.node : undefined,
          operands: [to, from],
          isScalar: [true, true],
        });
      const passed = (value: typeof args) => (value?.kind === "list" ? value.items : []);
      const parameter = (name: string): readonly Operand[] => [
        { kind: "node", node: nodes.ofParameter(callee, name), isParameter: true },
      ];
      passed(args).forEach((value, index) => {
        const to = callee.parameters[index];
        if (to !== undefined) move(parameter(to.name), nodes.operandOf(value));
      });
      passed(results).forEach((value, index) => {
        const from = callee.results[index];
        if (from !== undefined) move(nodes.operandOf(value), parameter(from.name));
      });
    }
  }
  return { functions, moves, obstacles };
}
