// Whole kernels, the same as in the emulator's tests, with their expected results.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sample } from "../../../../tests/support/counts.js";
import type { KernelCase } from "../../../emulator/test/support/kernel-case.js";
import { caseProblems, runCase } from "../../../emulator/test/support/run-case.js";
import { onDevices } from "./support/places.js";

const CASES = new URL("../../../emulator/test/kernels/", import.meta.url);
/** A GPU prints to the console of the process. */
const NAMES = readdirSync(CASES).filter((name) => name !== "print");

const textOf = (name: string) => readFileSync(new URL(`${name}/kernel.ptx`, CASES), "utf8");
const targetOf = (name: string) => /^\.target (\w+)/m.exec(textOf(name))![1]!;

onDevices("kernels", ({ isEmulated, open, takes, loadUnfused }) => {
  // The emulator's own tests run all of them.
  const names = isEmulated ? sample(NAMES) : NAMES;
  it.each(names.filter((name) => takes(targetOf(name))))("%s", async (name) => {
    const { default: given } = (await import(new URL(`${name}/case.ts`, CASES).href)) as {
      default: KernelCase;
    };
    using device = open();
    const module = loadUnfused(device, textOf(name));
    const results = await runCase(device, module, given);
    expect(caseProblems(given, results, { inOrder: device.kind === "emulator" })).toEqual([]);
  });
});
