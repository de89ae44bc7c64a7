// Checks the shape of a launch against the limits of its device and those that the kernel declares.
import { describeValue, quoted } from "../internal/describe.js";
import type { DeviceLimits, LaunchDimensions } from "./device.js";

/** In x, y and z. */
export type Dimensions = readonly [x: number, y: number, z: number];

/** A checked launch. */
export interface LaunchShape {
  /** Blocks. */
  readonly grid: Dimensions;
  /** Threads of a block. */
  readonly block: Dimensions;
  readonly dynamicSharedBytes: number;
}

/** The requested shape, as it came from the caller. */
export interface AskedShape {
  readonly grid: LaunchDimensions;
  readonly block: LaunchDimensions;
  readonly sharedBytes?: number | undefined;
}

/** The limits that a kernel declares. */
export interface ShapeLimits {
  readonly name: string;
  /** Names what limits the number of threads if the limit is lower than the device's. By default it is the kernel. */
  readonly words?: string;
  /** The most threads of a block. */
  readonly maxThreads: number;
  /** The block size that `.reqntid` requires; undefined if it requires none. */
  readonly requiredBlock: readonly number[] | undefined;
  /** The bytes of dynamic shared memory that launches can have. */
  readonly dynamicBytes: number;
  /** The bytes that they can have after `setDynamicShared`. */
  readonly mostDynamicBytes: number;
}

/**
 * Checks a launch before it reaches the device.
 * @param refuse turns a message into an error
 */
export function checkShape(
  limits: DeviceLimits,
  kernel: ShapeLimits,
  asked: AskedShape,
  refuse: (message: string) => Error,
): LaunchShape {
  const invalid = (expected: string, found: string) => refuse(`expected ${expected}, found ${found}`);
  const grid = checkDimensions("grid", asked.grid, limits.maxGrid, refuse);
  const block = checkDimensions("block", asked.block, limits.maxBlock, refuse);
  const { requiredBlock, maxThreads } = kernel;
  if (requiredBlock?.some((size, axis) => size !== block[axis])) {
    throw invalid(
      `a block of ${wordsOf(requiredBlock)} as \`.reqntid\` of kernel ${quoted(kernel.name)} says`,
      wordsOf(block),
    );
  }
  const threads = block[0] * block[1] * block[2];
  if (threads > maxThreads) {
    const own = maxThreads < limits.maxThreadsPerBlock;
    const reason = own ? ` as ${kernel.words ?? `kernel ${quoted(kernel.name)}`} allows` : "";
    throw invalid(
      `at most ${maxThreads} threads in a block${reason}`,
      `${wordsOf(block)}, which are ${threads}`,
    );
  }
  const dynamicSharedBytes = asked.sharedBytes ?? 0;
  if (!Number.isSafeInteger(dynamicSharedBytes) || dynamicSharedBytes < 0)
    throw invalid("`sharedBytes` as a whole number", describeValue(dynamicSharedBytes));
  const { dynamicBytes, mostDynamicBytes } = kernel;
  if (dynamicSharedBytes > dynamicBytes) {
    const cure = dynamicBytes < mostDynamicBytes ? "; `setDynamicShared` allows more" : "";
    throw invalid(
      `at most ${dynamicBytes} bytes of dynamic shared memory for kernel ${quoted(kernel.name)}`,
      `${dynamicSharedBytes}${cure}`,
    );
  }
  return { grid, block, dynamicSharedBytes };
}

/** Numbers from 1 to a limit in each direction; omitted numbers are 1. */
export function checkDimensions(
  name: string,
  asked: LaunchDimensions,
  limits: Dimensions,
  refuse: (message: string) => Error,
): Dimensions {
  const found: readonly unknown[] = Array.isArray(asked) ? asked : [asked];
  if (found.length < 1 || found.length > 3)
    throw refuse(`expected ${quoted(name)} as a number, or as 1 to 3 of them, found ${found.length}`);
  const along = (axis: 0 | 1 | 2): number => {
    const value = found[axis] ?? (axis === 0 ? undefined : 1);
    const limit = limits[axis];
    if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= limit) return value;
    throw refuse(
      `expected a whole number from 1 to ${limit} as ${name}.${"xyz"[axis]}, found ${describeValue(value)}`,
    );
  };
  return [along(0), along(1), along(2)];
}

const wordsOf = (values: readonly number[]): string => [0, 1, 2].map((axis) => values[axis] ?? 1).join(" x ");
