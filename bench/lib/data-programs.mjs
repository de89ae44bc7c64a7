// Random programs for benchmarks of @mm-ptx/columns: grown trees over five inputs and constants.

import { AstProgram, constant, input } from "@mm-ptx/ast";
import { ptx } from "@mm-ptx/ast/f32";
import { register, StackProgram, input as stackInput } from "@mm-ptx/stack";
import { f32, ptx as stackPtx, stacks, u32 } from "@mm-ptx/stack/default";

export const INPUTS = 5;
export const JOB = { inputs: ["a", "b", "c", "d", "e"], output: "z" };

const BINARY = [ptx.addFtzF32, ptx.subFtzF32, ptx.mulFtzF32];
/** Instructions with their number of arguments. */
export const SETS = {
  division: [...BINARY, ptx.divApproxFtzF32].map((instruction) => [instruction, 2]),
  fma: [...BINARY.map((instruction) => [instruction, 2]), [ptx.fmaRnFtzF32, 3]],
};

/**
 * Programs of 24 nodes, leaves included, or of 23 and 25 in turn where no tree has 24.
 *
 * @param {number} count
 * @param {keyof typeof SETS} set
 * @param {() => number} random
 */
export function dataPrograms(count, set, random) {
  const choices = SETS[set];
  const leaf = () => (random() < 0.7 ? input(Math.floor(random() * INPUTS)) : constant(4 * random() - 2));
  /** Appends a tree of this many nodes, or of one more if no tree has as many. */
  const grow = (nodes, out) => {
    if (nodes < 3) {
      out.push(leaf());
      return;
    }
    const fitting = choices.filter(([, args]) => nodes > args);
    const [instruction, args] = fitting[Math.floor(random() * fitting.length)];
    let left = nodes - 1;
    for (let arg = args; arg > 1; arg--) {
      const most = left - (arg - 1);
      const part = Math.min(most, 1 + Math.floor(random() * most));
      left -= size(grown(part, out));
    }
    grow(left, out);
    out.push(instruction);
  };
  const grown = (nodes, out) => {
    const start = out.length;
    grow(nodes, out);
    return { start, end: out.length };
  };
  const size = ({ start, end }) => end - start;
  return Array.from({ length: count }, (_, index) => {
    const out = [];
    grow(set === "fma" ? 24 : 23 + 2 * (index % 2), out);
    return { program: AstProgram.of(...out), nodes: out.length };
  });
}

/** The lines of Stack PTX programs. */
const LINES = 10;
const STACK_SETS = {
  f32: {
    stack: stacks.F32,
    constant: (random) => f32(4 * random() - 2),
    instructions: [stackPtx.addFtzF32, stackPtx.subFtzF32, stackPtx.mulFtzF32, stackPtx.maxFtzF32],
  },
  u32: {
    stack: stacks.U32,
    constant: (random) => u32(Math.floor(random() * 2 ** 32)),
    instructions: [stackPtx.addU32, stackPtx.subU32, stackPtx.mulLoU32, stackPtx.minU32, stackPtx.maxU32],
  },
};

/**
 * Programs of Stack PTX with ten live lines, and their job.
 *
 * @param {number} count
 * @param {keyof typeof STACK_SETS} set
 * @param {() => number} random
 */
export function stackPrograms(count, set, random) {
  const { stack, constant: makeConstant, instructions } = STACK_SETS[set];
  const leaf = () => (random() < 0.7 ? stackInput(Math.floor(random() * INPUTS)) : makeConstant(random));
  const grow = (lines) => {
    if (lines === 0) return [leaf()];
    const first = Math.floor(random() * lines);
    const instruction = instructions[Math.floor(random() * instructions.length)];
    return [...grow(first), ...grow(lines - 1 - first), instruction];
  };
  const names = [...JOB.inputs, JOB.output];
  return {
    programs: Array.from({ length: count }, () => StackProgram.of(...grow(LINES))),
    job: { registers: names.map((name) => register(name, stack)), requests: [INPUTS] },
  };
}
