// The memory that a launch needs for itself: shared and local memory, parameters, saved registers and states of threads.
import type { LaunchPlan } from "../run/launch.js";
import type { Translation } from "./kernel.js";

/** Offsets in linear memory, and sizes. */
export interface Areas {
  readonly threads: number;
  readonly shared: number;
  readonly sharedBytes: number;
  readonly local: number;
  readonly params: number;
  readonly frame: number;
  /** One word a thread: what it waits for. */
  readonly states: number;
}

const STATE_BYTES = 4;

/**
 * Takes the memory of a launch.
 *
 * @throws EmulatorError OUT_OF_MEMORY
 */
export function takeAreas(
  launch: LaunchPlan,
  { localBytes, frameBytes }: Translation,
): { areas: Areas; give: () => void } {
  const { memory } = launch.loaded;
  const taken: number[] = [];
  const give = () => {
    for (const offset of taken) memory.give(offset);
  };
  const take = (bytes: number, label: string, visible: boolean): number => {
    if (bytes === 0) return 0;
    const offset = memory.take(bytes, { label, visible });
    taken.push(offset);
    return offset;
  };
  const [x, y, z] = launch.block;
  const threads = x * y * z;
  const sharedBytes = launch.kernel.sharedBytes + launch.dynamicSharedBytes;
  try {
    const areas: Areas = {
      threads,
      sharedBytes,
      shared: take(sharedBytes, "shared memory", true),
      local: take(localBytes * threads, "local memory", true),
      params: take(launch.params.length, "the kernel's parameters", true),
      frame: take(frameBytes, "saved registers", false),
      states: take(threads * STATE_BYTES, "states of threads", false),
    };
    new Uint8Array(memory.memory.buffer).set(launch.params, areas.params);
    return { areas, give };
  } catch (error) {
    give();
    throw error;
  }
}
