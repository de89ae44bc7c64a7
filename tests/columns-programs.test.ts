// Random programs on columns of data and in kernels: the same bits, with and without WebAssembly.

import { expect, it } from "vitest";
import { stacks, table } from "../packages/stack/dist/generated/default/index.js";
import { StackCompiler, StackPtxError } from "../packages/stack/dist/index.js";
import { Random } from "../packages/stack/dist/random/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import { CodeBuffer, encodeOperation } from "../packages/types/dist/code/index.js";
import { columnsOf, valuesOf } from "./support/columns/programs.js";
import { rare, smoke } from "./support/counts.js";
import { ProgramKernel } from "./support/emulated/program-kernel.js";
import { type StackKernelProgram, StackPrograms } from "./support/emulated/random-programs.js";
import { differingSlots, runPrograms } from "./support/emulated/run-programs.js";

const PROGRAMS_A_KERNEL = 25;
const SHAPE = { grid: 1, block: 32 };

const isVector = (type: number): boolean => table.argTypes[type]!.vectorElements > 0;

it.each([true, false])(
  "compute what they compute in a kernel, WebAssembly: %s",
  {
    timeout: 1_800_000,
  },
  async (webAssembly) => {
    const seed = runSeed();
    const random = new Random(seed);
    const kernel = new ProgramKernel(table, Object.values(stacks), 3);
    const compiler = new StackCompiler(table);
    const drawing = new StackPrograms(
      table,
      kernel,
      ({ ptx, args, results }) =>
        encodeOperation(ptx, args.length) === 0 || results.length > 1 || [...args, ...results].some(isVector)
          ? 0
          : 1,
      random,
    );
    const seen = new Set<string>();
    for (let at = 0; at < (webAssembly ? rare(100_000) : smoke(10_000)) / PROGRAMS_A_KERNEL; at++) {
      const programs: StackKernelProgram[] = [];
      const codes = new CodeBuffer();
      while (programs.length < PROGRAMS_A_KERNEL) {
        const drawn = drawing.draw(random);
        try {
          compiler.compileToCode(drawn.program, drawn.job, codes);
          programs.push(drawn);
        } catch (error) {
          // Special registers, for example.
          if (!(error instanceof StackPtxError) || error.code !== "UNSUPPORTED_INSTRUCTION") throw error;
        }
      }
      const inputs = kernel.inputValues(SHAPE.block, random);
      // Both engines give the same bits, and for so few threads the interpreter takes less time.
      const engine = at % 16 === 0 ? "webassembly" : "interpreter";
      const expected = await runPrograms(
        engine,
        kernel.module(programs, "straight"),
        programs,
        inputs,
        SHAPE,
      );
      const columns = columnsOf(table, kernel, inputs, SHAPE.block);
      const found = await valuesOf(programs, codes, columns, webAssembly);
      expect(differingSlots(programs, expected, found), `seed ${seed}, kernel ${at}`).toEqual([]);
      for (const { text } of programs)
        for (const [, ptx] of text.matchAll(/^\s*([a-z]\S+) /gm)) seen.add(ptx!);
    }
    // Otherwise the test would mean little.
    expect(seen.size, `seed ${seed}`).toBeGreaterThan(300);
  },
);
