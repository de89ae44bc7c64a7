// Pipelines on a GPU with the fake driver, which checks all calls and computes nothing: outputs stay what they were before the launch.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CudaDevice, PtxCompiler } from "../packages/cuda/dist/index.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "../packages/cuda/test/driver/support/fake-driver.js";
import {
  input,
  KernelPipeline,
  output,
  type PipelineResult,
  textSite,
} from "../packages/pipeline/dist/index.js";
import { u32 } from "../packages/types/dist/device/index.js";
import { ROOT } from "./support/workspace.js";

/** CUDA_ERROR_LAUNCH_FAILED makes the device unusable. */
const BROKEN = "fail cuLaunchKernel 2 719";

const COUNT = 100;
const values = Float32Array.from({ length: COUNT }, (_, i) => i);
const initial = values.map((value) => value + 0.5);
const programs = Array.from(
  { length: 20 },
  (_, i) => `add.f32 %_x0, %_x0, 0f${(0x3f800000 + i).toString(16)};`,
);

/** Runs programs on the fake GPU, after which launches may fail. */
async function run(fake: FakeDriver, failure: readonly string[], reopen: boolean): Promise<PipelineResult[]> {
  const open = () => CudaDevice.open();
  const device = open();
  const compiler = new PtxCompiler({ arch: device.arch, effort: "draft", workers: 1, cache: false });
  const pipeline = new KernelPipeline({
    kernel: readFileSync(join(ROOT, "examples/06-thousand-programs/kernel.ptx"), "utf8"),
    sites: { step: textSite() },
    ...{ device, compiler, pack: 5 },
    ...(reopen ? { reopen: open } : {}),
    launch: () => ({
      grid: 1,
      block: 128,
      args: [input(values), output(Float32Array, COUNT, { initial }), u32(COUNT), u32(4)],
    }),
  });
  fake.order(...failure);
  try {
    const results: PipelineResult[] = [];
    for await (const result of pipeline.run(programs, { ordered: true })) results.push(result);
    return results;
  } finally {
    pipeline.dispose();
    compiler.dispose();
    await device.disposeAsync();
  }
}

describe.runIf(HAS_FAKE_DRIVER)("a pipeline on a GPU", () => {
  it("reads what each program's part of the output contains", async () => {
    using fake = new FakeDriver();
    const results = await run(fake, [], false);
    fake.expectClean();
    expect(results.map(({ status }) => status)).toEqual(programs.map(() => "ok"));
    for (const { outputs, registers } of results) {
      expect(outputs).toEqual([initial]);
      expect(registers).toBeGreaterThan(0);
    }
  });

  it("goes on with a device that is opened again", async () => {
    using fake = new FakeDriver();
    const results = await run(fake, [BROKEN], true);
    expect(fake.calls("cuLaunchKernel").filter(({ result }) => result !== 0)).toHaveLength(1);
    expect(results.map(({ status }) => status)).toEqual(programs.map(() => "ok"));
    for (const { outputs } of results) expect(outputs).toEqual([initial]);
  });

  it("ends with DEVICE_LOST if nothing opens the device again", async () => {
    using fake = new FakeDriver();
    await expect(run(fake, [BROKEN], false)).rejects.toMatchObject({
      name: "PipelineError",
      code: "DEVICE_LOST",
    });
  });
});
