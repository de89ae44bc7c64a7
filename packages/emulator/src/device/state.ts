// What the parts of an emulated device share: its memory, its queue of work, what reads and runs programs.
import type { DeviceStream } from "@mm-ptx/types/core";
import type { Program } from "../program/program.js";
import type { EngineChoice, Engines } from "../run/engines.js";
import type { PagedMemory } from "../run/paged-memory.js";
import type { EmulatedDevice } from "./device.js";
import type { DeviceSettings } from "./options.js";
import type { WorkQueue } from "./queue.js";

/** What a device is made of besides its memory. */
export interface DeviceParts {
  /** Text to a checked program. @throws EmulatorError with all problems of the text */
  readonly readProgram: (text: string) => Program;
  readonly engines: (settings: DeviceSettings) => Engines;
}

export interface DeviceState extends Pick<DeviceParts, "readProgram"> {
  readonly engines: EngineChoice;
  readonly device: EmulatedDevice;
  readonly settings: DeviceSettings;
  readonly memory: PagedMemory;
  readonly queue: WorkQueue;
  /** @throws EmulatorError DISPOSED, INVALID_INPUT for streams of another device */
  readonly checkStream: (stream: DeviceStream) => void;
}
