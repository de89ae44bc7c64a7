// The same as the differential test, where WebAssembly is not allowed: what a page with a strict policy runs.
import { expect, it, vi } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { runDifferential } from "./support/differential.js";
import { runSeed } from "./support/random.js";

it("gives what the plain reference gives without WebAssembly", { timeout: 900_000 }, async () => {
  vi.stubGlobal("WebAssembly", {});
  const stack = await import("../src/index.js");
  const { texts, codes } = runDifferential(stack, runSeed(), cases(100_000));
  expect(texts).toBeGreaterThan(cases(100_000) / 2);
  expect(codes.size).toBeGreaterThan(8);
});
