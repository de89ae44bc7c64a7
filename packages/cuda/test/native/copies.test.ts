// Two copies of the package in one environment, as module registries of test runners and bundlers make them: they share the
// addon, and each gets its own results.

import { expect, test } from "vitest";
import { PtxCompiler as OtherCompiler, CudaDevice as OtherDevice } from "../../dist/index.js";
import { CudaDevice, PtxCompiler } from "../../src/index.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "../driver/support/fake-driver.js";
import { ISOLATED } from "../support/backends.js";
import { module } from "../support/ptx.js";

test.runIf(ISOLATED)("compile side by side", async () => {
  const texts = Array.from({ length: 20 }, (_, index) => module(`kernel${index}`));
  await using mine = new PtxCompiler({ arch: "sm_80", workers: 1 });
  await using theirs = new OtherCompiler({ arch: "sm_80", workers: 1 });
  const [own, other] = await Promise.all([mine.compileAll(texts), theirs.compileAll(texts)]);
  expect(own.map(cubinOf)).toEqual(other.map(cubinOf));
});

test.runIf(HAS_FAKE_DRIVER)("use devices side by side", async () => {
  using _fake = new FakeDriver();
  using mine = CudaDevice.open(0);
  using theirs = OtherDevice.open(0);
  const values = Float32Array.of(1, 2, 3, 4);
  for (const device of [mine, theirs, mine]) {
    using buffer = device.allocateFloat32(4);
    await buffer.copyFrom(values);
    expect(await buffer.read()).toEqual(values);
  }
});

/** Fails for a result without a cubin. */
function cubinOf(result: { readonly ok: boolean; readonly cubin?: Uint8Array }): Buffer {
  expect(result.ok).toBe(true);
  return Buffer.from(result.cubin!);
}
