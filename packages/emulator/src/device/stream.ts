// Streams and events. All streams of a device share its queue: work is done in the order in which it was asked for.
import type {
  DeviceEvent,
  DeviceGraph,
  DeviceKernel,
  DeviceStream,
  LaunchArgument,
  LaunchOptions,
  PreparedLaunch,
} from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import { checkOpen, foreign, invalid } from "./check.js";
import type { EmulatedDevice } from "./device.js";
import { EmulatedLaunch, type EmulatedLaunchOptions, type LaunchReport } from "./launch.js";
import { EmulatedKernel } from "./module.js";
import type { DeviceState } from "./state.js";

/** A stream of an emulated device. */
export class EmulatedStream implements DeviceStream {
  readonly #state: DeviceState;
  #disposed = false;

  /** @internal */
  constructor(state: DeviceState) {
    this.#state = state;
  }

  /** The device that it belongs to. */
  get device(): EmulatedDevice {
    return this.#state.device;
  }

  /** Whether it, or its device, was disposed of. */
  get disposed(): boolean {
    return this.#disposed || this.device.disposed;
  }

  /**
   * Queues a launch and returns. How it went is told by what waits: `synchronize`, copies.
   * @throws EmulatorError INVALID_INPUT, WRONG_ARGUMENT, DISPOSED; that of an earlier launch that failed
   * @throws TypeError for arguments that state no type
   */
  launch(kernel: DeviceKernel, options: EmulatedLaunchOptions, args: readonly LaunchArgument[]): void;
  launch(prepared: PreparedLaunch): void;
  launch(
    first: DeviceKernel | PreparedLaunch,
    options?: EmulatedLaunchOptions,
    args?: readonly LaunchArgument[],
  ): void {
    const launch = this.#prepared(first, options, args);
    this.#state.queue.start(() => launch.run());
  }

  launchMany(launches: readonly PreparedLaunch[]): void {
    if (!Array.isArray(launches)) throw invalid("an array of prepared launches", launches);
    const prepared = launches.map((launch) => this.#prepared(launch));
    for (const launch of prepared) this.#state.queue.start(() => launch.run());
  }

  /**
   * Launches and waits: only the emulator has this.
   * @returns which engine ran it, how long it took, and the counts of instructions if they were asked for
   * @throws EmulatorError as `launch`, and for whatever stopped it
   */
  async run(
    kernel: DeviceKernel,
    options: EmulatedLaunchOptions,
    args: readonly LaunchArgument[],
  ): Promise<LaunchReport> {
    const launch = this.#prepared(kernel, options, args);
    return this.#state.queue.start(() => launch.run());
  }

  wait(event: DeviceEvent): void {
    this.#check();
    // The queue has done whatever was recorded before this.
    this.#event(event);
  }

  /** Marks the end of what is queued now. @throws EmulatorError INVALID_INPUT, DISPOSED */
  record(event: DeviceEvent): void {
    this.#check();
    this.#event(event).record();
  }

  /** @throws EmulatorError UNSUPPORTED */
  capture(_work: () => void): DeviceGraph {
    throw new EmulatorError("UNSUPPORTED", "expected a device that has graphs, found an emulated one");
  }

  /** Waits for all that is queued. @throws EmulatorError of what went wrong in it, DISPOSED */
  async synchronize(): Promise<void> {
    this.#check();
    await this.#state.queue.add(() => {});
  }

  /** What is queued is still done. */
  dispose(): void {
    this.#disposed = true;
  }

  /** As `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #check(): void {
    checkOpen("stream", this.disposed);
  }

  #prepared(
    first: DeviceKernel | PreparedLaunch,
    options?: LaunchOptions,
    args?: readonly LaunchArgument[],
  ): EmulatedLaunch {
    this.#check();
    const { failure } = this.#state.queue;
    if (failure !== undefined) throw failure;
    if (first instanceof EmulatedKernel) {
      if (first.module.device !== this.device) throw foreign("kernel");
      return first.prepare(options!, args!);
    }
    if (!(first instanceof EmulatedLaunch))
      throw invalid("a kernel or a prepared launch of this device", first);
    if (first.state !== this.#state) throw foreign("launch");
    checkOpen("module", first.kernel.module.disposed);
    return first;
  }

  #event(event: DeviceEvent): EmulatedEvent {
    if (!(event instanceof EmulatedEvent)) throw invalid("an event of this device", event);
    if (event.device !== this.device) throw foreign("event");
    checkOpen("event", event.disposed);
    return event;
  }
}

/** An event of an emulated device. */
export class EmulatedEvent implements DeviceEvent {
  readonly #state: DeviceState;
  #recorded: Promise<void> = Promise.resolve();
  #pending = 0;
  /** As `performance.now()` tells it. */
  #time: number | undefined;
  #disposed = false;

  /** @internal */
  constructor(state: DeviceState) {
    this.#state = state;
  }

  /** The device that it belongs to. */
  get device(): EmulatedDevice {
    return this.#state.device;
  }

  /** Whether it, or its device, was disposed of. */
  get disposed(): boolean {
    return this.#disposed || this.device.disposed;
  }

  get done(): boolean {
    return this.#pending === 0;
  }

  /** @internal */
  record(): void {
    this.#pending++;
    this.#recorded = this.#state.queue
      .add(() => {
        this.#time = performance.now();
      })
      .finally(() => {
        this.#pending--;
      });
    // Nobody needs to wait for it.
    this.#recorded.catch(() => {});
  }

  /** Waits until the stream has got there. @throws EmulatorError DISPOSED */
  async synchronize(): Promise<void> {
    checkOpen("event", this.disposed);
    await this.#recorded;
  }

  /** @throws EmulatorError INVALID_INPUT for an event that was not recorded, or is not done */
  elapsedSince(start: DeviceEvent): number {
    if (!(start instanceof EmulatedEvent)) throw invalid("an event of this device", start);
    const [from, to] = [start.#time, this.#time];
    if (from === undefined || to === undefined || !start.done || !this.done) {
      throw new EmulatorError("INVALID_INPUT", "expected two events that are done, found one that is not");
    }
    return to - from;
  }

  /** It can't be recorded or waited for any more; twice without harm. */
  dispose(): void {
    this.#disposed = true;
  }

  /** As `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
