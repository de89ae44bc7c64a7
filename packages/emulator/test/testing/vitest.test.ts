// The helpers for tests.
import { expect, it } from "vitest";
import { EmulatedDevice } from "../../src/index.js";
import { expectNoFindings, runProgram } from "../../src/testing/vitest.js";
import { kernelText } from "../support/launching.js";

it("expects no findings of a device", async () => {
  using device = EmulatedDevice.open({ check: { memory: true, races: true } });
  expectNoFindings(device);
  const run = (body: string, block: number) =>
    device.stream.run(device.load(kernelText(body)).kernel("kernel"), { grid: 1, block }, [
      device.allocate(4),
    ]);
  const same = await run("\tst.global.u32 [%a0], 1;", 64);
  expectNoFindings(same);
  expect(() => expectNoFindings(same, { warnings: true })).toThrow("unordered writes of the same value");
  await run("\tst.global.u32 [%a0+8], 1;", 1);
  expect(() => expectNoFindings(device)).toThrow(/^expected no findings, found 1:\n.*\n?.*/);
});

it("says why a program can't be run", async () => {
  await expect(runProgram("./no-such-program")).rejects.toThrow("expected a program that can be run");
});
