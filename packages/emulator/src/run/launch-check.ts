// Checks the shape of a launch against CUDA's limits and the kernel's own directives (PTX ISA, Performance-Tuning
// Directives).
import { demangle } from "@mm-ptx/ptx";
import type { DeviceLimits } from "@mm-ptx/types/device";
import {
  type AskedShape,
  checkShape as checkAskedShape,
  type LaunchShape,
  quoted,
  TextLines,
} from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import { problemText } from "../front/problems.js";
import type { Program, ProgramFunction } from "../program/program.js";
import { textAt } from "../program/texts.js";

/** Limits of compute capability 9.0 (CUDA C++ Programming Guide, Technical Specifications per Compute Capability). */
export const DEVICE_LIMITS: DeviceLimits = Object.freeze({
  maxThreadsPerBlock: 1024,
  maxBlock: [1024, 1024, 64] as const,
  maxGrid: [2 ** 31 - 1, 65535, 65535] as const,
  sharedBytesPerBlock: 48 * 1024,
  maxSharedBytesPerBlock: 227 * 1024,
  warpSize: 32,
});

/**
 * @param dynamicBytes the most dynamic shared memory, in bytes, that the kernel may use
 * @throws EmulatorError INVALID_ARGUMENT
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
    (message) => new EmulatorError("INVALID_ARGUMENT", message),
  );
}

/**
 * The most dynamic shared memory a kernel may use besides its static shared memory; `raised` is the value from
 * `setDynamicShared`.
 */
export function mostDynamicOf({ sharedBytes }: ProgramFunction, raised: boolean): number {
  const { sharedBytesPerBlock, maxSharedBytesPerBlock } = DEVICE_LIMITS;
  return Math.max(0, (raised ? maxSharedBytesPerBlock : sharedBytesPerBlock) - sharedBytes);
}

/** The most threads per block that a kernel allows. */
export function maxThreadsOf(kernel: ProgramFunction): number {
  const most = directive(kernel, ".maxntid") ?? directive(kernel, ".reqntid");
  return Math.min(DEVICE_LIMITS.maxThreadsPerBlock, most?.reduce((all, size) => all * size, 1) ?? Infinity);
}

/**
 * Rejects kernels that contain or call what the emulator does not support. Functions that are called through their
 * addresses are rejected when they are called.
 * @throws EmulatorError UNSUPPORTED
 */
export function refuseUnsupported(program: Program, kernel: ProgramFunction): void {
  const { functions } = program;
  const reached = new Set([kernel]);
  // Iterating over a set visits the elements that are added meanwhile.
  for (const { calls } of reached) for (const index of calls) reached.add(functions[index]!);
  const refused = [...reached].filter(({ unsupported }) => unsupported.length > 0);
  if (refused.length === 0) return;
  const shown = refused.flatMap((one) => {
    const lines = new TextLines(textAt(program, one.span.start).text);
    const where = one === kernel ? "" : `in ${quoted(one.name)}, which it calls, `;
    return one.unsupported.map((problem) => `${where}${problemText(problem, lines)}`);
  });
  throw new EmulatorError(
    "UNSUPPORTED",
    `expected a kernel that the emulator supports, found ${quoted(demangle(kernel.name))}:\n${shown.join("\n")}`,
    { problems: refused.flatMap(({ unsupported }) => unsupported) },
  );
}

function directive({ directives }: ProgramFunction, name: string): readonly number[] | undefined {
  return directives.find((one) => one.name === name)?.values;
}
