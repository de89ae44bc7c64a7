// Whether a stub may be one of several alternatives in a launch.
import type { Injection } from "@mm-ptx/inject";
import { isPredefined, readFragment } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import { CONTROL_OPCODES, HINT_OPCODES, ORDER_OPCODES, TEXTURE_OPCODES, VALUE_OPCODES } from "./opcodes.js";
import { isPlainStub } from "./plain-stub.js";
import type { Axis } from "./question.js";
import { registerObstacle } from "./special-registers.js";

/**
 * Why a stub cannot be one of several alternatives of its injection, as part of a sentence such as "it reads `%ctaid.z`, which
 * counts alternatives"; `undefined` if it can: it may compute values from its operands, from its own registers, and from special
 * registers that are the same in every launch. A stub of 30 lines as a compiler writes them takes a few microseconds.
 */
export function stubObstacle(stub: string, axis: Axis, injection: Injection): string | undefined {
  return isPlainStub(stub, operandsOf(injection)) ? undefined : obstacleIn(stub, axis, injection);
}

/** Instructions that write to no memory. */
const KEEPING: readonly ReadonlySet<string>[] = [
  ...[VALUE_OPCODES, ORDER_OPCODES, CONTROL_OPCODES, HINT_OPCODES, TEXTURE_OPCODES],
  new Set(["ld", "ldu"]),
];

/** Whether a stub may write to memory that belongs to no program alone. */
export function mayWrite(stub: string): boolean {
  const code = readFragment(stub, { tolerant: true });
  const { statements, problems } = code;
  if (problems.length > 0) return true;
  for (let at = 0; at < statements.count; at++) {
    if (statements.kind(at) !== "instruction") continue;
    const [name = ""] = code.instruction(at).opcode.split(".", 1);
    if (!KEEPING.some((group) => group.has(name))) return true;
  }
  return false;
}

function obstacleIn(stub: string, axis: Axis, injection: Injection): string | undefined {
  const code = readFragment(stub, { tolerant: true });
  const { names, statements, problems } = code;
  if (problems.length > 0) return "contains mistakes";
  for (let at = 0; at < statements.count; at++) {
    const kind = statements.kind(at);
    if (kind === "variable") {
      const other = code.variables(at).find(({ space }) => space !== "reg");
      if (other !== undefined) return `declares \`${other.name}\` in memory`;
    } else if (kind === "instruction") {
      const { opcode } = code.instruction(at);
      const [name = ""] = opcode.split(".", 1);
      const isKnown = name === "bra" || VALUE_OPCODES.has(name) || ORDER_OPCODES.has(name);
      if (!isKnown) return `uses ${quoted(opcode)}`;
    } else if (kind === "directive" || kind === "function" || kind === "section" || kind === "unknown") {
      const { start, end } = code.spanOf(at);
      return `contains ${quoted(stub.slice(start, end))}`;
    }
  }
  const operands = operandsOf(injection);
  for (const { name, span, declaration } of names.uses) {
    if (declaration !== undefined) continue;
    if (isPredefined(name)) {
      const [component] = /^\.(\w+)/.exec(stub.slice(span.end))?.slice(1) ?? [];
      const obstacle = registerObstacle(name, component, axis);
      if (obstacle !== undefined) return obstacle;
    } else if (!operands.has(name)) return `names ${quoted(name)}, which is neither its own nor an operand`;
  }
  return undefined;
}

/** The registers of an injection's operands, with `%`. */
function operandsOf(injection: Injection): ReadonlySet<string> {
  let registers = OPERANDS.get(injection);
  if (registers === undefined) {
    registers = new Set(injection.operands.map(({ register }) => `%${register}`));
    OPERANDS.set(injection, registers);
  }
  return registers;
}

const OPERANDS = new WeakMap<Injection, ReadonlySet<string>>();
