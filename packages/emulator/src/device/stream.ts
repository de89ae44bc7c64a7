// Streams and events. All streams of a device share its queue, so work runs in the order in which it was queued.
import type {
  DeviceEvent,
  DeviceGraph,
  DeviceKernel,
  DeviceStream,
  LaunchArgument,
  LaunchOptions,
  PreparedLaunch,
} from "@mm-ptx/types/device";
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

  /** The device that owns this stream. */
  get device(): EmulatedDevice {
    return this.#state.device;
  }

  /** Whether this stream or its device has been disposed. */
  get disposed(): boolean {
    return this.#disposed || this.device.disposed;
  }

  /**
   * Queues a launch and returns immediately. A failure is reported by whatever waits for it: `synchronize` or a copy.
   * @throws EmulatorError INVALID_ARGUMENT, DISPOSED; the error of an earlier launch that failed
   * @throws TypeError for arguments without a type
   */
  launch(kernel: DeviceKernel, options: EmulatedLaunchOptions, args: readonly LaunchArgument[]): void;
  launch(prepared: PreparedLaunch): void;
  launch(
    first: DeviceKernel | PreparedLaunch,
    options?: EmulatedLaunchOptions,
    args?: readonly LaunchArgument[],
  ): void {
    this.#start([this.#prepared(first, options, args)]);
  }

  launchMany(launches: readonly PreparedLaunch[]): void {
    if (!Array.isArray(launches)) throw invalid("an array of prepared launches", launches);
    this.#start(Array.from({ length: launches.length }, (_, i) => this.#prepared(launches[i]!)));
  }

  /**
   * Launches a kernel and waits for it. Only the emulator has this method.
   * @returns which engine ran the launch, how long it took, and the instruction counts if they were requested
   * @throws EmulatorError as `launch` does, and when the launch fails or is stopped
   */
  async run(
    kernel: DeviceKernel,
    options: EmulatedLaunchOptions,
    args: readonly LaunchArgument[],
  ): Promise<LaunchReport> {
    const launch = this.#prepared(kernel, options, args);
    this.#check();
    return this.#state.queue.start(() => launch.run());
  }

  wait(event: DeviceEvent): void {
    this.#check();
    // All work shares one queue, so everything recorded before this has already run.
    this.#event(event);
  }

  /** Records an event after the work that is queued now. @throws EmulatorError INVALID_ARGUMENT, DISPOSED */
  record(event: DeviceEvent): void {
    this.#check();
    this.#event(event).record();
  }

  /** Emulated devices do not support graphs. @throws EmulatorError UNSUPPORTED */
  capture(_work: () => void): DeviceGraph {
    throw new EmulatorError("UNSUPPORTED", "expected a device that supports graphs, found an emulated one");
  }

  /** Waits for all queued work. @throws EmulatorError if any of it failed, DISPOSED */
  async synchronize(): Promise<void> {
    this.#check();
    await this.#state.queue.add(() => {});
  }

  /** Closes the stream. Queued work still runs. */
  dispose(): void {
    this.#disposed = true;
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #check(): void {
    checkOpen("stream", this.disposed);
  }

  /** Reading what the caller passed can run code that disposes this stream. */
  #start(launches: readonly EmulatedLaunch[]): void {
    this.#check();
    for (const launch of launches) this.#state.queue.start(() => launch.run());
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
  /** In milliseconds of `performance.now()`. */
  #time: number | undefined;
  #disposed = false;

  /** @internal */
  constructor(state: DeviceState) {
    this.#state = state;
  }

  /** The device that owns this event. */
  get device(): EmulatedDevice {
    return this.#state.device;
  }

  /** Whether this event or its device has been disposed. */
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
    // The promise may be left unhandled.
    this.#recorded.catch(() => {});
  }

  /** Waits until the stream has reached the event. @throws EmulatorError DISPOSED */
  async synchronize(): Promise<void> {
    checkOpen("event", this.disposed);
    await this.#recorded;
  }

  /**
   * Milliseconds between `start` and this event.
   * @throws EmulatorError INVALID_ARGUMENT for an event that was not recorded or is not complete
   */
  elapsedSince(start: DeviceEvent): number {
    if (!(start instanceof EmulatedEvent)) throw invalid("an event of this device", start);
    const [from, to] = [start.#time, this.#time];
    if (from === undefined || to === undefined || !start.done || !this.done) {
      throw new EmulatorError("INVALID_ARGUMENT", "expected two completed events, found a pending one");
    }
    return to - from;
  }

  /** Closes the event: it can no longer be recorded or waited for. Repeated calls have no effect. */
  dispose(): void {
    this.#disposed = true;
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
