// A machine without a disassembler: the demo counts by the cost model, and says so.
import type * as cuda from "@mm-ptx/cuda";
import { expect, test, vi } from "vitest";
import { findMachineCode } from "../../../src/node/demos/machine-code.js";
import { runDemo } from "../../../src/node/index.js";

const problem = vi.hoisted(() => ({ code: "UNAVAILABLE" as "UNAVAILABLE" | "TOOL_FAILED" }));

vi.mock("@mm-ptx/cuda", async (original) => {
  const actual = await original<typeof cuda>();
  const disassembleSass = async () => {
    throw new actual.CubinError(problem.code, "expected nvdisasm or cuobjdump, found none", { what: "tool" });
  };
  return { ...actual, disassembleSass };
});

test("the cost model counts", async () => {
  problem.code = "UNAVAILABLE";
  await expect(findMachineCode()).resolves.toHaveProperty("missing");
  const lines: string[] = [];
  const stop = new AbortController();
  stop.abort();
  await runDemo("gelu", { points: 1001, workers: 1, print: (line) => lines.push(line), signal: stop.signal });
  expect(lines.join("\n")).toContain("instructions counted by the cost model, because there is no");
  expect(lines.at(-1)).toBe("nothing was found");
  expect(lines.join("\n")).toMatch(/ 4 +1 +4\.73e-4 .*the same, rearranged/);
});

test("a disassembler that fails is an error", async () => {
  problem.code = "TOOL_FAILED";
  const found = findMachineCode();
  const outcome = await found.then(
    (each) =>
      "missing" in each && each.missing.startsWith("there is no PTX compiler") ? "no compiler" : each,
    (error: unknown) => error,
  );
  if (outcome !== "no compiler")
    expect(outcome).toMatchObject({ name: "SearchError", code: "EVALUATOR_FAILED" });
});
