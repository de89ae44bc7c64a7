// The random programs. Words are drawn without a thought for what is on the stacks: whatever comes out is a valid
// program, because an instruction that lacks operands does nothing.

import { ARCHITECTURES } from "@mm-ptx/ptx";

import { constantF32, type Instruction, input, meta, ptxInstruction, StackProgram } from "@mm-ptx/stack";
import type { Requirement, StackInstruction, StackTable } from "@mm-ptx/types/core";
import type { Kernel } from "./kernel.js";
import { Random } from "./random.js";

/** Instructions a program, the last ones included; about half of them end up alive in the median program. */
const SHORTEST = 48;
const LONGEST = 112;
/** The last ones all take two values or more, so that most of what is left on the stack goes into the result. */
const FOLDING = 10;

/** What a word is, in parts of 100. Pushes and takes are about even: the stack grows and shrinks, but not without end. */
const INPUT = 30;
const CONSTANT = 12;
const META = 4;
const UNARY = 16;
const BINARY = 30;

/** What the programs are made of: f32 arithmetic and elementary functions, a few of the description's instructions. */
const VOCABULARY = [
  "add.ftz.f32",
  "sub.ftz.f32",
  "mul.ftz.f32",
  "fma.rn.ftz.f32",
  "div.approx.ftz.f32",
  "neg.ftz.f32",
  "abs.ftz.f32",
  "min.ftz.f32",
  "max.ftz.f32",
  "copysign.f32",
  "rcp.approx.ftz.f32",
  "sqrt.approx.ftz.f32",
  "rsqrt.approx.ftz.f32",
  "sin.approx.ftz.f32",
  "cos.approx.ftz.f32",
  "lg2.approx.ftz.f32",
  "ex2.approx.ftz.f32",
  "tanh.approx.f32",
  "add.f32",
  "sub.f32",
  "mul.f32",
  "fma.rn.f32",
];
const ARITIES = ["unary", "binary", "ternary"] as const;

/** What the kernel's PTX is written for: instructions that need more are not drawn. */
export type Means = Pick<Kernel, "target" | "ptxVersion">;

/** As many random programs as asked for, made when they are taken. Equal seeds give equal programs everywhere. */
export function* samplePrograms(
  count: number,
  seed: number,
  table: StackTable,
  inputs: readonly number[],
  means: Means,
): Generator<StackProgram> {
  const random = new Random(seed);
  const f32 = table.stackTypes.findIndex(({ literalPrefix }) => literalPrefix === "f32");
  const operations = usable(table, means);
  for (let i = 0; i < count; i++) {
    const length = SHORTEST + random.below(LONGEST - SHORTEST + 1);
    const instructions: Instruction[] = [];
    while (instructions.length < length - FOLDING) instructions.push(draw(random, f32, operations, inputs));
    while (instructions.length < length) instructions.push(ptxInstruction(random.pick(operations.binary)));
    yield StackProgram.of(...instructions);
  }
}

function draw(random: Random, f32: number, operations: Operations, inputs: readonly number[]): Instruction {
  let kind = random.below(100);
  if (kind < INPUT) return input(random.pick(inputs));
  kind -= INPUT;
  // Sixteenths from -4 to 4: exact in f32, and no two platforms round them apart.
  if (kind < CONSTANT) return constantF32(f32, (random.below(129) - 64) / 16);
  kind -= CONSTANT;
  if (kind < META) return meta(f32, random.pick(["dup", "swap", "rotate"] as const));
  kind -= META;
  if (kind < UNARY) return ptxInstruction(random.pick(operations.unary));
  kind -= UNARY;
  return ptxInstruction(random.pick(kind < BINARY ? operations.binary : operations.ternary));
}

/** Indices into the table by how many values an instruction takes. */
interface Operations {
  readonly unary: readonly number[];
  readonly binary: readonly number[];
  readonly ternary: readonly number[];
}

/** Those of the vocabulary that the kernel's target has. */
function usable(table: StackTable, means: Means): Operations {
  const operations = { unary: [] as number[], binary: [] as number[], ternary: [] as number[] };
  for (const name of VOCABULARY) {
    const index = table.instructions.findIndex((instruction) => instruction.name === name);
    const { args, requires } = table.instructions[index] as StackInstruction;
    if (isAvailable(requires, means)) operations[ARITIES[args.length - 1]!].push(index);
  }
  return operations;
}

function isAvailable(requires: Requirement | undefined, { target, ptxVersion }: Means): boolean {
  if (requires?.target !== undefined && age(requires.target) > age(target)) return false;
  if (requires?.ptx === undefined) return true;
  const [major = 0, minor = 0] = requires.ptx.split(".").map(Number);
  return major < ptxVersion[0] || (major === ptxVersion[0] && minor <= ptxVersion[1]);
}

/** Where an architecture stands in the list that goes from the oldest to the newest. */
function age(name: string): number {
  return ARCHITECTURES.findIndex((architecture) => architecture.name === name);
}
