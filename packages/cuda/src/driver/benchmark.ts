// How long a kernel takes: launches between events, as far from each other's caches as is asked for, and whether the device
// kept its clock meanwhile. Needs only the interface of devices, so the emulator's time on the wall can be taken likewise.

import {
  type Device as AnyDevice,
  type DeviceBuffer,
  type DeviceKernel,
  type DeviceStream,
  type LaunchArgument,
  type LaunchOptions,
  type PreparedLaunch,
  TypedArgument,
} from "@mm-ptx/types/core";
import { checkNames, invalid, optionalBoolean, optionalFunction, wholeNumber } from "./check.js";
import { ClockMeter } from "./clock-meter.js";
import { Device } from "./device.js";
import { type Summary, summarize } from "./statistics.js";

/** The launch that is measured. */
export interface BenchmarkLaunch extends LaunchOptions {
  readonly args: readonly LaunchArgument[];
  /** The device's own by default. */
  readonly stream?: DeviceStream;
}

/** How it is measured. */
export interface BenchmarkOptions {
  /** Launches before the first one that counts; 10 by default. */
  readonly warmup?: number;
  /** Launches that count; 100 by default. */
  readonly repeat?: number;
  /** Overwrites the L2 cache before each launch, so that it finds none of its data there; `true` by default. */
  readonly flushL2?: boolean;
  /**
   * Sets of buffers that launches take in turn, the given ones and copies of them as they were before the first launch; 1
   * by default. With more than the L2 cache holds, launches find their data in memory although nothing is flushed.
   */
  readonly rotateBuffers?: number;
  /** Checks the output, after the last launch and out of the time. What it throws is thrown. */
  readonly verify?: () => void | Promise<void>;
}

/** What was measured. Times are microseconds, of one launch each, by events of the device. */
export interface BenchmarkResult extends Summary {
  /** Each launch, in order. */
  readonly times: readonly number[];
  /** MHz that the multiprocessors ran at, measured on one of them before and after; undefined where it can't be. */
  readonly clock: { readonly before: number; readonly after: number } | undefined;
  /** Whether the clock fell by more than a twentieth; undefined where it is not known. */
  readonly throttled: boolean | undefined;
}

const OPTIONS = ["warmup", "repeat", "flushL2", "rotateBuffers", "verify"] as const;
/** Beyond a share that clocks differ by from one moment to the next. */
const THROTTLED = 0.95;
/** So much more than the cache is written, that nothing of it stays. */
const FLUSH_FACTOR = 2;
const MOST = 1_000_000;

/**
 * Measures a kernel.
 *
 * The clock is measured by a kernel of ours that spins for a millisecond (PTX ISA, `%clock64` and `%globaltimer`), which needs
 * something that compiles PTX. It tells of throttling that is there at the end; of a shorter one `times` tell, and `spread`.
 * Events tell half a microsecond apart and a launch itself takes a few: for shorter kernels let one do more.
 *
 * @throws CudaError INVALID_INPUT, WRONG_ARGUMENT, and for what goes wrong in a launch
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
    // What a launch did wrong is told to whoever waits first.
    await Promise.all([...flushed, stream.synchronize()]);
    const after = await clocks.megahertz(stream);
    const times = pairs.map(([start, end]) => end.elapsedSince(start) * 1000);
    await verify?.();
    const clock = before === undefined || after === undefined ? undefined : { before, after };
    const throttled = clock === undefined ? undefined : clock.after < clock.before * THROTTLED;
    return { times, ...summarize(times), clock, throttled };
  } finally {
    for (const one of owned.reverse()) one[Symbol.dispose]();
  }
}

type Own = <T extends Disposable>(one: T) => T;

/** The launch with each set of buffers; the first one is the caller's. */
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

/** What overwrites the cache; undefined on devices that have none. */
function flusher(device: AnyDevice, stream: DeviceStream, own: Own): (() => Promise<void>) | undefined {
  const bytes = device instanceof Device ? FLUSH_FACTOR * device.properties.l2CacheBytes : 0;
  if (bytes === 0) return undefined;
  const scratch = own(device.allocate(bytes));
  return () => {
    const done = scratch.fill(0, { stream });
    // When a launch is refused nobody gets to wait for it.
    done.catch(() => {});
    return done;
  };
}
