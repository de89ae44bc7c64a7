// The differential test without WebAssembly, as on a page with a strict content security policy.
import { beforeAll, expect, it, vi } from "vitest";
import { smoke } from "../../../tests/support/counts.js";
import { compare, makeCompilers, runDifferential } from "./support/differential.js";
import { Random, runSeed } from "./support/random.js";
import { SMALL_TABLE } from "./support/small-table.js";

beforeAll(() => {
  const { CompileError, Memory } = WebAssembly;
  // This is what a content security policy without 'wasm-unsafe-eval' does.
  function Module() {
    throw new CompileError("code generation disallowed by the embedder");
  }
  vi.stubGlobal("WebAssembly", { CompileError, Memory, Module });
});

// The fuzz test compares these loops with those in WebAssembly on far more cases.
it("agrees with the plain reference without WebAssembly", { timeout: 900_000 }, async () => {
  const stack = await import("../src/index.js");
  const { texts, codes } = runDifferential(stack, runSeed(), smoke(100_000));
  expect(texts).toBeGreaterThan(smoke(100_000) / 2);
  expect(codes.size).toBeGreaterThan(8);
});

it("makes room for long register names without WebAssembly", async () => {
  const stack = await import("../src/index.js");
  const compilers = makeCompilers(stack, { table: SMALL_TABLE, routines: [], limits: undefined });
  for (const length of [100, 20_000, 3, 300_000]) {
    const registers = ["a", "b"].map((letter) => ({ name: letter.repeat(length), stackIndex: 0 }));
    const program = [3, 0, 3, 1, 1, 1, 3, 0, 3, 1, 1, 1, 3, 1, 3, 0];
    const job = { program, registers, requests: [1, 0, 0, 1], executionLimit: undefined };
    expect(compare(stack, compilers, job, "parallel", new Random(length)).difference).toBeUndefined();
  }
});
