// A launch as the engines see it. The interpreter and the translated kernel take the same launch, use the same memory
// and produce the same bytes.
import type { Program, ProgramFunction } from "../program/program.js";
import type { LaunchChecks } from "./checks.js";
import type { Dimensions } from "./dimensions.js";
import type { Fault, InstructionPlace } from "./fault.js";
import type { Heap } from "./heap.js";
import type { LinearMemory } from "./memory.js";

/** A module whose variables have been placed in memory. */
export interface LoadedProgram {
  readonly program: Program;
  /** Offsets in linear memory, by index into `program.variables`; 0 for shared variables and for those that are not defined. */
  readonly addresses: readonly number[];
  readonly memory: LinearMemory;
  /** The bytes that recursive calls of a thread may use, if that is more than the default. */
  readonly stackBytes?: number | undefined;
}

/** A requested launch, already checked by the caller. */
export interface LaunchPlan {
  readonly loaded: LoadedProgram;
  readonly kernel: ProgramFunction;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  /** The number of blocks of a cluster on each axis; undefined for launches without clusters. */
  readonly cluster?: Dimensions | undefined;
  readonly dynamicSharedBytes: number;
  /** The kernel's parameter block. */
  readonly params: Uint8Array;
  /** Whether the threads of a warp run in step. */
  readonly lockstep?: boolean;
  /** The offset of the workspace in which the blocks of a cooperative launch synchronize; undefined for others. */
  readonly workspace?: number | undefined;
  readonly hooks: LaunchHooks;
}

/** The most blocks that may be running at the same time on one CPU thread. */
export const MOST_RESIDENTS = 256;

/** The number of blocks of a launch. */
export const blocksOf = ({ grid }: Pick<LaunchPlan, "grid">): number => grid[0] * grid[1] * grid[2];

/** A launch that has started, with its limits. */
export interface Launch extends LaunchPlan {
  readonly limits: LaunchLimits;
}

/** Limits that stop a launch early. */
export interface LaunchLimits {
  /** The most instructions that all threads may execute in total, or Infinity. Engines may count by loop iterations. */
  readonly instructions: number;
  /** The value of `performance.now()` at which the launch is stopped, or Infinity. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** The shape of a launch as a thread has requested it. */
export interface ChildShape {
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly sharedBytes: number;
}

/** A launch that a thread of another one has requested. */
export interface ChildLaunch {
  readonly kernel: ProgramFunction;
  readonly shape: ChildShape;
  readonly params: Uint8Array;
  /** Whether it follows all other launches of its parent and their children, as in `cudaStreamTailLaunch`. */
  readonly isTail: boolean;
  /** The nesting depth; 0 for launches by the host. */
  readonly depth: number;
}

/** The launches that the threads of a launch have requested. */
export interface ChildLaunches {
  /** The nesting depth of the launch itself. */
  readonly depth: number;
  /** In the order of the requests. */
  readonly pending: ChildLaunch[];
  /** Takes memory that is freed once the launch has ended; undefined where there is no room for it. */
  take(bytes: number, label: string): number | undefined;
  /** The limits of a kernel. */
  limitsOf(kernel: ProgramFunction): KernelLimits;
}

/** The limits of a kernel's launches. */
export interface KernelLimits {
  /** The most dynamic shared memory that a launch may have, in bytes. */
  readonly mostDynamic: number;
  readonly attributes: { readonly maxThreadsPerBlock: number };
}

/** Callbacks and checks of a launch. An engine that cannot serve a hook is not chosen for the launch. */
export interface LaunchHooks {
  /** Receives the text that kernels print, once per call of `vprintf`. */
  readonly print: (text: string) => void;
  /** Called from time to time with the number of blocks that have finished. */
  readonly progress?: (blocks: number) => void;
  /** The heap of threads; without it, `malloc` returns 0. */
  readonly heap?: Heap;
  /** Receives the launches that threads request; without it, threads can't launch kernels. */
  readonly launches?: ChildLaunches;
  /** Traces one thread. */
  readonly trace?: TraceHook;
  /** Counts how often threads execute each instruction: `counts[function][instruction]`. */
  readonly counts?: readonly Float64Array[];
  /** The checks of the launch; absent if there are none. */
  readonly checks?: LaunchChecks;
}

/** The thread to trace and its callback. */
export interface TraceHook {
  readonly block: Dimensions;
  readonly thread: Dimensions;
  /** Called after each instruction. */
  readonly step: (step: ExecutedStep) => void;
}

/** An instruction that a thread has executed. */
export interface ExecutedStep {
  readonly function: number;
  readonly instruction: number;
  /** Returns the bits of a register of the function, as of this step. */
  readonly read: (register: number) => bigint;
}

/** The outcome of a launch. */
export interface LaunchOutcome {
  readonly engine: "interpreter" | "webassembly";
  /** Why the launch did not complete; undefined if it did. */
  readonly fault: Fault | undefined;
}

/** Runs launches. It yields to the event loop at least every few dozen milliseconds. */
export interface Engine {
  run(launch: Launch): Promise<LaunchOutcome>;
}

/** Why an engine cannot run a launch. */
export interface Refusal {
  /** What was found, in words. */
  readonly found: string;
  /** The error of a translation that failed although the kernel contains nothing that needs the interpreter. */
  readonly failure?: TranslationFailure;
}

/** A translation that failed. */
export interface TranslationFailure {
  readonly error: unknown;
  /** Searches for the instruction at which it fails; undefined if it fails without any instruction, too. */
  readonly find: () => Promise<InstructionPlace | undefined>;
}

/** An engine that cannot run every launch. */
export interface TranslatingEngine extends Engine {
  /** Why the engine cannot run a launch; undefined if it can. Hooks other than `print` are not considered. */
  refusal(launch: LaunchPlan): Promise<Refusal | undefined>;
}
