// What a launch may ask for: CUDA's limits, and what the kernel itself says (PTX ISA, Performance-Tuning Directives).
import {
  type AskedShape,
  checkShape as checkAskedShape,
  type DeviceLimits,
  type LaunchShape,
} from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { ProgramFunction } from "../program/program.js";

/** As compute capability 9.0 has them (CUDA C++ Programming Guide, Technical Specifications per Compute Capability). */
export const DEVICE_LIMITS: DeviceLimits = Object.freeze({
  maxThreadsPerBlock: 1024,
  maxBlock: [1024, 1024, 64] as const,
  maxGrid: [2 ** 31 - 1, 65535, 65535] as const,
  sharedBytesPerBlock: 48 * 1024,
  maxSharedBytesPerBlock: 227 * 1024,
  warpSize: 32,
});

/**
 * @param dynamicBytes of dynamic shared memory that the kernel may have
 * @throws EmulatorError INVALID_INPUT
 */
export function checkShape(kernel: ProgramFunction, asked: AskedShape, dynamicBytes: number): LaunchShape {
  const required = directive(kernel, ".reqntid");
  const limits = {
    name: kernel.name,
    maxThreads: maxThreadsOf(kernel),
    requiredBlock: required && [0, 1, 2].map((axis) => required[axis] ?? 1),
    dynamicBytes,
    mostDynamicBytes: mostDynamicOf(kernel, true),
  };
  return checkAskedShape(
    DEVICE_LIMITS,
    limits,
    asked,
    (message) => new EmulatorError("INVALID_INPUT", message),
  );
}

/** The dynamic shared memory that a kernel may have, beside its own; `raised`: by `setDynamicShared`. */
export function mostDynamicOf({ sharedBytes }: ProgramFunction, raised: boolean): number {
  const { sharedBytesPerBlock, maxSharedBytesPerBlock } = DEVICE_LIMITS;
  return Math.max(0, (raised ? maxSharedBytesPerBlock : sharedBytesPerBlock) - sharedBytes);
}

/** The most threads of a block that a kernel allows. */
export function maxThreadsOf(kernel: ProgramFunction): number {
  const most = directive(kernel, ".maxntid") ?? directive(kernel, ".reqntid");
  return Math.min(DEVICE_LIMITS.maxThreadsPerBlock, most?.reduce((all, size) => all * size, 1) ?? Infinity);
}

function directive({ directives }: ProgramFunction, name: string): readonly number[] | undefined {
  return directives.find((one) => one.name === name)?.values;
}
