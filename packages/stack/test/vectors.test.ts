import { readFileSync } from "node:fs";
import { parseStackDescription } from "@mm-ptx/types";
import { describe, expect, it } from "vitest";
import { register, StackCompiler, StackProgram, StackPtxError } from "../src/index.js";

interface Case {
  limits: [number, number, number, number, number, number];
  registers: [string, number][];
  routines: number[][];
  program: number[];
  requests: number[];
  ptx?: string;
  error?: string;
  hazard?: boolean;
}

const file = JSON.parse(readFileSync(new URL("vectors/stack.json", import.meta.url), "utf8")) as {
  description: unknown;
  cases: Case[];
};
const table = parseStackDescription(file.description);

function run(vector: Case, requestCopies: "parallel" | "sequential"): string {
  const [executionLimit, maxAstSize, maxVisitDepth, stackSize, maxFrameDepth, storeSize] = vector.limits;
  const program = (words: number[]) => StackProgram.fromWords(Uint32Array.from(words));
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
  it("has all of them", () => {
    expect(file.cases.length).toBe(700);
  });

  it.each(file.cases.map((vector, index) => [index, vector] as const))(
    "case %i is byte-equal",
    (_, vector) => {
      if (vector.error === undefined) {
        expect(run(vector, vector.hazard ? "sequential" : "parallel")).toBe(vector.ptx);
        return;
      }
      const code = vector.error.replace("STACK_PTX_ERROR_", "");
      try {
        run(vector, "parallel");
      } catch (error) {
        expect(error).toBeInstanceOf(StackPtxError);
        expect((error as StackPtxError).code).toBe(code);
        return;
      }
      expect.unreachable(`expected ${code}`);
    },
  );

  it("differs from the reference only where a copy reads an overwritten register", () => {
    for (const vector of file.cases.filter(({ error }) => error === undefined)) {
      const parallel = run(vector, "parallel");
      if (vector.hazard) expect(parallel).not.toBe(vector.ptx);
      else expect(run(vector, "sequential")).toBe(parallel);
    }
  });
});
