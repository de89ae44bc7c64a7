// What a launch may ask for: CUDA's limits, and what the kernel itself says (PTX ISA, Performance-Tuning Directives).
import { type DeviceLimits, describeValue, type LaunchDimensions, quoted } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { ProgramFunction } from "../program/program.js";
import type { Dimensions } from "./launch.js";

/** As compute capability 9.0 has them (CUDA C++ Programming Guide, Technical Specifications per Compute Capability). */
export const DEVICE_LIMITS: DeviceLimits = Object.freeze({
  maxThreadsPerBlock: 1024,
  maxBlock: [1024, 1024, 64] as const,
  maxGrid: [2 ** 31 - 1, 65535, 65535] as const,
  sharedBytesPerBlock: 48 * 1024,
  maxSharedBytesPerBlock: 227 * 1024,
  warpSize: 32,
});

/** A launch that was checked. */
export interface LaunchShape {
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly dynamicSharedBytes: number;
}

/** What is asked for, as it came from the caller. */
export interface AskedShape {
  readonly grid: LaunchDimensions;
  readonly block: LaunchDimensions;
  readonly sharedBytes?: number | undefined;
}

/**
 * @param mostDynamic bytes of dynamic shared memory that the kernel may have
 * @throws EmulatorError INVALID_INPUT
 */
export function checkShape(kernel: ProgramFunction, asked: AskedShape, mostDynamic: number): LaunchShape {
  const grid = dimensionsOf("grid", asked.grid, DEVICE_LIMITS.maxGrid);
  const block = dimensionsOf("block", asked.block, DEVICE_LIMITS.maxBlock);
  checkThreads(kernel, block);
  const dynamicSharedBytes = asked.sharedBytes ?? 0;
  if (!Number.isSafeInteger(dynamicSharedBytes) || dynamicSharedBytes < 0) {
    throw invalid("`sharedBytes` as a whole number", describeValue(dynamicSharedBytes));
  }
  if (dynamicSharedBytes > mostDynamic) {
    const cure = mostDynamic < mostDynamicOf(kernel, true) ? "; `setDynamicShared` allows more" : "";
    throw invalid(
      `at most ${mostDynamic} bytes of dynamic shared memory for kernel ${quoted(kernel.name)}`,
      `${dynamicSharedBytes}${cure}`,
    );
  }
  return { grid, block, dynamicSharedBytes };
}

/** The dynamic shared memory that a kernel may have, beside its own; `raised`: by `setDynamicShared`. */
export function mostDynamicOf({ sharedBytes }: ProgramFunction, raised: boolean): number {
  const { sharedBytesPerBlock, maxSharedBytesPerBlock } = DEVICE_LIMITS;
  return Math.max(0, (raised ? maxSharedBytesPerBlock : sharedBytesPerBlock) - sharedBytes);
}

/** The most threads of a block that a kernel allows. */
export function maxThreadsOf(kernel: ProgramFunction): number {
  const most = directive(kernel, ".maxntid") ?? directive(kernel, ".reqntid");
  return Math.min(DEVICE_LIMITS.maxThreadsPerBlock, most === undefined ? Infinity : product(most));
}

function dimensionsOf(name: string, asked: LaunchDimensions, limits: Dimensions): Dimensions {
  const found: readonly unknown[] = Array.isArray(asked) ? asked : [asked];
  if (found.length < 1 || found.length > 3) {
    throw invalid(`${quoted(name)} as a number, or as 1 to 3 of them`, `${found.length}`);
  }
  const [x, y, z] = limits.map((limit, axis) => {
    const value = found[axis] ?? (axis === 0 ? undefined : 1);
    if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= limit) return value;
    throw invalid(`a whole number from 1 to ${limit} as ${name}.${"xyz"[axis]}`, describeValue(value));
  });
  return [x!, y!, z!];
}

function checkThreads(kernel: ProgramFunction, block: Dimensions): void {
  const threads = product(block);
  const required = directive(kernel, ".reqntid");
  if (required !== undefined && [0, 1, 2].some((axis) => (required[axis] ?? 1) !== block[axis])) {
    throw invalid(
      `a block of ${shape(required)} as \`.reqntid\` of kernel ${quoted(kernel.name)} says`,
      shape(block),
    );
  }
  const most = maxThreadsOf(kernel);
  if (threads <= most) return;
  const reason =
    most < DEVICE_LIMITS.maxThreadsPerBlock ? ` as \`.maxntid\` of kernel ${quoted(kernel.name)} says` : "";
  throw invalid(`at most ${most} threads in a block${reason}`, `${shape(block)}, which are ${threads}`);
}

function directive({ directives }: ProgramFunction, name: string): readonly number[] | undefined {
  return directives.find((one) => one.name === name)?.values;
}

const product = (values: readonly number[]): number => values.reduce((all, value) => all * value, 1);
const shape = (values: readonly number[]): string => [0, 1, 2].map((axis) => values[axis] ?? 1).join(" x ");
const invalid = (expected: string, found: string) =>
  new EmulatorError("INVALID_INPUT", `expected ${expected}, found ${found}`);
