// Random programs on columns of data and in kernels: the same bits, with and without WebAssembly.

import { expect, it } from "vitest";
import { machineOf } from "../packages/columns/dist/machine/index.js";
import { stacks, table } from "../packages/stack/dist/generated/default/index.js";
import { StackCompiler, StackPtxError } from "../packages/stack/dist/index.js";
import { Random } from "../packages/stack/dist/random/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import { CodeBuffer, encodeOperation, operationParts } from "../packages/types/dist/code/index.js";
import { inputColumns, outputsOf } from "./support/columns/programs.js";
import { smoke } from "./support/counts.js";
import { ProgramKernel } from "./support/emulated/program-kernel.js";
import { type StackKernelProgram, StackPrograms } from "./support/emulated/random-programs.js";
import { differingSlots, runPrograms } from "./support/emulated/run-programs.js";

const PROGRAMS_A_KERNEL = 100;
const SHAPE = { grid: 1, block: 64 };

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
    const machine = machineOf(webAssembly);
    await machine.load();
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
    for (let at = 0; at < smoke(webAssembly ? 100_000 : 20_000) / PROGRAMS_A_KERNEL; at++) {
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
      const expected = await runPrograms(
        "webassembly",
        kernel.module(programs, "straight"),
        programs,
        inputs,
        SHAPE,
      );
      const columns = inputColumns(table, kernel, inputs, SHAPE.block);
      const { words, offsets } = codes;
      const found = programs.flatMap(({ job, writes }, index) => {
        const values = outputsOf(
          machine,
          words.subarray(offsets[index]!, offsets[index + 1]!),
          columns,
          SHAPE.block,
        );
        const names = Array.from(job.requests, (request) => job.registers[request]!.name);
        return writes.flatMap(({ name }) => Array.from(values[names.indexOf(name)]!));
      });
      expect(
        differingSlots(programs, expected, BigUint64Array.from(found)),
        `seed ${seed}, kernel ${at}`,
      ).toEqual([]);
      for (const { text } of programs)
        for (const [, ptx] of text.matchAll(/^\s*([a-z]\S+) /gm)) seen.add(ptx!);
    }
    // Otherwise the test would mean little.
    const names = (list: Iterable<string>) =>
      new Set(
        [...list].map((ptx) => operationParts(encodeOperation(ptx, 1) || encodeOperation(ptx, 2)).name),
      );
    expect(seen.size, `seed ${seed}`).toBeGreaterThan(names(seen).size);
    expect(seen.size, `seed ${seed}`).toBeGreaterThan(300);
  },
);
