// The promise of Stack PTX: any sequence of in-range instructions makes a stub that assembles, and so does every mutation.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capabilities, PtxCompiler } from "../packages/cuda/dist/index.js";
import { parsePtx } from "../packages/inject/dist/index.js";
import {
  f32,
  input,
  ptx,
  s32,
  special,
  stacks,
  table,
  u32,
} from "../packages/stack/dist/generated/default.js";
import {
  type Instruction,
  load,
  MetaOperation,
  type MetaOperationName,
  meta,
  metaConstant,
  ptxInstruction,
  register,
  returnInstruction,
  routine,
  StackCompiler,
  StackProgram,
  store,
} from "../packages/stack/dist/index.js";
import { Random, runSeed } from "../packages/stack/test/support/random.js";
import { cases } from "./support/counts.js";

const kernel = parsePtx(readFileSync(new URL("fixtures/every-operand.ptx", import.meta.url), "utf8"));
const site = kernel.injection("site");
const stackOfType = { F32: stacks.F32, U32: stacks.U32, S32: stacks.S32 } as const;
const registers = site.operands.map((operand) =>
  register(operand, stackOfType[operand.type as keyof typeof stackOfType]),
);
const writable = site.operands.flatMap(({ direction }, index) => (direction === "in" ? [] : [index]));

const metaNames = Object.keys(MetaOperation) as MetaOperationName[];
const specials = Object.values(special);
const SLOTS = 16;
const ROUTINES = 3;

/** A word of any type. Constants only where the description has them, as its own encoders demand. */
function anyInstruction(random: Random): Instruction {
  const stack = random.below(table.stackTypes.length);
  const kind = random.below(100);
  if (kind < 45) return ptxInstruction(random.below(table.instructions.length));
  if (kind < 62) return input(random.below(registers.length));
  if (kind < 74) return anyConstant(random);
  if (kind < 79) return random.pick(specials);
  if (kind < 86)
    return meta(stack, random.once(3) ? random.pick(metaNames) : random.pick(["dup", "swap", "rotate"]));
  if (kind < 90) return metaConstant(random.once(8) ? random.word() : random.below(5));
  if (kind < 94) return store(stack, random.below(SLOTS));
  if (kind < 98) return load(random.below(SLOTS));
  return random.once(20) ? returnInstruction : routine(random.below(ROUTINES));
}

function anyConstant(random: Random): Instruction {
  const float = (): number =>
    random.pick([0, -0, 1, -1.5, 1e-40, 3e38, Number.NaN, Number.POSITIVE_INFINITY]);
  return random.pick([
    () => f32(random.once(2) ? float() : random.word() / 2 ** 16),
    () => u32(random.once(2) ? random.word() : random.below(40)),
    () => s32(random.once(2) ? random.word() | 0 : random.below(80) - 40),
  ])();
}

/** A few random edits of the kinds that a search makes. */
function mutated(random: Random, instructions: readonly Instruction[]): Instruction[] {
  const changed = [...instructions];
  for (let edits = random.between(1, 8); edits > 0 && changed.length > 0; edits--) {
    const at = random.below(changed.length);
    const other = random.below(changed.length);
    const edit = random.below(4);
    if (edit === 0) changed.splice(at, random.between(1, 4));
    else if (edit === 1) [changed[at], changed[other]] = [changed[other]!, changed[at]!];
    else if (edit === 2) changed.splice(other, 0, ...changed.slice(at, at + random.between(1, 10)));
    else changed[at] = anyInstruction(random);
  }
  return changed;
}

const HAS_COMPILER = capabilities().backends.some(({ available }) => available);

describe.skipIf(!HAS_COMPILER)("stubs of the default description", () => {
  let assembler: PtxCompiler;
  beforeAll(() => {
    assembler = new PtxCompiler({ arch: "sm_90", effort: "draft", workers: 2 });
  });
  afterAll(() => assembler[Symbol.dispose]());

  /** The stubs that the PTX compiler refuses, each with what it says. */
  async function refused(stubs: readonly string[]): Promise<string[]> {
    const results = await assembler.compileAll(stubs.map((stub) => ({ ptx: kernel.render({ site: stub }) })));
    return results.flatMap((result, index) =>
      result.ok ? [] : [`stub ${index}: ${result.error.message}\n${stubs[index]}`],
    );
  }

  it("assemble for any program, and for what deleting, swapping and duplicating make of it", {
    timeout: 900_000,
  }, async () => {
    const seed = runSeed();
    const random = new Random(seed);
    const count = cases(6000);
    let live = 0;
    for (let done = 0; done < count; ) {
      const stubs: string[] = [];
      while (stubs.length < 100 && done < count) {
        const routines = random.list(ROUTINES, () =>
          StackProgram.of(...random.list(random.below(8), () => anyInstruction(random))),
        );
        const compiler = new StackCompiler(table, { routines });
        const requests = random.once(2)
          ? writable
          : random.list(random.below(12), () => random.pick(writable));
        let instructions = random.list(random.between(1, 300), () => anyInstruction(random));
        for (let version = 0; version < 5 && done < count; version++, done++) {
          stubs.push(compiler.compile(StackProgram.of(...instructions), { registers, requests }));
          instructions = mutated(random, instructions);
        }
      }
      live += stubs.reduce((sum, stub) => sum + stub.split("\n").length - 3, 0);
      expect((await refused(stubs)).slice(0, 3), `seed ${seed}`).toEqual([]);
    }
    // So many lines in the mean stub that the test means something.
    expect(live / count).toBeGreaterThan(5);
  });

  it("assemble for each instruction and special register, on registers and on constants", {
    timeout: 300_000,
  }, async () => {
    const onRegisters = new Map<number, readonly Instruction[]>([
      [stacks.F32, [input(0), input(6)]],
      [stacks.U32, [input(1), input(7)]],
      [stacks.S32, [input(2), input(8)]],
      [stacks.PRED, [input(0), input(6), ptx.setpLtFtzF32]],
    ]);
    const onConstants = new Map<number, readonly Instruction[]>([
      [stacks.F32, [f32(1.5), f32(-0)]],
      [stacks.U32, [u32(7), u32(0xffffffff)]],
      [stacks.S32, [s32(-7), s32(-(2 ** 31))]],
      [stacks.PRED, [f32(1.5), f32(2), ptx.setpLtFtzF32]],
    ]);
    // A predicate reaches no register of the site, so it chooses between two values that do.
    const chosen = [f32(1), f32(2), ptx.selpF32];
    const compiler = new StackCompiler(table);
    const stubs: string[] = [];
    const names: string[] = [];
    for (const [index, { name, args, results }] of table.instructions.entries()) {
      for (const values of [onRegisters, onConstants]) {
        // Predicates are made of values that must not be on the stack above the operands: they come first.
        const pushes = [...args, ...args]
          .map((type) => table.argTypes[type]!.stackIndex)
          .sort((a, b) => b - a);
        const program = [...pushes.flatMap((stack) => values.get(stack)!), ptxInstruction(index)];
        const toPredicate = results.some((type) => table.argTypes[type]!.stackIndex === stacks.PRED);
        if (toPredicate) program.push(...chosen);
        stubs.push(compiler.compile(StackProgram.of(...program), { registers, requests: [3, 4, 5] }));
        names.push(name);
      }
    }
    for (const [index, stub] of stubs.entries()) {
      const mnemonic = table.instructions.find(({ name }) => name === names[index])!.ptx;
      expect(stub, names[index]!).toContain(`\t${mnemonic} %_s`);
    }
    for (const each of specials) {
      const stub = compiler.compile(StackProgram.of(each), { registers, requests: [4] });
      expect(stub).toMatch(/mov\.u32 %_s1_0, %/);
      stubs.push(stub);
    }
    expect(await refused(stubs)).toEqual([]);
  });
});
