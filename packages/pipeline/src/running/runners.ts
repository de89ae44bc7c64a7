// The runners of a pipeline, for the device that it was given.
import { EmulatedDevice, type EmulatedDeviceOptions } from "@mm-ptx/emulator";
import type { Device } from "@mm-ptx/types/device";
import type { WorkerLike } from "@mm-ptx/types/internal";
import type { ResolvedPlan } from "../launch/resolved.js";
import type { Reading } from "../reading/reading.js";
import type { TimingOptions } from "../timing/options.js";
import { DeviceRunner } from "./device-runner.js";
import { emulated, GpuDevice } from "./recovery.js";
import { ThreadRunner } from "./thread-runner.js";
import type { PackRunner } from "./work.js";

/** What the caller says about devices and threads. */
interface RunnersOptions {
  readonly reopen?: () => Device | Promise<Device>;
  readonly createWorker?: () => WorkerLike;
  readonly timing?: TimingOptions | undefined;
}

/** One runner for the device, or one for each worker of an emulated device. */
export function runnersFor(
  device: Device,
  plan: ResolvedPlan,
  reading: Reading,
  { reopen, createWorker, timing }: RunnersOptions,
): readonly PackRunner[] {
  if (device instanceof EmulatedDevice) {
    const { workers = 1, createWorker: _, ...options } = device.options;
    if (workers > 1 && canMove(options, plan, reading))
      return Array.from({ length: workers }, () => new ThreadRunner(options, reading, createWorker));
    return [new DeviceRunner(emulated(device), { reading })];
  }
  return [new DeviceRunner(new GpuDevice(device, reopen, hasOwnBuffers(plan)), { reading, timing })];
}

/** Whether packs can run on other threads: nothing that they need belongs to this one. */
const canMove = ({ onPrint, limits }: EmulatedDeviceOptions, plan: ResolvedPlan, reading: Reading): boolean =>
  onPrint === undefined &&
  limits?.signal === undefined &&
  reading.kind !== "reduction" &&
  !hasOwnBuffers(plan);

const hasOwnBuffers = ({ args }: ResolvedPlan): boolean =>
  args.some(({ kind }) => kind === "buffer" || kind === "slices");
