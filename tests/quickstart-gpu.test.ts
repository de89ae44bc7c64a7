// Cubins on a GPU. The check of results is tested on the emulator, which runs PTX in their place; the calls
// of a driver are tested with the fake one, which computes nothing, so that the main job must find its
// results wrong.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compared, findGpu } from "../apps/quickstart/dist/gpu.js";
import type { Job } from "../apps/quickstart/dist/job.js";
import { bitsOf, numberOf } from "../apps/quickstart/dist/reference.js";
import { openEmulator, Runner } from "../apps/quickstart/dist/runner.js";
import { StubMaker } from "../apps/quickstart/dist/stubs.js";
import { CudaDevice } from "../packages/cuda/dist/index.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "../packages/cuda/test/driver/support/fake-driver.js";
import { parsePtx } from "../packages/inject/dist/index.js";
import { table } from "../packages/stack/dist/generated/default/index.js";
import { assemble } from "../packages/stack/dist/index.js";
import { lines, runAlone } from "./support/main-job.js";
import { ROOT } from "./support/workspace.js";

const TEXT = readFileSync(join(ROOT, "apps/quickstart/kernel.ptx"), "utf8");
const annotated = parsePtx(TEXT);
const KERNEL = {
  annotated,
  site: annotated.injection("func"),
  render: (stub: string) => annotated.render({ func: stub }),
  target: "sm_75",
  ptxVersion: "9.0",
  entries: ["evaluate"],
  origin: "a test",
};
const stubs = new StubMaker(table, KERNEL.site);

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "mm-ptx-test-"));
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

/** How a GPU that computes one program is compared with an emulator that computed another. */
async function launched(expected: string, other = expected, change = (bits: number, _row: number) => bits) {
  const jobs = [expected, other].map((text, index): Job => {
    const source = assemble(text.replaceAll("; ", "\n"), table);
    return { index, source, program: "", stub: stubs.make(source), ran: {} };
  });
  using runner = new Runner(openEmulator(1), KERNEL, table, "auto");
  await runner.run(jobs, new AbortController().signal);
  const [{ results }, { stub, results: found }] = jobs as [Job, Job];
  return compared({ stub, ...(results && { results: results.map(change) }) }, found ?? new Uint32Array(50));
}

/** Changes the last place by one unit. */
const nextBits = (bits: number) => (Number.isFinite(numberOf(bits)) ? bits ^ 1 : bits);

describe("results of a GPU", () => {
  it("are compared with the emulator's, bit for bit", async () => {
    expect(await launched("input 1; input 2; add.f32")).toEqual({ gpuAgreement: "equal" });
    expect(await launched("input 1; input 2; add.f32", "input 1; input 2; sub.f32")).toEqual({
      gpuAgreement: "wrong",
      gpuDifference: expect.stringMatching(/^expected .* as on the emulator, found /),
    });
  });

  it("may differ where PTX approximates, most of them slightly", async () => {
    const root = "input 1; abs.ftz.f32; sqrt.approx.ftz.f32";
    const near = await launched(root, root, nextBits);
    expect(near.gpuAgreement).toBe("near");
    const apart = await launched(root, root, (bits, row) => (row === 0 ? bitsOf(12345) : bits));
    expect(apart.gpuAgreement).toBe("apart");
    const wrong = await launched(root, root, () => bitsOf(12345));
    expect(wrong.gpuAgreement).toBe("wrong");
    const exact = await launched("input 1; abs.ftz.f32", undefined, nextBits);
    expect(exact.gpuAgreement).toBe("wrong");
  });

  it("may differ where a multiplication and an addition may be fused", async () => {
    const sum = "input 1; input 2; mul.f32; input 1; add.f32";
    expect((await launched(sum, sum, nextBits)).gpuAgreement).toBe("near");
  });

  it("are not compared where a program leaves them undefined", async () => {
    expect(await launched("add.f32")).toEqual({});
  });
});

describe.runIf(CudaDevice.count() === 0)("without a GPU", () => {
  it("a requested GPU is a typed failure that says what was tried", () => {
    expect(() => findGpu("gpu", undefined)).toThrowError(expect.objectContaining({ code: "RUN" }));
    const { status, stderr } = runAlone(["--programs", "3", "--run", "gpu", "--out", join(base, "none")]);
    expect(stderr).toMatch(
      /^error: expected a GPU for `--run gpu`, found none: expected a driver for NVIDIA GPUs/m,
    );
    expect(status).toBe(1);
  });

  it("the main job says that nothing was launched", () => {
    const { status, stdout } = runAlone(["--programs", "3", "--out", join(base, "auto")]);
    expect(stdout).toMatch(/ran +3 programs on the emulator/);
    expect(stdout).toMatch(/launched +skipped: expected a driver for NVIDIA GPUs/);
    expect(status).toBe(0);
  });
});

describe.runIf(HAS_FAKE_DRIVER)("on the fake driver", () => {
  it("each cubin is launched alone and then all with one call, and wrong results are found", () => {
    using fake = new FakeDriver();
    const out = join(base, "fake");
    const { status, stdout } = runAlone(["--programs", "5", "--run", "gpu", "--json", "--out", out]);
    const report = JSON.parse(stdout);
    // The architecture is the device's.
    expect(report).toMatchObject({
      arch: "sm_90",
      compiled: 5,
      checks: { gpu: { on: "Fake GPU 0", launched: 5 } },
    });
    expect(report.checks.gpu.wrong).toBeGreaterThan(0);
    expect(status).toBe(1);
    expect(report.kernelMicroseconds.median).toEqual(expect.any(Number));
    expect(report.launchesPerSecond).toBeGreaterThan(0);
    // In the pipeline, alone for its time, and with all others.
    expect(fake.calls("cuLaunchKernel")).toHaveLength(15);
    expect(lines(out).map(({ gpu }) => gpu)).toEqual(Array(5).fill("Fake GPU 0"));
    fake.expectClean();
  });

  it.each([
    ["can't be loaded", ["fail cuModuleLoadDataEx 1 209"], "CUDA_ERROR_NO_BINARY_FOR_GPU"],
    ["fails when it is launched", ["fail cuLaunchKernel 1 700"], "CUDA_ERROR_ILLEGAL_ADDRESS"],
  ])("a cubin that %s is reported in its place, and the others are launched", (_, orders, why) => {
    using fake = new FakeDriver(orders);
    const out = join(base, "failing");
    const { status, stdout } = runAlone(["--programs", "4", "--run", "gpu", "--json", "--out", out]);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ compiled: 4, failed: 0, checks: { gpu: { launched: 4 } } });
    const failed = lines(out).filter(({ gpuDifference }) => String(gpuDifference).includes(why));
    expect(failed).toMatchObject([{ gpuAgreement: "wrong" }]);
    expect(failed[0]).not.toHaveProperty("gpuMicroseconds");
    expect(lines(out).filter((line) => "gpuMicroseconds" in line)).toHaveLength(3);
    expect(report.launchesPerSecond).toBeGreaterThan(0);
    expect(status).toBe(1);
    fake.expectClean();
  });

  it.each([
    [
      "one that is too old",
      ["attribute 75 6", "attribute 76 1"],
      "Fake GPU 0 is sm_61, which cannot run cubins for any",
    ],
    ["one that can't be used", ["fail cuDevicePrimaryCtxRetain 0 46"], "CUDA_ERROR_DEVICE_UNAVAILABLE"],
  ])("%s is left out, or a failure if it was requested", (_, orders, why) => {
    using _fake = new FakeDriver(orders);
    const args = ["--programs", "3", "--out", join(base, "unfit")];
    const { status, stdout } = runAlone([...args, "--json"]);
    expect(JSON.parse(stdout).checks.gpu.skipped).toContain(why);
    expect(status).toBe(0);
    const asked = runAlone([...args, "--run", "gpu"]);
    expect(asked.stderr).toContain(why);
    expect(asked.status).toBe(1);
  });

  it.each([
    ["sm_90", "sm_120", []],
    ["sm_87", "sm_86", ["attribute 75 8", "attribute 76 7"]],
    ["sm_89", "sm_87", ["attribute 75 8", "attribute 76 9"]],
  ])("of %s, cubins for %s are refused, or left out if it was not requested", (device, arch, orders) => {
    using _fake = new FakeDriver(orders);
    const args = ["--programs", "3", "--arch", arch, "--out", join(base, "other")];
    const why = `Fake GPU 0 is ${device}, which cannot run cubins for ${arch}`;
    expect(runAlone([...args, "--run", "gpu"]).stderr).toContain(`found none: ${why}`);
    expect(runAlone(args).stdout).toMatch(new RegExp(`launched +skipped: ${why}`));
  });
});
