// The random programs. Words are drawn without a thought for what is on the stacks: whatever comes out is a valid
// program, because an instruction that lacks operands does nothing.

import { ARCHITECTURES } from "@mm-ptx/ptx";

import type { StackProgram, StackRegister } from "@mm-ptx/stack";
import { ProgramSampler, type ProgramSamplerOptions, Random } from "@mm-ptx/stack/random";
import type { Requirement, StackInstruction, StackTable } from "@mm-ptx/types/core";
import type { Kernel } from "./kernel.js";

/** Instructions before the last ones; about half of all end up alive in the median program. */
const LENGTH = { min: 38, max: 102 };
/** The last ones all take two values, so that most of what is left on the stack goes into the result. */
const FOLDING = 10;

/** How often each kind is drawn. Pushes and takes are about even: the stack grows and shrinks, but not without end. */
const KINDS = { ptx: 54, input: 30, constant: 12, meta: 4, metaConstant: 0, store: 0, load: 0 };
const ONLY_PTX = { ...KINDS, input: 0, constant: 0, meta: 0 };
/** Operations that keep what is on the stack. */
const OPERATIONS = { yankDup: 0, swapWith: 0, replace: 0, drop: 0, clear: 0, reverse: 0 };
/** How often one instruction is drawn, by how many values it takes. */
const BY_ARITY = [0, 1.5, 3.5, 4];

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
/** What the kernel's PTX is written for: instructions that need more are not drawn. */
export type Means = Pick<Kernel, "target" | "ptxVersion">;

/** As many random programs as asked for, made when they are taken. Equal seeds give equal programs everywhere. */
export function* samplePrograms(
  count: number,
  seed: number,
  table: StackTable,
  site: { readonly registers: readonly StackRegister[]; readonly inputs: readonly number[] },
  means: Means,
): Generator<StackProgram> {
  const random = new Random(seed);
  const usable = ({ name, requires }: StackInstruction): boolean =>
    VOCABULARY.includes(name) && isAvailable(requires, means);
  const options: ProgramSamplerOptions = {
    ...site,
    length: LENGTH,
    stacks: { F32: 1 },
    kinds: KINDS,
    operations: OPERATIONS,
    instructions: (instruction) => (usable(instruction) ? BY_ARITY[instruction.args.length]! : 0),
  };
  const sampler = new ProgramSampler(table, options);
  const folding = new ProgramSampler(table, {
    ...options,
    length: FOLDING,
    kinds: ONLY_PTX,
    instructions: (instruction) => Number(usable(instruction) && instruction.args.length === 2),
  });
  for (let i = 0; i < count; i++) yield sampler.program(random).concat(folding.program(random));
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
