// Kernels in the style of CUDA's samples, as nvcc compiles them: each folder of test/kernels is a case, and runs on every engine.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { bytes, type DeviceBuffer, f32, f64, s32, type TypedArgument, u32, u64 } from "@mm-ptx/types/core";
import { describe, expect, it } from "vitest";
import { EmulatedDevice, type EmulatedDeviceOptions } from "../src/index.js";
import type { Argument, Contents, KernelCase } from "./support/kernel-case.js";
import { twoWorkers } from "./support/workers.js";

const KERNELS = new URL("./kernels/", import.meta.url);
const NAMES = readdirSync(KERNELS);

/** How the kernels run. The checks find nothing in kernels that are right. */
const WAYS = ["interpreter", "webassembly", "two workers", "checked"] as const;

describe.each(WAYS)("kernels of nvcc, %s,", (way) => {
  it.each(NAMES)("%s", async (name) => {
    const folder = new URL(`${name}/`, KERNELS);
    const { default: given } = (await import(new URL("case.ts", folder).href)) as { default: KernelCase };
    const printed: string[] = [];
    using device = EmulatedDevice.open({
      ...optionsOf(way, given),
      onPrint: (text) => printed.push(text),
    });
    const module = device.load(readFileSync(new URL("kernel.ptx", folder), "utf8"));
    const buffers = new Map<string, DeviceBuffer>();
    for (const [label, contents] of Object.entries(given.buffers)) {
      const buffer = device.allocate(contents.byteLength);
      await buffer.copyFrom(contents);
      buffers.set(label, buffer);
    }
    for (const { kernel, grid, block, sharedBytes, args } of given.launches) {
      const options = { grid: dimensions(grid), block: dimensions(block), sharedBytes: sharedBytes ?? 0 };
      device.stream.launch(
        module.kernel(kernel),
        options,
        args.map((argument) => typed(argument, buffers)),
      );
    }
    await device.synchronize();
    for (const [label, expected] of Object.entries(given.expected)) {
      const found = (await buffers.get(label)!.read()) as Uint8Array<ArrayBuffer>;
      const Elements = expected.constructor as new (buffer: ArrayBuffer) => Contents;
      const tolerance = given.tolerance?.[label];
      const values = new Elements(found.slice().buffer);
      const isSorted = way === "two workers" && given.anyOrder?.includes(label) === true;
      const shown = (contents: Contents) => [label, ...(isSorted ? contents.slice().sort() : contents)];
      if (tolerance === undefined) expect(shown(values)).toEqual(shown(expected));
      else expect(farApart(values, expected, tolerance)).toEqual([]);
    }
    expect(printed).toEqual(given.prints ?? []);
  });
});

function optionsOf(way: (typeof WAYS)[number], { hasRace }: KernelCase): EmulatedDeviceOptions {
  if (way === "checked") return { check: { races: hasRace !== true, uninitialized: true } };
  return way === "two workers" ? twoWorkers().options : { engine: way };
}

it("every folder is a case with its source and PTX", () => {
  const missing = NAMES.flatMap((name) =>
    ["kernel.cu", "kernel.ptx", "case.ts"].filter((file) => !existsSync(new URL(`${name}/${file}`, KERNELS))),
  );
  expect(missing).toEqual([]);
});

const dimensions = (given: number | readonly number[]) => given as number | [number, number?, number?];

function typed(argument: Argument, buffers: ReadonlyMap<string, DeviceBuffer>): TypedArgument | DeviceBuffer {
  if ("buffer" in argument) return buffers.get(argument.buffer)!;
  if ("f32" in argument) return f32(argument.f32);
  if ("f64" in argument) return f64(argument.f64);
  if ("s32" in argument) return s32(argument.s32);
  if ("u32" in argument) return u32(argument.u32);
  if ("u64" in argument) return u64(argument.u64);
  return bytes(argument.bytes);
}

/** The elements that are further from the expected ones than the tolerance lets them. */
function farApart(values: Contents, expected: Contents, tolerance: number): string[] {
  const far: string[] = [];
  for (let i = 0; i < expected.length; i++) {
    const [value, wanted] = [Number(values[i]), Number(expected[i])];
    if (!(Math.abs(value - wanted) <= tolerance * Math.max(1, Math.abs(wanted)))) {
      far.push(`expected ${wanted} at ${i}, found ${value}`);
    }
  }
  return far;
}
