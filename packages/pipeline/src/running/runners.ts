// The runners of a pipeline, for the device that it was given.
import type { Worker } from "node:worker_threads";
import { CudaDevice } from "@mm-ptx/cuda";
import { EmulatedDevice, type EmulatedDeviceOptions } from "@mm-ptx/emulator";
import type { Device } from "@mm-ptx/types/device";
import type { ResolvedPlan } from "../launch/resolved.js";
import type { Reading } from "../reading/reading.js";
import { DeviceRunner } from "./device-runner.js";
import { ThreadRunner } from "./thread-runner.js";
import type { PackRunner } from "./work.js";

/** What the caller says about devices and threads. */
interface RunnerOptions {
  readonly reopen?: () => Device;
  readonly createWorker?: () => Worker;
}

/** One runner for the device, or one for each worker of an emulated device. */
export function runnersFor(
  device: Device,
  plan: ResolvedPlan,
  reading: Reading,
  { reopen, createWorker }: RunnerOptions,
): readonly PackRunner[] {
  if (device instanceof EmulatedDevice) {
    const { workers = 1, createWorker: _, ...options } = device.options;
    if (workers > 1 && canMove(options, plan, reading))
      return Array.from({ length: workers }, () => new ThreadRunner(options, reading, createWorker));
    const recover = (): boolean => {
      device.recover();
      return true;
    };
    return [new DeviceRunner(() => device, reading, recover)];
  }
  let current = device;
  return [
    new DeviceRunner(
      () => current,
      reading,
      () => {
        if (!(current instanceof CudaDevice)) return true;
        if (current.failure === undefined || current.isolated) return true;
        if (reopen === undefined) return false;
        current = reopen();
        return true;
      },
    ),
  ];
}

/** Whether packs can run on other threads: nothing that they need belongs to this one. */
const canMove = ({ onPrint, limits }: EmulatedDeviceOptions, plan: ResolvedPlan, reading: Reading): boolean =>
  onPrint === undefined &&
  limits?.signal === undefined &&
  reading.kind !== "reduction" &&
  plan.args.every(({ kind }) => kind !== "buffer" && kind !== "slices");
