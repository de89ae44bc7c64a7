// What the parts of a device share: the connection that is in use, and what checks that streams belong to this device.

import type { DeviceLimits, DeviceStream } from "@mm-ptx/types/core";
import type { Connection } from "./connection.js";
import type { Device } from "./device.js";
import type { CudaStream } from "./stream.js";

export interface DeviceState {
  readonly device: Device;
  readonly limits: DeviceLimits;
  /** The driver's number of the device. */
  readonly ordinal: number;
  /** The live connection; of an isolated device that was lost a new one. @throws CudaError DISPOSED, DEVICE_LOST */
  connection(): Connection;
  /** A stream of this device that is in use; its own where none is named. @throws CudaError DISPOSED, INVALID_INPUT */
  streamOf(stream: DeviceStream | undefined): CudaStream;
  /** Waits for an event by its handle. */
  afterEvent(event: bigint): Promise<void>;
}
