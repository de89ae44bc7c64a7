// The promise of Stack PTX: any sequence of in-range instructions makes a stub that assembles, and so does
// every mutation.

import { describe, expect, it } from "vitest";
import { capabilities } from "../packages/cuda/dist/index.js";
import { table } from "../packages/stack/dist/generated/default/index.js";
import {
  constantBits,
  type Instruction,
  input,
  load,
  MetaOperation,
  type MetaOperationName,
  meta,
  metaConstant,
  ptxInstruction,
  returnInstruction,
  routine,
  StackCompiler,
  StackProgram,
  special,
  store,
} from "../packages/stack/dist/index.js";
import { Random, runSeed } from "../packages/stack/test/support/random.js";
import { smoke } from "./support/counts.js";
import { allows, NEWEST_VERSION } from "./support/isa.js";
import { type Stub, StubKernel } from "./support/stub-kernel.js";

const HAS_COMPILER = capabilities().backends.some(({ available }) => available);
const STACKS = table.stackTypes.length;
const SLOTS = 16;
const ROUTINES = 3;
const metaNames = Object.keys(MetaOperation) as MetaOperationName[];
/** Constants of float stacks besides random bits: zeros, a subnormal, the largest, an infinity, a NaN. */
const edges = [0, 0x80000000, 1, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0xffffffff];
const kernel = new StubKernel(table);

/**
 * The words that programs are drawn from. With many stacks, all of them stay empty unless most words keep to
 * a few.
 */
interface Vocabulary {
  readonly stacks: readonly number[];
  readonly instructions: readonly number[];
  readonly specials: readonly number[];
}

/** The entries that a target has, and those among them that keep to a few stacks. */
function vocabularies(random: Random, target: string): { all: Vocabulary; few: Vocabulary } {
  const available = <Entry extends { readonly requires?: object }>(entries: readonly Entry[]): number[] =>
    entries.flatMap(({ requires }, index) => (allows(requires, target) ? [index] : []));
  const all = {
    stacks: table.stackTypes.map((_, index) => index),
    instructions: available(table.instructions),
    specials: available(table.specialRegisters),
  };
  const stacks = random.list(4, () => random.below(STACKS));
  const isFew = (type: number): boolean => stacks.includes(table.argTypes[type]!.stackIndex);
  const instructions = all.instructions.filter((index) => {
    const { args, results } = table.instructions[index]!;
    return [...args, ...results].every(isFew);
  });
  const few = { ...all, stacks, instructions: instructions.length > 0 ? instructions : all.instructions };
  return { all, few };
}

/** A word of any type, with constants only where the description has them, as its own encoders require. */
function anyInstruction(random: Random, words: { all: Vocabulary; few: Vocabulary }): Instruction {
  const { stacks, instructions, specials } = random.once(10) ? words.all : words.few;
  const stack = random.pick(stacks);
  const kind = random.below(100);
  if (kind < 45) return ptxInstruction(random.pick(instructions));
  if (kind < 74) return pushed(random, stack);
  if (kind < 79) return special(random.pick(specials));
  if (kind < 86)
    return meta(stack, random.once(3) ? random.pick(metaNames) : random.pick(["dup", "swap", "rotate"]));
  if (kind < 90) return metaConstant(random.once(8) ? random.word() : random.below(5));
  if (kind < 94) return store(stack, random.below(SLOTS));
  if (kind < 98) return load(random.below(SLOTS));
  return random.once(20) ? returnInstruction : routine(random.below(ROUTINES));
}

/** An input, or a constant if the stack has them. */
function pushed(random: Random, stack: number): Instruction {
  if (table.stackTypes[stack]!.constantType === undefined || random.once(2)) {
    return input(kernel.readable(stack, random.below(4)));
  }
  return constantBits(stack, random.once(2) ? random.pick(edges) : random.word() >>> random.below(32));
}

/** A few random edits of the kinds that a search makes. */
function mutated(
  random: Random,
  instructions: readonly Instruction[],
  draw: () => Instruction,
): Instruction[] {
  const changed = [...instructions];
  for (let edits = random.between(1, 8); edits > 0 && changed.length > 0; edits--) {
    const at = random.below(changed.length);
    const other = random.below(changed.length);
    const edit = random.below(4);
    if (edit === 0) changed.splice(at, random.between(1, 4));
    else if (edit === 1) [changed[at], changed[other]] = [changed[other]!, changed[at]!];
    else if (edit === 2) changed.splice(other, 0, ...changed.slice(at, at + random.between(1, 10)));
    else changed[at] = draw();
  }
  return changed;
}

/** A program and four mutations of it, as stubs. */
function family(random: Random, target: string): Stub[] {
  const words = vocabularies(random, target);
  const draw = (): Instruction => anyInstruction(random, words);
  const routines = random.list(ROUTINES, () => StackProgram.of(...random.list(random.below(8), draw)));
  const compiler = new StackCompiler(table, { routines });
  // Registers that programs read are also written, so that copies conflict.
  const requests = random.list(random.below(12), () => {
    const place = [random.pick(words.few.stacks), random.below(4)] as const;
    return random.once(3) ? kernel.readable(...place) : kernel.writable(...place);
  });
  let instructions = random.list(random.between(1, 300), draw);
  return random.list(5, (version) => {
    if (version > 0) instructions = mutated(random, instructions, draw);
    const job = { registers: kernel.registers, requests };
    const text = compiler.compile(StackProgram.of(...instructions), job);
    return { what: `version ${version}`, text, writes: requests };
  });
}

describe.skipIf(!HAS_COMPILER)("stubs of the default description", () => {
  it.each(["sm_90", "sm_120"])(
    "assemble on %s for any program, and for what deleting, swapping and duplicating make of it",
    { timeout: 900_000 },
    async (target) => {
      const seed = runSeed();
      const random = new Random(seed);
      const count = smoke(10_000);
      let lines = 0;
      for (let done = 0; done < count; done += 100) {
        const stubs = random.list(20, () => family(random, target)).flat();
        lines += stubs.reduce((sum, { text }) => sum + text.split("\n").length - 3, 0);
        const refused = await kernel.refused(stubs, { target, version: NEWEST_VERSION });
        const failures = [...refused].map(([{ text }, message]) => `${message}\n${text}`);
        expect(failures.slice(0, 3), `seed ${seed}`).toEqual([]);
      }
      // The test means something only if the average stub has this many lines.
      expect(lines / count).toBeGreaterThan(5);
    },
  );
});
