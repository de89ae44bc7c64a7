// Enumerated programs as genomes of stack spaces.
import { constantBits, type Instruction, input, load, ptxInstruction, store } from "@mm-ptx/stack";
import type { CodeBuffer } from "@mm-ptx/types/code";
import type { StackInstruction, StackTable } from "@mm-ptx/types/core";
import { SearchError } from "../error.js";
import { bitsOfConstant, type EnumerablePrograms, type EnumeratedConstants } from "./enumerable.js";
import type { StackSettings } from "./stack-options.js";
import { GENE } from "./stack-words.js";

/** Instructions whose first two operands can be swapped. */
const COMMUTES =
  /^((add|mul|mul24|mad|mad24|fma|min|max|and|or|xor|sad)\.(?!.*xorsign)|setp?\.(eq|ne|equ|neu|num|nan)\.)/;

/** The slots that compilers have by default. */
const SLOTS = 16;

/** @throws SearchError UNSUPPORTED for jobs with several requests */
export function stackEnumerable(
  table: StackTable,
  { job, inputs, sampler, maxLength }: StackSettings,
  constants: EnumeratedConstants,
): EnumerablePrograms {
  if (job.requests.length !== 1) {
    throw new SearchError("UNSUPPORTED", `expected a job with one request, found ${job.requests.length}`);
  }
  const weight = sampler.instructions as (instruction: StackInstruction) => number;
  const used = table.instructions.filter((each) => each.results.length === 1 && weight(each) > 0);
  const stackOf = (type: number): number => table.argTypes[type]!.stackIndex;
  const read = new Set([
    ...used.flatMap(({ args }) => args.map(stackOf)),
    job.registers[job.requests[0]!]!.stackIndex,
  ]);
  const leaves: { readonly instruction: Instruction; readonly stack: number }[] = inputs.map((register) => ({
    instruction: input(register),
    stack: job.registers[register]!.stackIndex,
  }));
  for (const stack of read) {
    const type = table.stackTypes[stack]!.constantType;
    for (const value of (type === undefined ? undefined : constants[type]) ?? []) {
      leaves.push({ instruction: constantBits(stack, bitsOfConstant(type!, value)), stack });
    }
  }
  const indices = used.map((instruction) => table.instructions.indexOf(instruction));
  return {
    parts: {
      operations: used.map(({ ptx, args, results }) => ({
        args: args.map(stackOf),
        result: stackOf(results[0]!),
        commutes: args.length >= 2 && stackOf(args[0]!) === stackOf(args[1]!) && COMMUTES.test(ptx),
      })),
      leaves: leaves.map(({ stack }) => stack),
      inputs: inputs.length,
      output: job.registers[job.requests[0]!]!.stackIndex,
      shares: true,
    },
    append(nodes, output, out: CodeBuffer) {
      const uses = new Int32Array(nodes.length);
      for (const [, ...operands] of nodes)
        for (const operand of operands) if (operand >= leaves.length) uses[operand - leaves.length]!++;
      const slots = new Map<number, number>();
      const program: Instruction[] = [];
      const write = (value: number): void => {
        const leaf = leaves[value]?.instruction;
        if (leaf !== undefined) {
          program.push(leaf);
          return;
        }
        const node = value - leaves.length;
        const slot = slots.get(node);
        if (slot !== undefined) {
          program.push(load(slot));
          return;
        }
        const [operation, ...operands] = nodes[node]!;
        // The first operand is the one on top.
        for (const operand of operands.reverse()) write(operand);
        program.push(ptxInstruction(indices[operation]!));
        if (uses[node]! < 2) return;
        slots.set(node, slots.size);
        program.push(store(stackOf(used[operation]!.results[0]!), slots.size - 1), load(slots.size - 1));
      };
      write(output);
      if (program.length > maxLength || slots.size > SLOTS) return;
      const room = out.reserve(program.length * GENE);
      let at = out.end;
      for (const { head, payload } of program) {
        room[at++] = head;
        room[at++] = payload;
      }
      out.append(at);
    },
  };
}
