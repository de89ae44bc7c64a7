// Kernels in the style of CUDA's samples, compiled by nvcc: each folder of test/kernels is a case and runs on
// every engine.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { EmulatedDevice, type EmulatedDeviceOptions } from "../src/index.js";
import type { KernelCase } from "./support/kernel-case.js";
import { caseProblems, runCase } from "./support/run-case.js";
import { twoWorkers } from "./support/workers.js";

const KERNELS = new URL("./kernels/", import.meta.url);
const NAMES = readdirSync(KERNELS);

/** How the kernels run. The checks find nothing in kernels that are right. */
const WAYS: Readonly<Record<string, (given: KernelCase) => EmulatedDeviceOptions>> = {
  interpreter: () => ({ engine: "interpreter" }),
  webassembly: () => ({ engine: "webassembly" }),
  "two workers": () => twoWorkers().options,
  checked: ({ hasRace }) => ({
    check: { memory: true, races: hasRace !== true, uninitialized: true, sync: true },
  }),
};

/**
 * The ways of each engine. Outside of a soak, WebAssembly runs every second kernel in this thread and the others on two workers;
 * every third also runs on the interpreter, which takes longer, by turns without and with all checks.
 */
const ENGINES = [
  ["webassembly", "two workers"],
  ["interpreter", undefined, undefined, "checked", undefined, undefined],
];
const namesFor = (way: string): readonly string[] => {
  const ways = ENGINES.find((each) => each.includes(way))!;
  return SOAK ? NAMES : NAMES.filter((_, index) => ways[index % ways.length] === way);
};

describe.each(Object.entries(WAYS))("kernels of nvcc, %s,", (way, optionsOf) => {
  // Making a device's memory, and starting workers, takes longer than most of the kernels.
  const devices = new Map<string, EmulatedDevice>();
  let printed: string[] = [];
  const deviceOf = (given: KernelCase): EmulatedDevice => {
    const options = optionsOf(given);
    const key = JSON.stringify(options.check ?? {});
    const device =
      devices.get(key) ?? EmulatedDevice.open({ ...options, onPrint: (text) => printed.push(text) });
    devices.set(key, device);
    return device;
  };
  afterAll(() => {
    for (const device of devices.values()) device.dispose();
  });

  it.each(namesFor(way))("%s", async (name) => {
    const folder = new URL(`${name}/`, KERNELS);
    const { default: given } = (await import(new URL("case.ts", folder).href)) as { default: KernelCase };
    printed = [];
    const device = deviceOf(given);
    using module = device.load(readFileSync(new URL("kernel.ptx", folder), "utf8"));
    const results = await runCase(device, module, given);
    expect(caseProblems(given, results, { inOrder: way !== "two workers" })).toEqual([]);
    expect(printed).toEqual(given.prints ?? []);
    expect(device.findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

it("every folder is a case with its source and PTX", () => {
  const missing = NAMES.flatMap((name) =>
    ["kernel.cu", "kernel.ptx", "case.ts"].filter((file) => !existsSync(new URL(`${name}/${file}`, KERNELS))),
  );
  expect(missing).toEqual([]);
});
