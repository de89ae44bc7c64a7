// Random programs of the default descriptions in kernels: WebAssembly and the interpreter produce the same
// bytes, and for AST PTX the bits of the AST interpreter.

import { expect, it } from "vitest";
import { ptx as ast, table as astTable } from "../packages/ast/dist/generated/f32.js";
import { AstInterpreter } from "../packages/ast/dist/index.js";
import { stacks, table } from "../packages/stack/dist/generated/default/index.js";
import { Random } from "../packages/stack/dist/random/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import { cases, smoke } from "./support/counts.js";
import { ProgramKernel, SURROUNDINGS_NAMES } from "./support/emulated/program-kernel.js";
import { AstPrograms, StackPrograms } from "./support/emulated/random-programs.js";
import { differingSlots, runPrograms, type Shape } from "./support/emulated/run-programs.js";

const PROGRAMS_A_KERNEL = 50;
/** The second shape has an incomplete warp. */
const SHAPES: readonly Shape[] = [
  { grid: 1, block: 64 },
  { grid: 2, block: 45 },
];

it("Stack PTX programs compute the same on both engines", { timeout: 1_800_000 }, async () => {
  const seed = runSeed();
  const random = new Random(seed);
  const kernel = new ProgramKernel(table, Object.values(stacks), 3);
  const seen = new Set<string>();
  const drawing = {
    // Instructions that every lane has to reach are outside branches, and would be rare otherwise, because
    // they take many operands.
    any: new StackPrograms(table, kernel, ({ aligned }) => (aligned === true ? 8 : 1), random),
    unaligned: new StackPrograms(table, kernel, ({ aligned }) => (aligned === true ? 0 : 1), random),
  };
  for (let at = 0; at < cases(10_000) / PROGRAMS_A_KERNEL; at++) {
    const surroundings = SURROUNDINGS_NAMES[at % SURROUNDINGS_NAMES.length]!;
    const shape = SHAPES[Math.floor(at / SURROUNDINGS_NAMES.length) % SHAPES.length]!;
    const together = surroundings === "straight" && shape.block % 32 === 0;
    const programs = Array.from({ length: PROGRAMS_A_KERNEL }, () =>
      drawing[together ? "any" : "unaligned"].draw(random),
    );
    const inputs = kernel.inputValues(shape.grid * shape.block, random);
    const text = kernel.module(programs, surroundings);
    const [interpreted, translated] = await Promise.all(
      (["interpreter", "webassembly"] as const).map((engine) =>
        runPrograms(engine, text, programs, inputs, shape),
      ),
    );
    const what = `seed ${seed}, kernel ${at}, ${surroundings}`;
    expect(differingSlots(programs, interpreted!, translated!), what).toEqual([]);
    for (const program of programs) {
      for (const [, ptx] of program.text.matchAll(/^\s*([a-z]\S+) /gm)) seen.add(ptx!);
    }
  }
  // Otherwise the test would mean little.
  const described = new Set(table.instructions.map(({ ptx }) => ptx));
  const missing = [...described].filter((ptx) => !seen.has(ptx));
  expect(missing.length / described.size, `seed ${seed}: not drawn ${missing}`).toBeLessThan(0.25);
});

it("AST PTX programs compute the same on both engines and in the AST interpreter", {
  timeout: 1_800_000,
}, async () => {
  const seed = runSeed();
  const random = new Random(seed);
  const kernel = new ProgramKernel(table, [stacks.F32], 4);
  const drawing = new AstPrograms(astTable, Object.values(ast));
  const reference = new AstInterpreter(astTable);
  for (let at = 0; at < smoke(10_000) / PROGRAMS_A_KERNEL; at++) {
    const shape = SHAPES[at % SHAPES.length]!;
    const threads = shape.grid * shape.block;
    const programs = Array.from({ length: PROGRAMS_A_KERNEL }, () => drawing.draw(kernel, random));
    const inputs = kernel.inputValues(threads, random);
    const text = kernel.module(programs, "straight");
    const columns = kernel.inputs.map((_, index) => {
      const bits = Uint32Array.from(inputs.subarray(index * threads, (index + 1) * threads), Number);
      return new Float32Array(bits.buffer);
    });
    const expected = programs.flatMap(({ program }) => {
      const values = reference.evaluateColumns(program, columns);
      return Array.from(new Uint32Array(values.buffer), BigInt);
    });
    for (const engine of ["interpreter", "webassembly"] as const) {
      const found = await runPrograms(engine, text, programs, inputs, shape);
      const what = `seed ${seed}, kernel ${at}, ${engine}`;
      expect(differingSlots(programs, BigUint64Array.from(expected), found), what).toEqual([]);
    }
  }
});
