// The options of a device and their checks.
import {
  isBoolean,
  isFunction,
  isOneOf,
  isOptions,
  isPositive,
  isSignal,
  isWhole,
  type Checks as OptionChecks,
  type WorkerLike,
} from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import { CHECKS } from "../run/checks.js";
import type { HostFrame } from "../run/finding.js";
import { DEFAULT_HEAP } from "../run/heap.js";
import { MOST_MEMORY } from "../run/paged-memory.js";
import { checkOptions } from "./check.js";

/** Which engine runs kernels: translation to WebAssembly, the interpreter, or a choice per launch. */
export type EngineName = "auto" | "webassembly" | "interpreter";

/** Limits that stop a launch early. */
export interface Limits {
  /** The most instructions that all threads of a launch may execute in total; unlimited by default. */
  readonly instructions?: number;
  /** The most milliseconds that a launch may take: one minute by default, Infinity for no limit. */
  readonly timeoutMs?: number;
  /**
   * Aborts the launch. With workers, it stops within milliseconds. Without workers, the signal is only checked between
   * blocks, because the kernel occupies the thread that would abort it.
   */
  readonly signal?: AbortSignal;
}

/**
 * Checks that record findings instead of stopping the launch. Findings are in `device.findings` and in the report of a
 * launch.
 */
export interface Checks {
  /**
   * Records accesses that are out of bounds or misaligned, or that use freed memory. Such a load returns zero, and such
   * a store or atomic operation is dropped. Without this check, they stop the launch.
   */
  readonly memory?: boolean;
  /**
   * Records two threads of a block that access the same memory without a barrier in between, at least one of them
   * writing. Stores of the same value are findings of their own kind.
   */
  readonly races?: boolean;
  /** Records reads of registers and shared memory that were never written. */
  readonly uninitialized?: boolean;
  /**
   * Records barriers and warp operations that threads never reach, or reach in a way that is not allowed. A block that
   * cannot continue ends. Without this check, the launch stops.
   */
  readonly sync?: boolean;
  /** Records buffers that were not disposed before the device. */
  readonly leaks?: boolean;
}

/** Options of `EmulatedDevice.open`. */
export interface EmulatedDeviceOptions {
  /** The most bytes of memory that buffers, variables and launches may use in total; 1 GiB by default. */
  readonly memoryBytes?: number;
  /**
   * The most bytes that kernels may allocate with `malloc` and `new` at a time, as `cudaLimitMallocHeapSize`; 8 MiB by
   * default. They are part of `memoryBytes`.
   */
  readonly heapBytes?: number;
  /**
   * Whether the threads of a warp run in step between barriers, as on hardware before Volta: they execute each
   * instruction together and, where they diverge, meet at the immediate postdominator of the branch. It is meant for old
   * code that relies on this. Such launches run in the interpreter. False by default.
   */
  readonly lockstep?: boolean;
  /** The engine that runs kernels; `auto` by default. */
  readonly engine?: EngineName;
  /** Additional checks. They record findings, and launches continue. */
  readonly check?: Checks;
  /** The most findings that are kept; 100 by default. Equal findings count as one. */
  readonly mostFindings?: number;
  /**
   * Returns the calls that lead to an allocation, the innermost first. By default, they come from the JavaScript call
   * stack. It is only called if there are checks.
   */
  readonly allocatedAt?: () => readonly HostFrame[];
  /** Limits of every launch; the options of a launch override them. */
  readonly limits?: Limits;
  /**
   * Number of worker threads that share the blocks of a launch; 1 by default, which runs them on the calling thread.
   * From 2 on, the calling thread only waits and memory is shared, so a web page must be cross-origin isolated.
   * `dispose` stops the workers.
   */
  readonly workers?: number;
  /**
   * Creates a worker whose module is `@mm-ptx/emulator/worker` or imports it, for bundles that do not contain this
   * package's own worker file. Called by the first launch that uses workers.
   */
  readonly createWorker?: () => WorkerLike;
  /** Receives the text that kernels print, once per call of `printf`; by default, whole lines go to `console.log`. */
  readonly onPrint?: (text: string) => void;
}

/** The options with all defaults filled in. */
export interface DeviceSettings {
  readonly memoryBytes: number;
  readonly heapBytes: number;
  readonly lockstep: boolean;
  readonly engine: EngineName;
  readonly check: Required<Checks>;
  readonly mostFindings: number;
  readonly allocatedAt: (() => readonly HostFrame[]) | undefined;
  readonly limits: Limits;
  readonly workers: number;
  readonly createWorker: (() => WorkerLike) | undefined;
  readonly onPrint: (text: string) => void;
  /** Called after each launch. */
  readonly endPrint: () => void;
}

export const ENGINES = ["auto", "webassembly", "interpreter"] as const;
/** Reports are for people to read. */
const DEFAULT_FINDINGS = 100;
const MOST_FINDINGS = 100_000;
const DEFAULT_MEMORY = 2 ** 30;
export const MOST_WORKERS = 256;
/** Keeps an infinite loop from blocking the process forever. */
const DEFAULT_TIMEOUT = 60_000;

/** The check of an option `limits`. */
export const isLimits = isOptions({ instructions: isPositive, timeoutMs: isPositive, signal: isSignal });

const OPTIONS: OptionChecks = {
  memoryBytes: isWhole(1, MOST_MEMORY),
  heapBytes: isWhole(0, MOST_MEMORY),
  lockstep: isBoolean,
  engine: isOneOf(ENGINES),
  check: isOptions(Object.fromEntries(CHECKS.map((name) => [name, isBoolean]))),
  mostFindings: isWhole(1, MOST_FINDINGS),
  allocatedAt: isFunction,
  limits: isLimits,
  workers: isWhole(1, MOST_WORKERS),
  createWorker: isFunction,
  onPrint: isFunction,
};

/** @throws EmulatorError INVALID_ARGUMENT; UNSUPPORTED if threads cannot share memory */
export function settingsOf(options: EmulatedDeviceOptions): DeviceSettings {
  checkOptions(options, OPTIONS);
  const { memoryBytes = DEFAULT_MEMORY, engine = "auto", check = {}, limits, onPrint } = options;
  const { workers = 1, createWorker, mostFindings = DEFAULT_FINDINGS, allocatedAt } = options;
  const { heapBytes = DEFAULT_HEAP, lockstep = false } = options;
  const { memory = false, races = false, uninitialized = false, sync = false, leaks = false } = check;
  checkShared(workers);
  return {
    memoryBytes,
    heapBytes,
    lockstep,
    engine,
    check: { memory, races, uninitialized, sync, leaks },
    mostFindings,
    allocatedAt,
    limits: { timeoutMs: DEFAULT_TIMEOUT, ...givenLimits(limits) },
    workers,
    createWorker,
    ...(onPrint === undefined ? linesTo((line) => console.log(line)) : { onPrint, endPrint: () => {} }),
  };
}

/** @throws EmulatorError UNSUPPORTED if threads cannot share memory */
function checkShared(workers: number): void {
  const { crossOriginIsolated = true } = globalThis as { crossOriginIsolated?: boolean };
  if (workers > 1 && (typeof SharedArrayBuffer === "undefined" || !crossOriginIsolated)) {
    throw new EmulatorError(
      "UNSUPPORTED",
      "expected a page that is cross-origin isolated for `workers`, found one without shared memory",
    );
  }
}

/** The limits that are given; they have been checked by `isLimits`. */
export function givenLimits(limits: Limits = {}): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** Splits printed text into lines; the end of a launch also ends a line. */
function linesTo(write: (line: string) => void): Pick<DeviceSettings, "onPrint" | "endPrint"> {
  let rest = "";
  return {
    onPrint: (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) write(line);
    },
    endPrint: () => {
      if (rest !== "") write(rest);
      rest = "";
    },
  };
}
