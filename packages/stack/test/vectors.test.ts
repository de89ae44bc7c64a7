// All conformance cases, through both ways to compile.
import { describe, expect, it } from "vitest";
import { register, StackCompiler, StackProgram, StackPtxError } from "../src/index.js";
import { isHazardous, movesOf } from "./support/copies.js";
import { codeOf, VECTOR_TABLE as table, VECTORS, type Vector } from "./support/vectors.js";

function run(vector: Vector, requestCopies: "parallel" | "sequential"): string {
  const [executionLimit, maxAstSize, maxVisitDepth, stackSize, maxFrameDepth, storeSize] = vector.limits;
  const program = (words: readonly number[]) => StackProgram.fromWords(Uint32Array.from(words));
  const compiler = new StackCompiler(table, {
    routines: vector.routines.map(program),
    limits: { maxAstSize, maxVisitDepth, stackSize, maxFrameDepth, storeSize },
    requestCopies,
  });
  const job = {
    registers: vector.registers.map(([name, stack]) => register(name, stack)),
    requests: vector.requests,
    executionLimit,
  };
  const text = compiler.compile(program(vector.program), job);
  const bytes = new Uint8Array(text.length + 3).fill(0xff);
  const length = compiler.compileInto(program(vector.program), job, bytes);
  expect(new TextDecoder().decode(bytes.subarray(0, length))).toBe(text);
  expect([...bytes.subarray(length)]).toEqual([0xff, 0xff, 0xff]);
  return text;
}

describe("the conformance vectors", () => {
  it("are complete", () => {
    expect(VECTORS.length).toBe(700);
  });

  it.each(VECTORS.map((vector, index) => [index, vector] as const))("case %i is byte-equal", (_, vector) => {
    if (vector.error === undefined) {
      expect(run(vector, vector.hazard ? "sequential" : "parallel")).toBe(vector.ptx);
      return;
    }
    const code = codeOf(vector);
    try {
      run(vector, "parallel");
    } catch (error) {
      expect(error).toBeInstanceOf(StackPtxError);
      expect((error as StackPtxError).code).toBe(code);
      return;
    }
    expect.unreachable(`expected ${code}`);
  });

  it("differ from the reference only where a copy reads an overwritten register", () => {
    let hazards = 0;
    for (const vector of VECTORS) {
      if (vector.ptx === undefined) continue;
      // The vectors also mark cases in which every such copy is one of a register to itself, which is not a
      // hazard.
      const hazardous = isHazardous(requestMoves(vector.ptx));
      if (hazardous) hazards++;
      expect(run(vector, "parallel") === vector.ptx).toBe(!hazardous);
    }
    expect(hazards).toBeGreaterThan(0);
  });
});

/** The copies at the end, which are the moves that write a register of the caller. */
function requestMoves(text: string) {
  return movesOf(text).filter(({ target }) => !/^_s\d+_\d+$/.test(target));
}
