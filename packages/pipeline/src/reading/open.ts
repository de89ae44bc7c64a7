// Opens a reading on a device: loads its kernel, uploads its target, and scores the programs of a launch.
import type { Device, DeviceBuffer, DeviceStream } from "@mm-ptx/types/device";
import type { OutputSlices } from "../launch/plan.js";
import { BuiltInReduction } from "./built-in.js";
import { checkReading } from "./check.js";
import type { ScoreReading } from "./reading.js";
import { UserReduction } from "./user.js";

/** The memory of an output: the part of program i begins at i x stride bytes. */
export interface OutputMemory {
  readonly buffer: DeviceBuffer;
  readonly stride: number;
}

/** A reading on a device. Disposing it frees its memory after its queued work. */
export interface OpenReduction extends Disposable {
  /**
   * Queues the reduction for the programs 0 to count - 1 before it returns, and resolves to their scores. Work that is queued on the
   * stream later may overwrite the outputs.
   *
   * @param outputs the memory of each output of the launch plan
   * @param options the stream; the device's own by default
   * @throws PipelineError INVALID_ARGUMENT, INSUFFICIENT_BUFFER, DISPOSED; errors of the device
   */
  scores(
    outputs: readonly OutputMemory[],
    count: number,
    options?: { readonly stream?: DeviceStream },
  ): Promise<readonly (number | string)[]>;
}

/**
 * Opens a reading on a device.
 *
 * @param outputs the outputs of the launch plan
 * @throws PipelineError INVALID_ARGUMENT as `checkReading` does, NOT_FOUND for a kernel that the PTX of a `reduction` does not have;
 * errors of the device, such as those of PTX that it cannot load
 */
export async function openReduction(
  reading: ScoreReading,
  device: Device,
  outputs: readonly OutputSlices[],
): Promise<OpenReduction> {
  checkReading(reading, outputs);
  return reading.kind === "reduction"
    ? new UserReduction(reading, device, outputs)
    : BuiltInReduction.open(reading, device, outputs);
}
