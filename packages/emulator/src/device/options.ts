// How a device is opened, checked once.
import { EmulatorError } from "../error.js";
import { MOST_MEMORY } from "../run/paged-memory.js";
import type { WorkerLike } from "../workers/hand.js";
import { checkNames, invalid, oneOf, optionalFunction, positive, wholeNumber } from "./check.js";

/** What runs kernels: WebAssembly that kernels are translated to, the interpreter, or what serves best. */
export type EngineName = "auto" | "webassembly" | "interpreter";

/** What ends a launch before its time. */
export interface Limits {
  /** Instructions that all threads of a launch together may execute; no limit by default. */
  readonly instructions?: number;
  /** Milliseconds that a launch may take, a minute by default; Infinity for as long as it likes. */
  readonly timeoutMs?: number;
  /**
   * With workers it ends a launch within milliseconds. Otherwise it is looked at between blocks: the thread that would raise
   * it runs the kernel.
   */
  readonly signal?: AbortSignal;
}

/** What is looked for besides wrong accesses. Launches with such checks are interpreted. */
export interface Checks {
  /** Two threads of a block that touch the same memory without a barrier between, one of them writing. */
  readonly races?: boolean;
  /** Reads of registers and shared memory that nobody wrote. */
  readonly uninitialized?: boolean;
}

/** How `EmulatedDevice.open` makes a device. */
export interface EmulatedDeviceOptions {
  /** Bytes of memory that buffers, variables and launches may take together; 1 GiB by default. */
  readonly memoryBytes?: number;
  /** `auto` by default. */
  readonly engine?: EngineName;
  readonly check?: Checks;
  /** For every launch; those of a launch go before. */
  readonly limits?: Limits;
  /**
   * Threads of the machine that share the blocks of a launch; 1 by default, which is the caller. From 2 on the caller only
   * waits, and memory is shared: a page has to be cross-origin isolated. End them with `dispose`.
   */
  readonly workers?: number;
  /**
   * Makes a worker whose module is `@mm-ptx/emulator/worker`, or imports that; for bundles that have no file of this
   * package's own. Called by the first launch that workers are for.
   */
  readonly createWorker?: () => WorkerLike;
  /** Gets what kernels print, one call of `printf` each; by default whole lines go to `console.log`. */
  readonly onPrint?: (text: string) => void;
}

/** Options with everything that was left out. */
export interface DeviceSettings {
  readonly memoryBytes: number;
  readonly engine: EngineName;
  readonly check: Required<Checks>;
  readonly limits: Limits;
  readonly workers: number;
  readonly createWorker: (() => WorkerLike) | undefined;
  readonly onPrint: (text: string) => void;
  /** Told after each launch. */
  readonly endPrint: () => void;
}

export const ENGINES = ["auto", "webassembly", "interpreter"] as const;
const DEFAULT_MEMORY = 2 ** 30;
export const MOST_WORKERS = 256;
/** So that a loop without end is not the end of the process. */
const DEFAULT_TIMEOUT = 60_000;

/** @throws EmulatorError INVALID_INPUT */
export function settingsOf(options: EmulatedDeviceOptions): DeviceSettings {
  checkNames(options, [
    ...(["memoryBytes", "engine", "check", "limits", "workers", "createWorker", "onPrint"] as const),
  ]);
  const { memoryBytes = DEFAULT_MEMORY, engine = "auto", check = {}, limits, onPrint } = options;
  const { workers = 1, createWorker } = options;
  optionalFunction("onPrint", onPrint);
  optionalFunction("createWorker", createWorker);
  return {
    memoryBytes: wholeNumber("memoryBytes", memoryBytes, 1, MOST_MEMORY),
    engine: oneOf("engine", ENGINES, engine),
    check: checksOf(check),
    limits: { timeoutMs: DEFAULT_TIMEOUT, ...checkLimits(limits) },
    workers: workersOf(workers),
    createWorker,
    ...(onPrint === undefined ? linesTo((line) => console.log(line)) : { onPrint, endPrint: () => {} }),
  };
}

/** @throws EmulatorError INVALID_INPUT; UNSUPPORTED where threads can't share memory */
function workersOf(workers: number): number {
  wholeNumber("workers", workers, 1, MOST_WORKERS);
  const { crossOriginIsolated = true } = globalThis as { crossOriginIsolated?: boolean };
  if (workers > 1 && (typeof SharedArrayBuffer === "undefined" || !crossOriginIsolated)) {
    throw new EmulatorError(
      "UNSUPPORTED",
      "expected a page that is cross-origin isolated for `workers`, found one without shared memory",
    );
  }
  return workers;
}

function checksOf(check: Checks): Required<Checks> {
  checkNames(check, ["races", "uninitialized"]);
  const { races = false, uninitialized = false } = check;
  for (const [name, value] of Object.entries({ races, uninitialized })) {
    if (typeof value !== "boolean") throw invalid(`\`${name}\` as a boolean`, value);
  }
  return { races, uninitialized };
}

/**
 * Those limits that are there.
 * @throws EmulatorError INVALID_INPUT
 */
export function checkLimits(limits: Limits = {}): Limits {
  checkNames(limits, ["instructions", "timeoutMs", "signal"]);
  const { instructions, timeoutMs, signal } = limits;
  if (instructions !== undefined) positive("instructions", instructions);
  if (timeoutMs !== undefined) positive("timeoutMs", timeoutMs);
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalid("`signal` as an AbortSignal", signal);
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** Pieces of text as lines; the end of a launch ends a line, too. */
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
