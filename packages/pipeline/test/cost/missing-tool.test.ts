// A machine without a disassembler: the error of `@mm-ptx/cuda` comes through with what to install, and bytes are counted all the same.
import type * as cuda from "@mm-ptx/cuda";
import { expect, test, vi } from "vitest";
import { codeBytesOfSites, sassCost } from "../../src/index.js";
import { compiled, filled, HAS_COMPILER } from "./support/kernel.js";

vi.mock("@mm-ptx/cuda", async (original) => {
  const actual = await original<typeof cuda>();
  const disassembleSass = async () => {
    throw new actual.CubinError(
      "UNAVAILABLE",
      "expected nvdisasm or cuobjdump, found none: put nvdisasm on PATH",
      {
        what: "tool",
      },
    );
  };
  return { ...actual, disassembleSass };
});

test.runIf(HAS_COMPILER)("costs are UNAVAILABLE, bytes are not", async () => {
  const kernel = filled({ one: "ex2.approx.ftz.f32 %_x1, %_x0;" });
  const module = await compiled(kernel, "sm_90");
  await expect(sassCost(module)).rejects.toMatchObject({
    name: "CubinError",
    code: "UNAVAILABLE",
    what: "tool",
    message: expect.stringContaining("put nvdisasm on PATH"),
  });
  expect(codeBytesOfSites(module, kernel).get("one")).toBe(16);
});
