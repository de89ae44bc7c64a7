// The launches of a pack.
import { CudaDevice, CudaError } from "@mm-ptx/cuda";
import { EmulatedDevice, type Limits } from "@mm-ptx/emulator";
import type {
  Device,
  DeviceKernel,
  DeviceModule,
  LaunchArgument,
  PreparedLaunch,
} from "@mm-ptx/types/device";
import { u32 } from "@mm-ptx/types/device";
import { FailedKernel, RefusedLaunch } from "./fault.js";
import type { PackMemory } from "./pack-memory.js";
import type { PackWork } from "./work.js";

/** A launch and its arguments. */
export interface KernelLaunch {
  readonly kernel: DeviceKernel;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly sharedBytes: number;
  readonly args: readonly LaunchArgument[];
  /** Limits of an emulated launch, if they are not those of the device. */
  readonly limits?: Limits;
}

/** The launches that run all programs of a pack. */
export function packLaunches(
  module: DeviceModule,
  work: PackWork,
  memory: PackMemory,
): readonly PreparedLaunch[] {
  const { packing, count, entries } = work;
  const launches =
    packing.kind === "alternatives"
      ? [alternatives(module, work, memory, 0, count)]
      : entries.map((_, program) => programLaunch(module, work, memory, program)!);
  return launches.map(prepared);
}

/** The launch of one program of a pack; undefined if it can only be launched together with those before it. */
export function programLaunch(
  module: DeviceModule,
  work: PackWork,
  memory: PackMemory,
  program: number,
): KernelLaunch | undefined {
  const { packing, entries, hasFirst, plan } = work;
  if (packing.kind === "alternatives")
    return hasFirst ? alternatives(module, work, memory, program, 1) : undefined;
  const { grid, block, sharedBytes } = plan;
  const kernel = module.kernel(entries[program]!);
  return { kernel, grid, block, sharedBytes, args: memory.arguments(plan, program) };
}

/** The launch of `count` alternatives from `first` on. */
function alternatives(
  module: DeviceModule,
  { packing, entries, hasFirst, plan }: PackWork,
  memory: PackMemory,
  first: number,
  count: number,
): KernelLaunch {
  const [x, y, z] = plan.grid;
  const isY = packing.kind === "alternatives" && packing.axis === "y";
  const args = memory.arguments(plan);
  return {
    ...limitsFor(module.device, count),
    kernel: module.kernel(entries[0]!),
    grid: isY ? [x, count, z] : [x, y, count],
    block: plan.block,
    sharedBytes: plan.sharedBytes,
    args: hasFirst ? [...args, u32(first)] : args,
  };
}

/** The most instructions of a launch are meant for one program. The time is not: it says how long anything may take. */
function limitsFor(device: Device, count: number): Pick<KernelLaunch, "limits"> {
  const limits = device instanceof EmulatedDevice ? device.options.limits : undefined;
  if (limits?.instructions === undefined) return {};
  return { limits: { ...limits, instructions: limits.instructions * count } };
}

/** Checks a launch. @throws RefusedLaunch if it does not fit the kernel or the device; errors of the device */
export function prepared({ kernel, args, ...options }: KernelLaunch): PreparedLaunch {
  const { limits } = kernel.module.device;
  try {
    if (options.sharedBytes + kernel.attributes.sharedBytes > limits.sharedBytesPerBlock)
      kernel.setDynamicShared(options.sharedBytes);
    return kernel.prepare(options, args);
  } catch (cause) {
    if (cause instanceof CudaError && cause.code !== "INVALID_ARGUMENT") throw cause;
    if (needsTooManyRegisters(kernel, options)) throw new FailedKernel(kernel.name, cause);
    throw new RefusedLaunch("the launch plan does not fit the kernel", { cause });
  }
}

/** Registers are allocated to warps, in this unit for each thread (CUDA C++ Programming Guide, Compute Capabilities). */
const REGISTER_UNIT = 8;

/** Whether the machine code of a program uses more registers than a block of this size has. */
function needsTooManyRegisters(kernel: DeviceKernel, { block }: Pick<KernelLaunch, "block">): boolean {
  const { device } = kernel.module;
  if (!(device instanceof CudaDevice)) return false;
  const { registers = 0, maxThreadsPerBlock } = kernel.attributes;
  const threads = block[0] * block[1] * block[2];
  if (threads <= maxThreadsPerBlock || threads > device.limits.maxThreadsPerBlock) return false;
  const { warpSize } = device.limits;
  const perThread = Math.ceil(registers / REGISTER_UNIT) * REGISTER_UNIT;
  return Math.ceil(threads / warpSize) * warpSize * perThread > device.properties.registersPerBlock;
}
