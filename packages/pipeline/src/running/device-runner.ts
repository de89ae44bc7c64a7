// Runs packs on one device: loads the module, launches its programs, and reads what they wrote.
import { benchmark, ClockMeter } from "@mm-ptx/cuda";
import { MmPtxError } from "@mm-ptx/types/core";
import type { DeviceModule } from "@mm-ptx/types/device";
import { PipelineError } from "../error.js";
import { outputsOf } from "../launch/resolved.js";
import { type OpenReduction, type OutputMemory, openReduction } from "../reading/open.js";
import type { Reading, ScoreReading } from "../reading/reading.js";
import { changeOf } from "../timing/changes.js";
import type { TimingOptions } from "../timing/options.js";
import { timePack } from "../timing/time-pack.js";
import type { TimedProgram } from "../timing/timed.js";
import { faultOf, RefusedLaunch } from "./fault.js";
import { packLaunches, prepared, programLaunch } from "./launches.js";
import { PackMemory } from "./pack-memory.js";
import { quietly } from "./quietly.js";
import type { RunnerDevice } from "./recovery.js";
import type {
  PackAnswer,
  PackFault,
  PackRan,
  PackRunner,
  PackWork,
  ProgramReadings,
  TimeAnswer,
} from "./work.js";

/** How a runner reads and times programs. */
export interface RunnerOptions {
  readonly reading: Reading;
  /** How programs are timed; undefined for devices that measure no time. */
  readonly timing?: TimingOptions | undefined;
}

/** Halves of smaller packs are found as fast. */
const LEAST_SEARCHED = 5;
/** The most programs of a pack that are found at once. */
const MOST_CULPRITS = 4;

export class DeviceRunner implements PackRunner {
  readonly #device: RunnerDevice;
  readonly #reading: Reading;
  readonly #timing: TimingOptions | undefined;
  /** What is on the device; after a failure, it is made again. */
  #memory: PackMemory | undefined;
  #reduction: OpenReduction | undefined;
  #clock: ClockMeter | undefined;
  #isRunning = false;
  /** Whether the last work made the device unusable. */
  #hasLostDevice = false;
  /** Whether the work that is going on has launched its programs. */
  #hasLaunched = false;
  #isDisposed = false;

  constructor(device: RunnerDevice, { reading, timing }: RunnerOptions) {
    this.#device = device;
    this.#reading = reading;
    this.#timing = timing;
  }

  async run(work: PackWork): Promise<PackAnswer> {
    const answer = await this.#attempt(() => this.#run(work));
    if (answer.ok || answer.isLost || !this.#hasLostDevice || work.count < LEAST_SEARCHED) return answer;
    return this.#withCulprits(answer, work);
  }

  /** Times a program, and checks that its machine code then still computes the same. */
  time(work: PackWork): Promise<TimeAnswer> {
    return this.#attempt(async () => {
      const began = performance.now();
      const timed = await this.#time(work);
      return { ok: true, timed, milliseconds: performance.now() - began };
    });
  }

  /** Frees everything, after the work that is going on. */
  dispose(): void {
    this.#isDisposed = true;
    if (!this.#isRunning) this.#end();
  }

  async #attempt<Answer>(work: () => Promise<Answer>): Promise<Answer | PackFault> {
    this.#isRunning = true;
    this.#hasLaunched = false;
    this.#hasLostDevice = false;
    try {
      for (let isFirst = true; ; isFirst = false) {
        if (this.#isDisposed) return faultOf(disposed(), undefined);
        try {
          return await work();
        } catch (error) {
          const { isLost } = this.#device;
          this.#hasLostDevice = isLost && this.#hasLaunched;
          this.#forget();
          const lost = await this.#device.recover();
          // A device that was lost before the launch is not lost because of it.
          if (!isLost || this.#hasLaunched || !isFirst || lost !== undefined) return faultOf(error, lost);
        }
      }
    } finally {
      this.#isRunning = false;
      if (this.#isDisposed) this.#end();
    }
  }

  async #run(work: PackWork): Promise<PackRan> {
    const began = performance.now();
    return this.#withModule(work, async (module, memory) => {
      const loaded = performance.now();
      await this.#launch(module, work, memory);
      const launched = performance.now();
      const readings = await this.#read(work, memory);
      const read = performance.now();
      const timed =
        this.#timing?.programs === "all" ? await this.#timeAll(module, work, memory, readings) : undefined;
      const timing = performance.now() - read;
      const times = { load: loaded - began, launch: launched - loaded, read: read - launched, timing };
      return { ok: true, ...readings, timed, times };
    });
  }

  /**
   * Finds programs that made the device unusable, by launching each by itself. That starts the device again once for each of them, and
   * needs no other machine code; halves of the pack would do both several times.
   */
  async #withCulprits(fault: PackFault, work: PackWork): Promise<PackFault> {
    const members: number[] = [];
    for (let next = 0; next < work.count && members.length < MOST_CULPRITS; next++) {
      const answer = await this.#attempt(async () => {
        await this.#launchEach(work, next, (program) => {
          next = program;
        });
        return { ok: true } as const;
      });
      if (answer.ok || !this.#hasLaunched) break;
      if (answer.isLost || answer.isCallers) return answer;
      members.push(next);
    }
    return { ...fault, members };
  }

  /** Launches one program after the other, from `first` on, if they can be launched by themselves. */
  #launchEach(work: PackWork, first: number, begin: (program: number) => void): Promise<void> {
    return this.#withModule(work, async (module, memory) => {
      const { stream } = module.device;
      await memory.prepare(work);
      for (let program = first; program < work.count; program++) {
        const launch = programLaunch(module, work, memory, program);
        if (launch === undefined) return;
        begin(program);
        this.#hasLaunched = true;
        stream.launchMany([prepared(launch)]);
        await stream.synchronize();
      }
    });
  }

  /** Loads the module of a pack and makes room for it. */
  async #withModule<Result>(
    work: PackWork,
    use: (module: DeviceModule, memory: PackMemory) => Promise<Result>,
  ): Promise<Result> {
    const { current } = this.#device;
    const module = current.load(work.source);
    this.#memory ??= new PackMemory(current);
    const memory = this.#memory;
    try {
      return await use(module, memory);
    } finally {
      memory.freeParts();
      quietly(() => module.dispose());
    }
  }

  /** Runs all programs. */
  async #launch(module: DeviceModule, work: PackWork, memory: PackMemory): Promise<void> {
    const { stream } = module.device;
    await memory.prepare(work);
    const launches = packLaunches(module, work, memory);
    this.#hasLaunched = true;
    stream.launchMany(launches);
    await stream.synchronize();
  }

  async #timeAll(
    module: DeviceModule,
    work: PackWork,
    memory: PackMemory,
    before: ProgramReadings,
  ): Promise<readonly TimedProgram[]> {
    this.#clock ??= ClockMeter.for(module.device);
    const { times, isThrottled } = await timePack(module, work, memory, {
      ...this.#timing,
      clock: this.#clock,
    });
    await this.#launch(module, work, memory);
    const after = await this.#read(work, memory);
    return times.map((microseconds, member) =>
      timedProgram(microseconds, isThrottled, before, after, member),
    );
  }

  #time(work: PackWork): Promise<TimedProgram> {
    return this.#withModule(work, async (module, memory) => {
      await this.#launch(module, work, memory);
      const before = await this.#read(work, memory);
      const launch = programLaunch(module, work, memory, 0)!;
      const { kernel, ...rest } = launch;
      // It also allows the kernel its dynamic shared memory.
      prepared(launch);
      const { warmup = 10, repeat = 100, flushL2 = true, rotateBuffers = 1 } = this.#timing!;
      const { median, throttled } = await benchmark(kernel, rest, { warmup, repeat, flushL2, rotateBuffers });
      await this.#launch(module, work, memory);
      return timedProgram(median, throttled, before, await this.#read(work, memory), 0);
    });
  }

  async #read(work: PackWork, memory: PackMemory): Promise<ProgramReadings> {
    if (this.#reading.kind === "outputs") return { outputs: await memory.read(work), scores: undefined };
    const memories = memory.outputs(work);
    const scores: (number | string)[] = [];
    for (const outputs of memories)
      scores.push(...(await this.#scores(this.#reading, outputs, work, work.count / memories.length)));
    return { outputs: [], scores };
  }

  /**
   * The programs have run before, so they are not at fault if this fails.
   *
   * @throws RefusedLaunch; OUT_OF_MEMORY, for which the pack is too large
   */
  async #scores(
    reading: ScoreReading,
    buffers: readonly OutputMemory[],
    { plan }: PackWork,
    count: number,
  ): Promise<readonly (number | string)[]> {
    try {
      this.#reduction ??= await openReduction(reading, this.#device.current, outputsOf(plan));
      return await this.#reduction.scores(buffers, count);
    } catch (cause) {
      if (cause instanceof MmPtxError && cause.code === "OUT_OF_MEMORY") throw cause;
      throw new RefusedLaunch("the scores can't be computed", { cause });
    }
  }

  #end(): void {
    this.#forget();
    this.#device[Symbol.dispose]();
  }

  /** After a failure, memory may be lost or have been written by whoever failed. */
  #forget(): void {
    const owned = [this.#memory, this.#reduction, this.#clock];
    this.#memory = undefined;
    this.#reduction = undefined;
    this.#clock = undefined;
    for (const one of owned) quietly(() => one?.[Symbol.dispose]());
  }
}

function timedProgram(
  microseconds: number | undefined,
  isThrottled: boolean | undefined,
  before: ProgramReadings,
  after: ProgramReadings,
  member: number,
): TimedProgram {
  const change = changeOf(before, after, member);
  return {
    ...(microseconds === undefined ? {} : { microseconds }),
    ...(isThrottled === undefined ? {} : { isThrottled }),
    ...(change === undefined ? {} : { change }),
  };
}

const disposed = (): PipelineError =>
  new PipelineError("DISPOSED", "expected an open pipeline, found a disposed one");
