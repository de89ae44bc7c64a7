// The state that the parts of an emulated device share: its memory, its work queue, the program reader and the engines.
import type { LocatedPtx } from "@mm-ptx/types/core";
import type { DeviceStream } from "@mm-ptx/types/device";
import type { Program } from "../program/program.js";
import type { EngineChoice, Engines } from "../run/engines.js";
import type { DeviceHeap } from "../run/heap.js";
import type { PagedMemory } from "../run/paged-memory.js";
import type { EmulatedDevice } from "./device.js";
import type { DeviceFindings } from "./findings.js";
import type { DeviceSettings } from "./options.js";
import type { WorkQueue } from "./queue.js";

/** The parts of a device besides its memory. */
export interface DeviceParts {
  /** Parses and checks PTX. @throws EmulatorError with all problems of the text */
  readonly readProgram: (ptx: readonly (string | LocatedPtx)[]) => Program;
  readonly engines: (settings: DeviceSettings) => Engines;
}

export interface DeviceState extends Pick<DeviceParts, "readProgram"> {
  readonly engines: EngineChoice;
  readonly device: EmulatedDevice;
  readonly settings: DeviceSettings;
  readonly memory: PagedMemory;
  /** Where kernels allocate memory. */
  readonly heap: DeviceHeap;
  readonly queue: WorkQueue;
  readonly findings: DeviceFindings;
  /** @throws EmulatorError DISPOSED, INVALID_ARGUMENT for streams of another device */
  readonly checkStream: (stream: DeviceStream) => void;
}
