// Codes of programs that are longer than the program, because routines are run.
import { CodeBuffer } from "@mm-ptx/types/code";
import { expect, it } from "vitest";
import { AstCompiler, AstProgram, input, routine, routineArgument } from "../../src/index.js";
import { neg, SMALL_TABLE } from "../support/small-table.js";

it("keeps the items that were written before the buffer grew", () => {
  const length = 600;
  const negations = Array.from({ length }, () => neg);
  const compiler = new AstCompiler(SMALL_TABLE, {
    routines: [AstProgram.of(routineArgument(0), ...negations)],
  });
  const job = { inputs: ["x"], output: "z" };
  const [inlined, written] = [new CodeBuffer(), new CodeBuffer()];
  compiler.compileToCode(AstProgram.of(input(0), routine(0, 1)), job, inlined);
  compiler.compileToCode(AstProgram.of(input(0), ...negations), job, written);
  expect(inlined.words).toEqual(written.words);
});
