// Times the programs of a pack: each is launched by itself some times in a row, between two events.
import { ClockMeter } from "@mm-ptx/cuda";
import type { Device, DeviceEvent, DeviceModule, PreparedLaunch } from "@mm-ptx/types/device";
import { prepared, programLaunch } from "../running/launches.js";
import type { PackMemory } from "../running/pack-memory.js";
import type { PackWork } from "../running/work.js";
import type { TimingOptions } from "./options.js";

const WARMUP = 2;
const REPEAT = 20;
/** The most launches that are queued at once. */
const MOST_QUEUED = 1024;

/** The times of the programs of a pack. */
interface PackTimes {
  /** The microseconds of a launch of each program, the mean of several in a row; undefined for one that can't be launched by itself. */
  readonly times: readonly (number | undefined)[];
  /** Whether the clock rate dropped meanwhile; undefined where it is not known. */
  readonly isThrottled: boolean | undefined;
}

/** Times each program. The buffers then contain what repeated launches leave there. */
export async function timePack(
  module: DeviceModule,
  work: PackWork,
  memory: PackMemory,
  { clock, warmup = WARMUP, repeat = REPEAT }: TimingOptions & { readonly clock: ClockMeter },
): Promise<PackTimes> {
  const { device } = module;
  const before = await clock.megahertz(device.stream);
  using start = device.createEvent();
  using end = device.createEvent();
  const times: (number | undefined)[] = [];
  for (let program = 0; program < work.count; program++) {
    const launch = programLaunch(module, work, memory, program);
    times.push(
      launch === undefined
        ? undefined
        : await timeLaunch(device, prepared(launch), { start, end, warmup, repeat }),
    );
  }
  const after = await clock.megahertz(device.stream);
  return { times, isThrottled: ClockMeter.isThrottled(before, after) };
}

interface Measurement {
  readonly start: DeviceEvent;
  readonly end: DeviceEvent;
  readonly warmup: number;
  readonly repeat: number;
}

async function timeLaunch(
  device: Device,
  launch: PreparedLaunch,
  { start, end, warmup, repeat }: Measurement,
): Promise<number> {
  const { stream } = device;
  await launchInRow(device, launch, warmup);
  let milliseconds = 0;
  for (let left = repeat; left > 0; left -= MOST_QUEUED) {
    const count = Math.min(left, MOST_QUEUED);
    stream.record(start);
    stream.launchMany(new Array<PreparedLaunch>(count).fill(launch));
    stream.record(end);
    // A time limit of the device counts from here on again.
    await stream.synchronize();
    milliseconds += end.elapsedSince(start);
  }
  return (milliseconds * 1000) / repeat;
}

/** Queues launches, and waits for all but the last ones. */
async function launchInRow({ stream }: Device, launch: PreparedLaunch, count: number): Promise<void> {
  for (let left = count; left > 0; left -= MOST_QUEUED) {
    if (left < count) await stream.synchronize();
    stream.launchMany(new Array<PreparedLaunch>(Math.min(left, MOST_QUEUED)).fill(launch));
  }
}
