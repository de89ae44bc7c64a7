// Whole kernels, those that the emulator is tested with, each with what has to come out.
import { readdirSync, readFileSync } from "node:fs";
import { bytes, type DeviceBuffer, f32, f64, type LaunchDimensions, s32, u32, u64 } from "@mm-ptx/types/core";
import { expect, it } from "vitest";
import type { Argument, KernelCase } from "../../../emulator/test/support/kernel-case.js";
import { onDevices } from "./support/places.js";

const CASES = new URL("../../../emulator/test/kernels/", import.meta.url);
/** What a kernel prints comes to the console of the process there. */
const NAMES = readdirSync(CASES).filter((name) => name !== "print");

const typed = (argument: Argument, buffers: ReadonlyMap<string, DeviceBuffer>) => {
  if ("buffer" in argument) return buffers.get(argument.buffer)!;
  if ("f32" in argument) return f32(argument.f32);
  if ("f64" in argument) return f64(argument.f64);
  if ("s32" in argument) return s32(argument.s32);
  if ("u32" in argument) return u32(argument.u32);
  if ("u64" in argument) return u64(argument.u64);
  return bytes(argument.bytes);
};

const targetOf = (name: string) =>
  /^\.target (\w+)/m.exec(readFileSync(new URL(`${name}/kernel.ptx`, CASES), "utf8"))![1]!;

/** How far the element that is furthest off is, relative to the larger of 1 and what was expected. */
const furthest = (found: ArrayLike<number | bigint>, expected: ArrayLike<number | bigint>) =>
  Array.from(expected).reduce((most: number, wanted, i) => {
    const off = Math.abs(Number(found[i]) - Number(wanted)) / Math.max(1, Math.abs(Number(wanted)));
    return Math.max(most, Number.isNaN(off) && Object.is(Number(found[i]), Number(wanted)) ? 0 : off);
  }, 0);

onDevices("kernels", ({ open, takes, loadUnfused }) => {
  it.each(NAMES.filter((name) => takes(targetOf(name))))("%s", async (name) => {
    const { default: given } = (await import(new URL(`${name}/case.ts`, CASES).href)) as {
      default: KernelCase;
    };
    using device = open();
    const module = loadUnfused(device, readFileSync(new URL(`${name}/kernel.ptx`, CASES), "utf8"));
    const buffers = new Map<string, DeviceBuffer>();
    for (const [label, contents] of Object.entries(given.buffers)) {
      const buffer = device.allocate(contents.byteLength);
      await buffer.copyFrom(contents);
      buffers.set(label, buffer);
    }
    for (const { kernel, grid, block, sharedBytes = 0, args } of given.launches) {
      const launched = module.kernel(kernel);
      if (sharedBytes > device.limits.sharedBytesPerBlock) launched.setDynamicShared(sharedBytes);
      device.stream.launch(
        launched,
        { grid: grid as LaunchDimensions, block: block as LaunchDimensions, sharedBytes },
        args.map((argument) => typed(argument, buffers)),
      );
    }
    await device.synchronize();
    for (const [label, expected] of Object.entries(given.expected)) {
      const found = expected.slice();
      await buffers.get(label)!.copyTo(found);
      const tolerance = given.tolerance?.[label];
      if (tolerance === undefined) expect([label, ...found]).toEqual([label, ...expected]);
      else expect(furthest(found, expected)).toBeLessThanOrEqual(tolerance);
    }
  });
});
