// Programs with 100 live instructions, for the benchmarks of the stack compiler.

import { input, ptxInstruction, register, StackProgram } from "@mm-ptx/stack";
import { f32, stacks, table } from "@mm-ptx/stack/default";
import { generator } from "./random.mjs";

/** The number of live instructions of each program. */
export const LIVE = 100;
export const JOB = {
  registers: ["_x0", "_x1", "_x2"].map((name) => register(name, stacks.F32)),
  requests: [2],
};

const PROGRAMS = 64;
/**
 * The table begins with this number of basic F32 instructions, whose indices never change, so that results
 * stay comparable.
 */
const F32_INSTRUCTIONS = 22;

/**
 * The programs of a kind: one chain, or random expressions.
 *
 * @param {"chain" | "random"} kind
 */
export function programsOf(kind) {
  return kind === "chain" ? [chain()] : expressions(LIVE);
}

/** Random expressions of this number of instructions. */
export function expressions(instructions, count = PROGRAMS) {
  return Array.from({ length: count }, (_, seed) => tree(seed + 1, instructions));
}

/** A program that passes one value through 100 instructions. */
function chain() {
  const binary = operations(2);
  const steps = Array.from({ length: LIVE }, (_, i) => [input(1), ptxInstruction(binary[i % binary.length])]);
  return StackProgram.of(input(0), ...steps.flat());
}

/** A random expression in postorder. */
function tree(seed, instructions) {
  const random = generator(seed);
  const pick = (values) => values[Math.floor(random() * values.length)];
  const [unary, binary, ternary] = [operations(1), operations(2), operations(3)];
  const grow = (size) => {
    if (size === 0) return [random() < 0.7 ? input(Math.floor(random() * 3)) : f32(random())];
    const shape = random();
    const rest = size - 1;
    if (shape < 0.3) return [...grow(rest), ptxInstruction(pick(unary))];
    const first = Math.floor(random() * size);
    if (shape < 0.85) return [...grow(first), ...grow(rest - first), ptxInstruction(pick(binary))];
    const second = Math.floor(random() * (size - first));
    return [...grow(first), ...grow(second), ...grow(rest - first - second), ptxInstruction(pick(ternary))];
  };
  return StackProgram.of(...grow(instructions));
}

/** Those of the first instructions that have this number of arguments. */
function operations(args) {
  const first = table.instructions.slice(0, F32_INSTRUCTIONS);
  return first.flatMap((instruction, index) => (instruction.args.length === args ? [index] : []));
}
