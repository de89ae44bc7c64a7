// PTX that is larger than any string: it is refused before it is copied, wherever it is passed.

import { describe, expect, it } from "vitest";
import { Linker, PtxCompiler } from "../packages/cuda/src/index.js";
import { fakeDevice } from "../packages/cuda/test/driver/support/device.js";
import { HAS_FAKE_DRIVER } from "../packages/cuda/test/driver/support/fake-driver.js";
import { BACKENDS, ISOLATED } from "../packages/cuda/test/support/backends.js";
import { JITLINK } from "../packages/cuda/test/support/cuda.js";
import { EmulatedDevice } from "../packages/emulator/src/index.js";

const LONGEST = 2 ** 29 - 24;
/** The system gives memory for pages that are written to, and nothing writes to these. */
const HUGE = new Uint8Array(2 ** 31);
const refused = {
  code: "OUT_OF_MEMORY",
  message: expect.stringContaining(
    `expected PTX of at most ${LONGEST} bytes (the longest string), found ${2 ** 31}`,
  ),
};

describe.each(BACKENDS)("a compiler with backend %s", (backend) => {
  it("refuses it", async () => {
    using compiler = new PtxCompiler({ arch: "sm_80", backend, workers: 1 });
    await expect(compiler.compile(HUGE)).rejects.toMatchObject(refused);
    await expect(compiler.compile({ ptx: HUGE })).rejects.toMatchObject(refused);
    expect(() => compiler.compileSync(HUGE)).toThrow(expect.objectContaining(refused));
    const [result] = await compiler.compileAll([HUGE]);
    expect(result).toMatchObject({ ok: false, error: refused });
  });

  it("refuses a template that renders it", async () => {
    using compiler = new PtxCompiler({ arch: "sm_80", backend, workers: 1 });
    const template = {
      segments: Array<string>(601).fill("\n"),
      lines: Array(601).fill({ kernelLine: 1, lines: 1, head: 0, tail: 0 }),
      holes: Array<number>(600).fill(0),
      names: ["a"],
    };
    const stubs = { a: " ".repeat(2 ** 20) };
    await expect(compiler.compile({ template, stubs })).rejects.toMatchObject({
      code: "OUT_OF_MEMORY",
      message: `expected PTX of at most ${LONGEST} bytes (the longest string), found ${600 * 2 ** 20 + 601}`,
    });
  });
});

it.runIf(ISOLATED)("a compiler refuses what its workers may not have in memory", async () => {
  const memoryLimitBytes = 2 ** 28;
  using compiler = new PtxCompiler({ arch: "sm_80", workers: 1, memoryLimitBytes });
  await expect(compiler.compile(HUGE)).rejects.toMatchObject({
    code: "OUT_OF_MEMORY",
    message: `expected PTX of at most ${2 ** 28} bytes (\`memoryLimitBytes\` of a worker process), found ${2 ** 31}`,
  });
});

it.runIf(JITLINK)("a linker refuses it", async () => {
  using linker = new Linker({ workers: 1 });
  await expect(linker.link([{ ptx: HUGE }], { arch: "sm_80" })).rejects.toMatchObject(refused);
});

it("an emulated device refuses it", () => {
  using device = EmulatedDevice.open();
  expect(() => device.load(HUGE)).toThrow(expect.objectContaining(refused));
});

describe.runIf(HAS_FAKE_DRIVER)("a device", () => {
  it.each([undefined, { jit: true }])("refuses it, with options %j", async (options) => {
    const { device } = fakeDevice();
    expect(() => device.load(HUGE, options)).toThrow(expect.objectContaining(refused));
    await expect(device.loadAsync(HUGE, options)).rejects.toMatchObject(refused);
  });
});
