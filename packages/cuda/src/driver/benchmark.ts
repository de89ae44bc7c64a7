// Measures how long a kernel takes: launches between events, with cold or warm caches, and whether the device kept its
// clock rate meanwhile. It only needs the device interface, so it can also measure the emulator's wall-clock time.

import {
  type Device,
  type DeviceBuffer,
  type DeviceKernel,
  type DeviceStream,
  type LaunchArgument,
  type LaunchOptions,
  type PreparedLaunch,
  TypedArgument,
} from "@mm-ptx/types/device";
import { checkNames, invalid, optionalBoolean, optionalFunction, wholeNumber } from "./check.js";
import { ClockMeter } from "./clock-meter.js";
import { CudaDevice } from "./device.js";
import { type Summary, summarize } from "./statistics.js";

/** The launch to measure. */
export interface BenchmarkLaunch extends LaunchOptions {
  readonly args: readonly LaunchArgument[];
  /** The device's default stream if omitted. */
  readonly stream?: DeviceStream;
}

/** How to measure it. */
export interface BenchmarkOptions {
  /** The number of launches before the first one that counts; 10 by default. */
  readonly warmup?: number;
  /** The number of launches that count; 100 by default. */
  readonly repeat?: number;
  /** Overwrites the L2 cache before each launch, so that the launch finds none of its data there; `true` by default. */
  readonly flushL2?: boolean;
  /**
   * The number of buffer sets that launches cycle through: the given buffers, and copies of their contents from before
   * the first launch; 1 by default. If the sets together exceed the L2 cache, launches find their data in memory
   * without a flush.
   */
  readonly rotateBuffers?: number;
  /** Checks the output after the last launch, outside of the measured time. Whatever it throws is rethrown. */
  readonly verify?: () => void | Promise<void>;
}

/** A measurement. Times are microseconds per launch, taken with the device's events. */
export interface BenchmarkResult extends Summary {
  /** The time of each launch, in order. */
  readonly times: readonly number[];
  /**
   * The clock rate of the multiprocessors in MHz, measured on one of them before and after; undefined where it can't be
   * measured.
   */
  readonly clock: { readonly before: number; readonly after: number } | undefined;
  /** Whether the clock rate dropped by more than a twentieth; undefined where it is not known. */
  readonly throttled: boolean | undefined;
}

const OPTIONS = ["warmup", "repeat", "flushL2", "rotateBuffers", "verify"] as const;
/** The flush writes this multiple of the cache's size, so that no earlier data stays cached. */
const FLUSH_FACTOR = 2;
const MOST = 1_000_000;

/**
 * Measures a kernel.
 *
 * A small kernel that spins for a millisecond measures the clock rate (PTX ISA, `%clock64` and `%globaltimer`), which
 * requires a PTX compiler. It detects throttling that still lasts at the end; shorter throttling shows in `times` and
 * `spread`. Events resolve half a microsecond and a launch itself takes a few, so let shorter kernels do more work per
 * launch.
 *
 * @throws CudaError INVALID_ARGUMENT, and for whatever fails in a launch
 */
export async function benchmark(
  kernel: DeviceKernel,
  launch: BenchmarkLaunch,
  options: BenchmarkOptions = {},
): Promise<BenchmarkResult> {
  checkNames(options, OPTIONS);
  const { flushL2 = true, verify } = options;
  const warmup = wholeNumber("warmup", options.warmup ?? 10, 0, MOST);
  const repeat = wholeNumber("repeat", options.repeat ?? 100, 1, MOST);
  const sets = wholeNumber("rotateBuffers", options.rotateBuffers ?? 1, 1, MOST);
  optionalBoolean("flushL2", flushL2);
  optionalFunction("verify", verify);
  if (typeof kernel?.prepare !== "function") throw invalid("a kernel", kernel);
  if (typeof launch !== "object" || launch === null) throw invalid("a launch with its arguments", launch);
  const { device } = kernel.module;
  const { stream = device.stream } = launch;
  if (typeof stream?.launch !== "function") throw invalid("`stream` as a stream of the device", stream);

  const owned: Disposable[] = [];
  const own = <T extends Disposable>(one: T): T => {
    owned.push(one);
    return one;
  };
  try {
    const clocks = own(ClockMeter.for(device));
    const prepared = await preparedSets(kernel, launch, sets, own);
    const flush = flushL2 ? flusher(device, stream, own) : undefined;
    for (let i = 0; i < warmup; i++) stream.launch(prepared[i % sets]!);
    const before = await clocks.megahertz(stream);
    const pairs = Array.from(
      { length: repeat },
      () => [own(device.createEvent()), own(device.createEvent())] as const,
    );
    const flushed: Promise<void>[] = [];
    for (const [i, [start, end]] of pairs.entries()) {
      if (flush !== undefined) flushed.push(flush());
      stream.record(start);
      stream.launch(prepared[i % sets]!);
      stream.record(end);
    }
    // Failures of launches are reported to the first await that covers them.
    await Promise.all([...flushed, stream.synchronize()]);
    const after = await clocks.megahertz(stream);
    const times = pairs.map(([start, end]) => end.elapsedSince(start) * 1000);
    await verify?.();
    const clock = before === undefined || after === undefined ? undefined : { before, after };
    return { times, ...summarize(times), clock, throttled: ClockMeter.isThrottled(before, after) };
  } finally {
    for (const one of owned.reverse()) one[Symbol.dispose]();
  }
}

type Own = <T extends Disposable>(one: T) => T;

/** The launch with each set of buffers; the first set is the caller's. */
async function preparedSets(
  kernel: DeviceKernel,
  { args, stream, ...options }: BenchmarkLaunch,
  sets: number,
  own: Own,
): Promise<readonly PreparedLaunch[]> {
  const prepared = [kernel.prepare(options, args)];
  while (prepared.length < sets) {
    const copies = args.map((argument) =>
      isBuffer(argument) ? own(kernel.module.device.allocate(argument.byteLength)) : argument,
    );
    for (const [i, copy] of copies.entries()) {
      if (isBuffer(copy))
        await copy.copyFrom(args[i] as DeviceBuffer, stream === undefined ? {} : { stream });
    }
    prepared.push(kernel.prepare(options, copies));
  }
  return prepared;
}

const isBuffer = (argument: LaunchArgument): argument is DeviceBuffer => !(argument instanceof TypedArgument);

/** A function that overwrites the cache; undefined for devices without a cache. */
function flusher(device: Device, stream: DeviceStream, own: Own): (() => Promise<void>) | undefined {
  const bytes = device instanceof CudaDevice ? FLUSH_FACTOR * device.properties.l2CacheBytes : 0;
  if (bytes === 0) return undefined;
  const scratch = own(device.allocate(bytes));
  return () => {
    const done = scratch.fill(0, { stream });
    // If a launch is refused, nothing awaits this promise.
    done.catch(() => {});
    return done;
  };
}
