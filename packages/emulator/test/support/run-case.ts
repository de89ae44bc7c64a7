// Runs a case of test/kernels on any device, and reports unexpected results.

import {
  bytes,
  type Device,
  type DeviceBuffer,
  type DeviceModule,
  f32,
  f64,
  type LaunchArgument,
  type LaunchDimensions,
  s32,
  u32,
  u64,
} from "@mm-ptx/types/device";
import type { Argument, Contents, KernelCase } from "./kernel-case.js";

/** The contents of each buffer after the last launch. */
export async function runCase(
  device: Device,
  module: DeviceModule,
  given: Pick<KernelCase, "buffers" | "launches">,
): Promise<ReadonlyMap<string, Contents>> {
  const buffers = new Map<string, DeviceBuffer>();
  try {
    for (const [name, contents] of Object.entries(given.buffers)) {
      const buffer = device.allocate(contents.byteLength);
      buffers.set(name, buffer);
      await buffer.copyFrom(contents);
    }
    for (const { kernel, grid, block, sharedBytes = 0, args } of given.launches) {
      const launched = module.kernel(kernel);
      if (sharedBytes > device.limits.sharedBytesPerBlock) launched.setDynamicShared(sharedBytes);
      const shape = { grid: grid as LaunchDimensions, block: block as LaunchDimensions, sharedBytes };
      device.stream.launch(
        launched,
        shape,
        args.map((argument) => argumentOf(argument, buffers)),
      );
    }
    await device.synchronize();
    const results = new Map<string, Contents>();
    for (const [name, contents] of Object.entries(given.buffers)) {
      const result = contents.slice();
      await buffers.get(name)!.copyTo(result);
      results.set(name, result);
    }
    return results;
  } finally {
    for (const buffer of buffers.values()) buffer.dispose();
  }
}

function argumentOf(argument: Argument, buffers: ReadonlyMap<string, DeviceBuffer>): LaunchArgument {
  if ("buffer" in argument) return buffers.get(argument.buffer)!;
  if ("f32" in argument) return f32(argument.f32);
  if ("f64" in argument) return f64(argument.f64);
  if ("s32" in argument) return s32(argument.s32);
  if ("u32" in argument) return u32(argument.u32);
  if ("u64" in argument) return u64(argument.u64);
  return bytes(argument.bytes);
}

/**
 * The elements that differ from the expected ones.
 *
 * @param inOrder whether the device runs blocks in order
 */
export function caseProblems(
  given: KernelCase,
  results: ReadonlyMap<string, Contents>,
  { inOrder }: { readonly inOrder: boolean },
): string[] {
  return Object.entries(given.expected).flatMap(([name, contents]) => {
    const isSorted = !inOrder && given.anyOrder?.includes(name) === true;
    const [expected, found] = [contents, results.get(name)!].map((each) =>
      isSorted ? each.slice().sort() : each,
    ) as [Contents, Contents];
    const problems: string[] = [];
    for (let i = 0; i < expected.length; i++) {
      if (!isAsExpected(found[i]!, expected[i]!, given.tolerance?.[name]))
        problems.push(`expected ${expected[i]} at ${name}[${i}], found ${found[i]}`);
    }
    return problems;
  });
}

function isAsExpected(found: number | bigint, expected: number | bigint, tolerance = 0): boolean {
  if (Object.is(found, expected)) return true;
  if (tolerance === 0) return false;
  const [value, wanted] = [Number(found), Number(expected)];
  return Math.abs(value - wanted) <= tolerance * Math.max(1, Math.abs(wanted));
}
