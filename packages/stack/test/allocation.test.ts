// compileInto and compileToCode allocate nothing per instruction: a call leaves the same number of bytes on the heap for
// the collector, however long the program is.
import { CodeBuffer } from "@mm-ptx/types/code";
import { expect, it } from "vitest";
import { bytesPerCall } from "../../../tests/support/heap.js";
import {
  constantBits,
  input,
  meta,
  ptxInstruction,
  register,
  StackCompiler,
  StackProgram,
  store,
} from "../src/index.js";
import { ADD, F32, NEG, SMALL_TABLE } from "./support/small-table.js";

/** A program of `steps` steps that exercise both the common loops and the general code. */
function program(steps: number): StackProgram {
  const step = [
    input(0),
    constantBits(F32, 7),
    ptxInstruction(ADD),
    ptxInstruction(NEG),
    ptxInstruction(ADD),
  ];
  const general = [meta(F32, "dup"), store(F32, 3), meta(F32, "reverse")];
  return StackProgram.of(input(0), ...Array.from({ length: steps }, () => [...step, ...general]).flat());
}

it.each([
  ["short", ["x", "y"]],
  ["long", ["a_register_of_the_kernel_with_a_long_name", "another_one_with_a_name_that_is_longer_still"]],
])("allocates the same for 10 steps and for 1,000, with %s names", async (_, names) => {
  const compiler = new StackCompiler(SMALL_TABLE);
  const job = { registers: names.map((name) => register(name, F32)), requests: [1, 0] };
  const bytes = new Uint8Array(1 << 20);
  const [short, long] = [program(10), program(1000)];
  const out = new CodeBuffer();
  const calls = [
    (program: StackProgram) => compiler.compileInto(program, job, bytes),
    (program: StackProgram) => {
      out.clear();
      compiler.compileToCode(program, job, out);
    },
  ];
  for (const call of calls) {
    const few = await bytesPerCall(() => call(short));
    const many = await bytesPerCall(() => call(long), { long: true });
    expect(few).toBeLessThan(4096);
    // The longer program has 7,920 more instructions.
    expect(Math.abs(many - few)).toBeLessThan(792);
  }
});
