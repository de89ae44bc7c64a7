// The interpreter where WebAssembly is not allowed: it computes the same bits in JavaScript, and says so.
import { beforeAll, expect, it, vi } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { HARD_CASES } from "../support/hard-cases.js";
import {
  checkHardCases,
  checkInstruction,
  checkPrograms,
  MNEMONICS,
  TABLE,
} from "../support/interpreting.js";

beforeAll(() => {
  const { CompileError, Memory } = WebAssembly;
  // This is what a content security policy without 'wasm-unsafe-eval' does.
  function Module() {
    throw new CompileError("code generation disallowed by the embedder");
  }
  vi.stubGlobal("WebAssembly", { CompileError, Memory, Module });
});

it("says that it runs in JavaScript", async () => {
  const { AstInterpreter } = await import("../../src/index.js");
  expect(new AstInterpreter(TABLE).backend).toBe("javascript");
});

it.each(MNEMONICS)("%s is exact on columns", { timeout: 600_000 }, async (ptx) => {
  checkInstruction(await import("../../src/index.js"), ptx, smoke(20_000));
});

it.each(Object.keys(HARD_CASES))("%s is exact for the hardest arguments", async (ptx) => {
  checkHardCases(await import("../../src/index.js"), ptx);
});

it("computes what the instructions compute one by one", { timeout: 600_000 }, async () => {
  checkPrograms(await import("../../src/index.js"), 0xa58, smoke(10_000));
});
