// The random programs. Words are drawn without regard to what is on the stacks. Every program is valid, because an
// instruction that lacks operands does nothing.

import { comparePtxVersions, hasFeaturesOf } from "@mm-ptx/ptx";

import type { StackProgram, StackRegister } from "@mm-ptx/stack";
import { ProgramSampler, type ProgramSamplerOptions, Random } from "@mm-ptx/stack/random";
import type { Requirement, StackInstruction, StackTable } from "@mm-ptx/types/core";
import type { Kernel } from "./kernel.js";

/**
 * The number of instructions before the folding ones; in the median program, about half of all instructions are live.
 */
const LENGTH = { min: 38, max: 102 };
/** The last instructions all take two values, so that most of what is left on the stack contributes to the result. */
const FOLDING = 10;

/**
 * How often each kind is drawn. Pushes and pops are about balanced: the stack grows and shrinks, but not without bound.
 */
const KINDS = { ptx: 54, input: 30, constant: 12, meta: 4, metaConstant: 0, store: 0, load: 0 };
const ONLY_PTX = { ...KINDS, input: 0, constant: 0, meta: 0 };
/** How often each stack operation is drawn; those that discard or rearrange much are never drawn. */
const OPERATIONS = { yankDup: 0, swapWith: 0, replace: 0, drop: 0, clear: 0, reverse: 0 };
/** How often an instruction is drawn, by the number of values that it takes. */
const BY_ARITY = [0, 1.5, 3.5, 4];

/** The instructions that programs use: f32 arithmetic and elementary functions, a small part of the description. */
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
/** The target and version of the kernel's PTX: instructions that need more are not drawn. */
export type Means = Pick<Kernel, "target" | "ptxVersion">;

/** Generates `count` random programs on demand. Equal seeds give equal programs everywhere. */
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
  if (requires?.target !== undefined && !hasFeaturesOf(target, requires.target)) return false;
  return requires?.ptx === undefined || comparePtxVersions(requires.ptx, ptxVersion) <= 0;
}
