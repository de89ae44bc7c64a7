// One launch as the engines see it: the interpreter and the translated kernel take the same, on the same memory, and leave
// the same bytes behind.
import type { Program, ProgramFunction } from "../program/program.js";
import type { Fault } from "./fault.js";
import type { LinearMemory } from "./memory.js";

/** Numbers of blocks or threads in x, y and z. */
export type Dimensions = readonly [x: number, y: number, z: number];

/** A module whose variables have their places in memory. */
export interface LoadedProgram {
  readonly program: Program;
  /** By index into `program.variables`: the offset in linear memory; 0 for shared ones. */
  readonly addresses: readonly number[];
  readonly memory: LinearMemory;
}

/** What a launch is asked to do; checked by who makes it. */
export interface LaunchPlan {
  readonly loaded: LoadedProgram;
  readonly kernel: ProgramFunction;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly dynamicSharedBytes: number;
  /** The kernel's parameter block. */
  readonly params: Uint8Array;
  readonly hooks: LaunchHooks;
}

/** How many blocks a launch has. */
export const blocksOf = ({ grid }: Pick<LaunchPlan, "grid">): number => grid[0] * grid[1] * grid[2];

/** A launch whose time runs. */
export interface Launch extends LaunchPlan {
  readonly limits: LaunchLimits;
}

/** What ends a launch before its time. */
export interface LaunchLimits {
  /** Instructions that all threads together may execute; Infinity for no limit. Engines may count by loop iterations. */
  readonly instructions: number;
  /** The time, as `performance.now()` tells it, after which it ends; Infinity for none. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** Who wants to know what. An engine that can't serve a hook is not chosen for the launch. */
export interface LaunchHooks {
  /** Text that kernels print, one call of `vprintf` each. */
  readonly print: (text: string) => void;
  /** How many blocks are done, now and then. */
  readonly progress?: (blocks: number) => void;
  /** Every instruction of one thread, before it runs. */
  readonly trace?: TraceHook;
  /** By function and instruction, how often threads executed it: `counts[function][instruction]`. */
  readonly counts?: readonly Float64Array[];
  /** Reports races instead of passing over them. */
  readonly races?: boolean;
  /** Reports reads of registers and shared memory that nobody wrote. */
  readonly uninitialized?: boolean;
}

/** The thread that is traced, and who is told. */
export interface TraceHook {
  readonly block: Dimensions;
  readonly thread: Dimensions;
  /** After each instruction. */
  readonly step: (step: ExecutedStep) => void;
}

/** An instruction that a thread has executed. */
export interface ExecutedStep {
  readonly function: number;
  readonly instruction: number;
  /** The bits of a register of the function, as they are now. */
  readonly read: (register: number) => bigint;
}

/** How a launch ended. */
export interface LaunchOutcome {
  readonly engine: "interpreter" | "webassembly";
  /** Why it did not run to its end. */
  readonly fault: Fault | undefined;
}

/** Runs launches. Gives the event loop a turn at least every few dozen milliseconds. */
export interface Engine {
  run(launch: Launch): Promise<LaunchOutcome>;
}

/** An engine that can't run every launch. */
export interface TranslatingEngine extends Engine {
  /** What it can't do of a launch, in words; undefined when it can run it. Hooks besides `print` are not asked about. */
  refusal(launch: LaunchPlan): Promise<string | undefined>;
}
