// The opcodes that the disassembler prints for each family of architectures: the instructions of the default stack description, the
// kernels of the corpus and a list of special instructions make most of what the assembler knows, and `sassCost` has to know all of them.
import { describe, expect, it } from "vitest";
import { CubinError, capabilities, disassembleSass, PtxCompiler } from "../packages/cuda/dist/index.js";
import { sassCost } from "../packages/pipeline/dist/index.js";
import { table } from "../packages/stack/dist/generated/default/index.js";
import { input, ptxInstruction, StackCompiler, StackProgram } from "../packages/stack/dist/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import type { PtxSource } from "../packages/types/dist/core/index.js";
import { SOAK } from "./support/counts.js";
import { allows, NEWEST_VERSION } from "./support/isa.js";
import { randomStackStubs, stubsFor } from "./support/kernel-stubs.js";
import { KERNELS } from "./support/kernels.js";
import { specialInstructions } from "./support/special-instructions.js";
import { type Stub, StubKernel } from "./support/stub-kernel.js";

const ALL = [
  ...["sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a", "sm_100"],
  ...["sm_100a", "sm_103", "sm_110", "sm_120", "sm_120a", "sm_121"],
];
const seed = runSeed();
/** All architectures, or one that changes from run to run. */
const TARGETS = SOAK ? ALL : [ALL[seed % ALL.length]!];

const HAS_COMPILER = capabilities().backends.some(({ available }) => available);

async function hasDisassembler(): Promise<boolean> {
  using compiler = new PtxCompiler({ arch: "sm_90", workers: 1 });
  const { cubin } = await compiler.compile(".version 7.8\n.target sm_90\n.entry k() { ret; }");
  try {
    await disassembleSass(cubin);
    return true;
  } catch (error) {
    if (error instanceof CubinError && error.code === "UNAVAILABLE") return false;
    throw error;
  }
}

/** What `isa.ts` lists of a target: no requirement of a description is met by the others alone. */
function listed(target: string): string {
  const known = { sm_87: "sm_86", sm_88: "sm_86", sm_103: "sm_100", sm_110: "sm_100", sm_121: "sm_120" };
  return known[target as keyof typeof known] ?? target.replace("a", "");
}

/** A stub for each instruction of the description, with inputs and outputs that differ. */
function instructionStubs(kernel: StubKernel, target: string): Stub[] {
  const compiler = new StackCompiler(table);
  const places = (types: readonly number[]): [stack: number, n: number][] => {
    const used = new Map<number, number>();
    return types.map((type) => {
      const stack = table.argTypes[type]!.stackIndex;
      const n = used.get(stack) ?? 0;
      used.set(stack, n + 1);
      return [stack, n];
    });
  };
  return table.instructions.flatMap((instruction, index) => {
    if (!allows(instruction.requires, listed(target))) return [];
    const inputs = places(instruction.args).map((place) => input(kernel.readable(...place)));
    const requests = places(instruction.results).map((place) => kernel.writable(...place));
    const job = { registers: kernel.registers, requests };
    const text = compiler.compile(StackProgram.of(...inputs, ptxInstruction(index)), job);
    return [{ what: instruction.name, text, writes: requests }];
  });
}

/** The instructions of the description in one module, special ones in another, and kernels of the corpus with random stubs. */
function sources(target: string): { ptx: PtxSource }[] {
  const kernel = new StubKernel(table);
  const stubs = instructionStubs(kernel, target);
  const { text } = kernel.module(stubs, { target, version: NEWEST_VERSION });
  const fitting = KERNELS.filter((each) => allows({ target: each.target }, listed(target)));
  // The disassembler needs a fifth of a second to start, so few of them run each time.
  const chosen = SOAK ? fitting : [0, 4, 8].map((i) => fitting[(seed + i) % fitting.length]!);
  const corpus = chosen.map((each) => {
    const annotated = each.annotated("macro");
    return { ptx: annotated.fill(stubsFor(annotated, randomStackStubs(seed, each.target))) };
  });
  return [{ ptx: text }, { ptx: specialInstructions(target, NEWEST_VERSION) }, ...corpus];
}

describe.runIf(HAS_COMPILER && (await hasDisassembler()))("opcodes of the disassembler", () => {
  it.each(TARGETS)("%s: each of them has a pipe", { timeout: 300_000 }, async (target) => {
    using compiler = new PtxCompiler({ arch: target, workers: 1, cache: false });
    const results = await compiler.compileAll(sources(target));
    let instructions = 0;
    for (const result of results) {
      if (!result.ok) throw result.error;
      const { kernels, functions } = await sassCost(result.cubin);
      for (const cost of [...kernels, ...functions]) {
        expect(cost.other, `seed ${seed}`).toEqual({});
        instructions += cost.instructions;
      }
    }
    expect(instructions).toBeGreaterThan(3000);
  });
});
