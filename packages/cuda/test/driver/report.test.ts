// Reports on the driver and its devices by capabilities() and by the command `doctor`. The driver is a fake.

import { afterAll, describe, expect, it } from "vitest";
import { capabilities } from "../../src/index.js";
import { CommandLine } from "../support/command-line.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "./support/fake-driver.js";

describe.skipIf(!HAS_FAKE_DRIVER)("the driver", () => {
  it("is reported with its version and its devices", () => {
    using fake = new FakeDriver(["devices 2", "version 12040"]);
    const { driver } = capabilities();
    expect(driver).toMatchObject({
      version: "12.4",
      devices: [
        { ordinal: 0, name: "Fake GPU 0" },
        { ordinal: 1, name: "Fake GPU 1" },
      ],
      problem: undefined,
    });
    expect(fake.calls("cuDevicePrimaryCtxRetain")).toEqual([]);
  });

  it("is not opened before it is needed", () => {
    using fake = new FakeDriver();
    const found = capabilities();
    expect(fake.calls()).toEqual([]);
    expect(JSON.parse(JSON.stringify(found)).driver.version).toBe("13.0");
  });

  it.each([
    ["without devices", ["devices 0"], [], "13.0", /no device|NO_DEVICE/],
    ["that can't begin", ["fail cuInit 0 803"], [], "13.0", /SYSTEM_DRIVER_MISMATCH/],
    ["that does not tell its version", [], ["cuDriverGetVersion"], undefined, undefined],
  ] as const)("%s has its reason told", (_, orders, lacks, version, problem) => {
    using _fake = new FakeDriver([...orders], [...lacks]);
    const { driver } = capabilities();
    expect(driver.version).toBe(version);
    if (problem === undefined) expect(driver).toMatchObject({ devices: [{}], problem: undefined });
    else expect(driver).toMatchObject({ devices: [], problem: expect.stringMatching(problem) });
  });
});

describe.skipIf(!HAS_FAKE_DRIVER)("doctor", () => {
  const line = new CommandLine();
  afterAll(() => line.remove());

  it("lists the devices with their main properties", async () => {
    using fake = new FakeDriver(["devices 2"]);
    const env = { MM_PTX_DRIVER: fake.path };
    const { code, stdout } = await line.run(["doctor"], env);
    expect(code).toBe(0);
    expect(stdout).toContain(`\nGPU\n  + ${fake.path}  CUDA 13.0\n`);
    expect(stdout).toMatch(/\n {2}\+ GPU 1 +Fake GPU 1, sm_90, 132 multiprocessors, 8\.0 GiB, GPU-\S+\n/);
    const report = JSON.parse((await line.run(["doctor", "--json"], env)).stdout);
    expect(report.driver).toMatchObject({
      file: fake.path,
      version: "13.0",
      devices: [{ arch: "sm_90" }, { properties: { multiprocessors: 132 } }],
    });
  });
});

it("reports every place that was tried if there is no driver", () => {
  const before = process.env.MM_PTX_DRIVER;
  process.env.MM_PTX_DRIVER = "/nowhere/libcuda.so.1";
  try {
    expect(capabilities().driver).toMatchObject({
      version: undefined,
      devices: [],
      problem: expect.stringMatching(/found none:\n {2}- .*\/nowhere\/libcuda\.so\.1/),
    });
  } finally {
    if (before === undefined) delete process.env.MM_PTX_DRIVER;
    else process.env.MM_PTX_DRIVER = before;
  }
});
