// Variations of a program. A seed decides everything, so that the same seed makes the same child everywhere.
import { disassemble, type StackProgram } from "@mm-ptx/stack";
import {
  crossover,
  deleteInstructions,
  insertInstructions,
  ProgramSampler,
  perturbConstants,
  Random,
  replaceInstructions,
  swapInstructions,
} from "@mm-ptx/stack/random";
import { assembleAt, type StackSite, table } from "./stack-site.js";

/** A sampler of what makes sense at a site: its operands, and f32 or integer arithmetic on their stacks. */
function samplerOf({ job, library }: StackSite, length: number): ProgramSampler {
  const stacks = new Set(job.registers.map(({ stackIndex }) => table.stackTypes[stackIndex]?.name ?? ""));
  stacks.delete("PHILOX");
  return new ProgramSampler(table, {
    registers: job.registers,
    routines: library?.routines.length ?? 0,
    length: Math.max(1, length),
    slots: 4,
    stacks: Object.fromEntries([...stacks].map((name) => [name, 1])),
    instructions: ({ name, aligned }) =>
      aligned || /mma|pack|mad24|\.r[zmp]\b|NaN|xorsign/.test(name) ? 0 : 1,
  });
}

const written = (site: StackSite, program: StackProgram): string =>
  disassemble(program, table, { registers: site.registers, routines: site.library?.names ?? [] })
    .split("\n")
    .filter((line) => !line.startsWith(".registers") && !line.startsWith(".routines"))
    .join("\n");

const MUTATIONS: readonly ((
  program: StackProgram,
  sampler: ProgramSampler,
  random: Random,
) => StackProgram)[] = [
  (program, sampler, random) => replaceInstructions(program, sampler, random),
  (program, sampler, random) => insertInstructions(program, sampler, random, 1 + random.below(2)),
  (program, _, random) => deleteInstructions(program, random),
  (program, _, random) => swapInstructions(program, random),
  (program, _, random) => perturbConstants(program, table, random),
];

/** Mutates a program until its words differ, at most 32 times. @throws StackPtxError if the text is no program */
export function mutate(site: StackSite, text: string, seed: number): string {
  const program = assembleAt(site, text);
  const sampler = samplerOf(site, program.length);
  const random = new Random(seed);
  for (let i = 0; i < 32; i++) {
    const child = MUTATIONS[random.below(MUTATIONS.length)]?.(program, sampler, random) ?? program;
    if (!child.equals(program)) return written(site, child);
  }
  return written(site, program);
}

/** Crosses two programs over. @throws StackPtxError if a text is no program */
export function cross(site: StackSite, text: string, other: string, seed: number): string {
  const random = new Random(seed);
  const child = crossover(assembleAt(site, text), assembleAt(site, other), random, {
    points: 2,
    cuts: "free",
  });
  return written(site, child);
}

/** A random program. */
export function randomProgram(site: StackSite, seed: number): string {
  return written(site, samplerOf(site, 16).program(new Random(seed)));
}
