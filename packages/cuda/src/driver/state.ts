// What the parts of a device share: the current connection, and the check that a stream belongs to this device.

import type { DeviceLimits, DeviceStream } from "@mm-ptx/types/device";
import type { Connection } from "./connection.js";
import type { CudaDevice } from "./device.js";
import type { CudaStream } from "./stream.js";

export interface DeviceState {
  readonly device: CudaDevice;
  readonly limits: DeviceLimits;
  /** The driver's number of the device. */
  readonly ordinal: number;
  /** The live connection; a new one if an isolated device was lost. @throws CudaError DISPOSED, DEVICE_LOST */
  connection(): Connection;
  /**
   * An open stream of this device; the default stream if none is given. @throws CudaError DISPOSED, INVALID_ARGUMENT
   */
  streamOf(stream: DeviceStream | undefined): CudaStream;
  /** Waits for an event by its handle. */
  afterEvent(event: bigint): Promise<void>;
}
