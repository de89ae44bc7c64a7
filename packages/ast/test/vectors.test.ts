// All conformance cases, through both ways to compile, with the reference's limits and without limits.
import { describe, expect, it } from "vitest";
import { AstCompiler, AstProgram, AstPtxError } from "../src/index.js";
import { codeOf, VECTOR_TABLE, VECTORS, type Vector } from "./support/vectors.js";

const programOf = (words: readonly number[]) => AstProgram.fromWords(Uint32Array.from(words));

function compile(vector: Vector, limits: "reference" | undefined): string {
  const compiler = new AstCompiler(VECTOR_TABLE, {
    routines: vector.routines.map(programOf),
    ...(limits === undefined ? {} : { limits }),
  });
  const program = programOf(vector.program);
  const job = { inputs: vector.inputs, output: vector.output };
  const text = compiler.compile(program, job);
  const bytes = new Uint8Array(text.length + 3).fill(0xff);
  const length = compiler.compileInto(program, job, bytes);
  expect(new TextDecoder().decode(bytes.subarray(0, length))).toBe(text);
  expect([...bytes.subarray(length)]).toEqual([0xff, 0xff, 0xff]);
  return text;
}

/** The stub, or the code of the error. */
function outcome(vector: Vector, limits: "reference" | undefined): string {
  try {
    return compile(vector, limits);
  } catch (error) {
    if (error instanceof AstPtxError) return error.code;
    throw error;
  }
}

describe("the conformance vectors", () => {
  it("are complete", () => {
    expect(VECTORS.length).toBe(503);
  });

  it.each(VECTORS.map((vector, index) => [index, vector] as const))("case %i is byte-equal", (_, vector) => {
    expect(outcome(vector, "reference")).toBe(vector.ptx ?? codeOf(vector));
  });

  it("differ without limits only where the reference's limits are exceeded", () => {
    const changed = VECTORS.filter((vector) => outcome(vector, undefined) !== outcome(vector, "reference"));
    expect(changed.map(codeOf).sort()).toEqual(["STACK_OVERFLOW", "TOO_MANY_ARGS"]);
  });
});
