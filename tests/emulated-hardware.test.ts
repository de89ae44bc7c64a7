// The emulator against a GPU: `npm run compare-with-gpu -- MODULE` names a module that opens one. Without it,
// the emulator's interpreter takes the place of the GPU, on fewer cases, so that the comparison itself is
// tested everywhere.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { EmulatedDevice } from "../packages/emulator/dist/index.js";
import { Random } from "../packages/stack/dist/random/index.js";
import type { Device } from "../packages/types/dist/device/index.js";
import { cases } from "./support/counts.js";
import {
  type HardwareCase,
  instructionCases,
  kernelCases,
  programCases,
} from "./support/emulated/hardware-cases.js";
import { type Comparison, compareDevices } from "./support/emulated/hardware-compare.js";
import { hardwarePage } from "./support/emulated/hardware-page.js";

const MODULE = process.env.MM_PTX_DEVICE;
const PAGE = new URL("../docs/emulator-gpu.md", import.meta.url);
const SEED = 1;
const quiet = { onPrint: () => {} };

const allCases = async (
  arch: string,
  programs: number,
): Promise<Record<string, readonly HardwareCase[]>> => ({
  "kernels of nvcc": await kernelCases(arch),
  instructions: instructionCases(arch, new Random(SEED)),
  "random programs, 50 each": programCases(arch, programs, new Random(SEED)),
});

describe.runIf(MODULE === undefined)("without a GPU", () => {
  it("the emulator's engines are compared like a GPU", { timeout: 600_000 }, async () => {
    using reference = EmulatedDevice.open(quiet);
    using device = EmulatedDevice.open({ ...quiet, engine: "interpreter" });
    const { "random programs, 50 each": programs, ...others } = await allCases("sm_90", cases(20));
    const every = [...Object.values(others).flat(), ...programs!];
    // All cases in a soak, otherwise every nth, which includes all kinds.
    const some = every.filter((_, index) => index % Math.round(every.length / cases(every.length)) === 0);
    const { equal, different } = await compareDevices(reference, device, some);
    expect(different).toEqual([]);
    expect(equal).toBe(some.length);
  });

  it("a device with other results is reported", async () => {
    using reference = EmulatedDevice.open(quiet);
    using device = EmulatedDevice.open(quiet);
    const [add, sine] = ["instruction add.f32", "instruction sin.approx.f32"].map(
      (name) => instructionCases("sm_90", new Random(SEED)).find((each) => each.name === name)!,
    );
    const wrong = (ptx: string) => ptx.replace("add.f32", "sub.f32").replace("sin.approx", "cos.approx");
    const other: Device = new Proxy(device, {
      get: (target, name) => {
        if (name === "load") return (ptx: string) => target.load(wrong(ptx));
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const { different, near } = await compareDevices(reference, other, [add!, sine!]);
    expect(different).toEqual([
      expect.stringMatching(/^instruction add\.f32: slots\[\d+\]: emulator 0x/),
      expect.stringMatching(/^instruction sin\.approx\.f32: 0x[0-9a-f]+: emulator 0x/),
    ]);
    expect(near).toBe(0);
    const page = hardwarePage({ instructions: { ...(await compareDevices(reference, other, [add!])) } });
    expect(page).toContain("| instructions | 1 | 0 | 0 | 1 |");
  });

  it("the page says which GPU it was, or that there was none yet", () => {
    const page = readFileSync(PAGE, "utf8");
    expect(page === hardwarePage({}) || /The last run was on .+ \(sm_\d+/.test(page)).toBe(true);
  });
});

describe.runIf(MODULE !== undefined)("on a GPU", () => {
  it("kernels, instructions and programs have the results of the emulator", {
    timeout: 3_600_000,
  }, async () => {
    const { open } = (await import(pathToFileURL(MODULE!).href)) as { open: () => Device | Promise<Device> };
    using device = await open();
    using reference = EmulatedDevice.open(quiet);
    const results: Record<string, Comparison> = {};
    for (const [kind, some] of Object.entries(await allCases(device.arch, 40))) {
      results[kind] = await compareDevices(reference, device, some);
    }
    writeFileSync(PAGE, hardwarePage(results));
    expect(Object.values(results).flatMap(({ different }) => different)).toEqual([]);
  });
});
