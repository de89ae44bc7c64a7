// What runners are given, and what they answer: plain data, so that it can be sent to threads.
import type { ModuleSource, TypedArray } from "@mm-ptx/types/device";
import type { ResolvedPlan } from "../launch/resolved.js";
import type { Packing } from "../packing/writer.js";
import type { TimedProgram } from "../timing/timed.js";

/** A pack to run. */
export interface PackWork {
  readonly source: ModuleSource;
  readonly packing: Packing;
  readonly entries: readonly string[];
  readonly hasFirst: boolean;
  /** The number of programs. */
  readonly count: number;
  readonly plan: ResolvedPlan;
  /** Whether inputs are uploaded again before the launch, because the kernel may write to them. */
  readonly restoresInputs: boolean;
}

/** How long the parts of a run took, in milliseconds. */
export interface RunTimes {
  readonly load: number;
  readonly launch: number;
  readonly read: number;
  /** Timing the programs by themselves. */
  readonly timing: number;
}

/** What was read of the programs of a pack. */
export interface ProgramReadings {
  /** For each output of the plan, the parts of all programs; program i's begins at element i * step. */
  readonly outputs: readonly { readonly data: TypedArray; readonly step: number; readonly length: number }[];
  readonly scores: readonly (number | string)[] | undefined;
}

/** What the programs of a pack computed. */
export interface PackRan extends ProgramReadings {
  readonly ok: true;
  /** What timing says about each program, if they were timed. */
  readonly timed: readonly TimedProgram[] | undefined;
  readonly times: RunTimes;
}

/** Why a pack could not be run. */
export interface PackFault {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
  /** Lines of the module's text that are at fault, counted from 1. */
  readonly lines: readonly number[];
  /** The block of the thread that failed. */
  readonly block: readonly [number, number, number] | undefined;
  /** The names of kernels that are at fault. */
  readonly kernels: readonly string[];
  /** Programs that also failed when they were launched by themselves. */
  readonly members: readonly number[];
  /** Whether the launch plan is wrong, and not a program. */
  readonly isCallers: boolean;
  /** Whether the device can't be used any more. */
  readonly isLost: boolean;
}

export type PackAnswer = PackRan | PackFault;

/** What timing says about a program that has a module of its own, and how long it took, or why it could not be timed. */
export type TimeAnswer =
  | { readonly ok: true; readonly timed: TimedProgram; readonly milliseconds: number }
  | PackFault;

/** What runs packs, one at a time. */
export interface PackRunner {
  /** Runs a pack. If the signal is raised, nobody wants its answer. */
  run(work: PackWork, signal: AbortSignal): Promise<PackAnswer>;
  /** Times the program of a pack of one; absent where time can't be measured. */
  time?(work: PackWork): Promise<TimeAnswer>;
  dispose(): void;
}
