// Random programs of exact instructions, compared with generated C++, which uses the processor and shares no
// code with the emulator.

import { describe, expect, it } from "vitest";
import { ptx as ast, table as astTable } from "../packages/ast/dist/generated/f32.js";
import type { Instruction } from "../packages/ast/dist/index.js";
import { stacks, table } from "../packages/stack/dist/generated/default/index.js";
import { Random } from "../packages/stack/dist/random/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import { SOAK } from "./support/counts.js";
import { HAS_HOST_COMPILER, Host } from "./support/emulated/host-programs.js";
import { type KernelProgram, ProgramKernel } from "./support/emulated/program-kernel.js";
import { AstPrograms, StackPrograms } from "./support/emulated/random-programs.js";
import { differingSlots, runPrograms } from "./support/emulated/run-programs.js";

const SHAPE = { grid: 1, block: 32 };
const PROGRAMS_A_KERNEL = SOAK ? 500 : 100;
const PROGRAMS = SOAK ? 10_000 : PROGRAMS_A_KERNEL;
const ENGINES = ["interpreter", "webassembly"] as const;
/** Types that C++ has, too. */
const STACKS = [
  "F32",
  "U32",
  "S32",
  "PRED",
  "B32",
  "U64",
  "S64",
  "B64",
  "F64",
  "F16",
  "F16X2",
  "BF16",
  "BF16X2",
] as const;

describe.skipIf(!HAS_HOST_COMPILER)("programs compute the same as C++", () => {
  const host = new Host();

  async function compare(kernel: ProgramKernel, random: Random, draw: () => KernelProgram): Promise<void> {
    const programs = Array.from({ length: PROGRAMS_A_KERNEL }, draw);
    const inputs = kernel.inputValues(SHAPE.block, random);
    const expected = host.run(programs, kernel, inputs, SHAPE.block);
    const text = kernel.module(programs, "straight");
    for (const engine of ENGINES) {
      const found = await runPrograms(engine, text, programs, inputs, SHAPE);
      expect(differingSlots(programs, expected, found), engine).toEqual([]);
    }
  }

  it("in Stack PTX", { timeout: 1_800_000 }, async () => {
    const seed = runSeed();
    const random = new Random(seed);
    const kernel = new ProgramKernel(
      table,
      STACKS.map((name) => stacks[name]),
      3,
    );
    const isScalar = (types: readonly number[]): boolean =>
      types.every((type) => table.argTypes[type]!.vectorElements === 0);
    const isComputed = table.instructions.map(
      ({ ptx, args, results }) =>
        isScalar(args) && isScalar(results) && (ptx.startsWith("mov.") || host.call(ptx) !== undefined),
    );
    // Without matrices, approximations, f32x2, 8-bit floats, and instructions on vectors.
    expect(isComputed.filter((is) => is).length).toBeGreaterThan(900);
    const drawing = new StackPrograms(
      table,
      kernel,
      (instruction) => (isComputed[table.instructions.indexOf(instruction)] ? 1 : 0),
      random,
    );
    for (let at = 0; at < PROGRAMS; at += PROGRAMS_A_KERNEL) {
      await compare(kernel, random, () => drawing.draw(random));
    }
  });

  it("in AST PTX", { timeout: 1_800_000 }, async () => {
    const random = new Random(runSeed());
    const kernel = new ProgramKernel(table, [stacks.F32], 4);
    const exact: Instruction[] = Object.values(ast).filter(
      ({ payload }) => host.call(astTable.instructions[payload]!.ptx) !== undefined,
    );
    expect(exact.length).toBe(9);
    const drawing = new AstPrograms(astTable, exact);
    for (let at = 0; at < PROGRAMS; at += PROGRAMS_A_KERNEL) {
      await compare(kernel, random, () => drawing.draw(kernel, random));
    }
  });
});
