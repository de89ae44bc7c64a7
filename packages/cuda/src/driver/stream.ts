// Streams: work that runs in order. A launch is encoded and handed to the device's thread; the next call that waits
// reports its outcome.

import type {
  DeviceEvent,
  DeviceKernel,
  DeviceStream,
  LaunchArgument,
  PreparedLaunch,
} from "@mm-ptx/types/device";
import { checkOpen, foreign, invalid } from "./check.js";
import type { CudaDevice } from "./device.js";
import { CudaEvent } from "./event.js";
import { CudaGraph } from "./graph.js";
import { type Held, Resource } from "./handle.js";
import { CudaKernel } from "./kernel.js";
import { CudaLaunch, type CudaLaunchOptions } from "./launch.js";
import { type CaptureUse, checkNotCaptured, type Queue, use } from "./queue.js";
import type { DeviceState } from "./state.js";

/** A stream of a GPU (CUDA Driver API, Stream Management). */
export class CudaStream extends Resource implements DeviceStream {
  readonly #state: DeviceState;
  readonly #queue: () => Queue;
  #records = new Uint8Array(0);

  /** @internal */
  constructor(state: DeviceState, queue: () => Queue, held: Held | undefined) {
    super("stream", held);
    this.#state = state;
    this.#queue = queue;
  }

  /** The device that it belongs to. */
  get device(): CudaDevice {
    return this.#state.device;
  }

  /** Whether the stream or its device has been disposed. */
  override get disposed(): boolean {
    return super.disposed || this.device.disposed;
  }

  /** @internal @throws CudaError DISPOSED, DEVICE_LOST */
  get queue(): Queue {
    this.checkOpen();
    const queue = this.#queue();
    queue.connection.check();
    return queue;
  }

  /** The handle (CUstream), for other code that calls the driver in this process. */
  get handle(): bigint {
    return this.queue.handle;
  }

  /**
   * Queues a launch and returns. Calls that wait, such as `synchronize` and copies, report its outcome.
   * @throws CudaError INVALID_ARGUMENT, DISPOSED, DEVICE_LOST
   * @throws TypeError for arguments without a type
   */
  launch(kernel: DeviceKernel, options: CudaLaunchOptions, args: readonly LaunchArgument[]): void;
  launch(prepared: PreparedLaunch): void;
  launch(
    first: DeviceKernel | PreparedLaunch,
    options?: CudaLaunchOptions,
    args?: readonly LaunchArgument[],
  ): void {
    const launch = this.#launchOf(first, options, args);
    // No code of the caller runs from here on.
    const { queue } = this;
    launch.check();
    queue.connection.submit(launch.recordFor(queue));
    this.#launched(launch, queue);
    if (launch !== first && queue.capture === undefined) launch.forget();
  }

  /**
   * Queues many launches with one call to the driver's thread.
   * @throws CudaError INVALID_ARGUMENT, DISPOSED, DEVICE_LOST; nothing is launched then
   */
  launchMany(launches: readonly PreparedLaunch[]): void {
    if (!Array.isArray(launches)) throw invalid("an array of prepared launches", launches);
    const read = Array.from({ length: launches.length }, (_, i) => this.#launchOf(launches[i]!));
    const { queue } = this;
    for (const launch of read) launch.check();
    if (read.length === 0) return;
    queue.connection.submit(this.#recordsOf(read, queue));
    for (const launch of read) this.#launched(launch, queue);
  }

  /** Makes subsequent work wait for a recorded event. @throws CudaError INVALID_ARGUMENT, DISPOSED */
  wait(event: DeviceEvent): void {
    const { queue } = this;
    checkNotCaptured(queue, NO_EVENTS);
    const { handle } = this.#event(event);
    queue.connection.post("cuStreamWaitEvent", [queue.handle, handle, 0], queue.begin());
  }

  /** Marks the end of the work that is queued now. @throws CudaError INVALID_ARGUMENT, DISPOSED */
  record(event: DeviceEvent): void {
    const { queue } = this;
    checkNotCaptured(queue, NO_EVENTS);
    this.#event(event).record(queue);
  }

  /**
   * Captures the launches, fills and copies between buffers that `work` queues on this stream as a graph; none of them
   * is executed now. Calls that wait, events, and copies of pageable host memory can't be captured.
   * @throws CudaError INVALID_ARGUMENT, DISPOSED, the driver's codes for captures such as STREAM_CAPTURE_INVALIDATED,
   * and whatever `work` throws
   */
  capture(work: () => void): CudaGraph {
    if (typeof work !== "function") throw invalid("a function that queues work", work);
    const { queue } = this;
    checkNotCaptured(queue, "captures can't be captured");
    const uses = new Set<CaptureUse>();
    queue.connection.call("cuStreamBeginCapture", [queue.handle, CAPTURE_RELAXED]);
    queue.capture = uses;
    queue.hold();
    let problem: { readonly error: unknown } | undefined;
    try {
      const result: unknown = work();
      if (result instanceof Promise) {
        // Asynchronous work is not allowed here, so its failure does not matter.
        result.catch(() => {});
        throw invalid("a function that queues work and returns nothing", result);
      }
    } catch (error) {
      problem = { error };
    } finally {
      queue.capture = undefined;
    }
    try {
      return CudaGraph.captured(this.#state, queue, uses, problem);
    } finally {
      queue.letGo();
    }
  }

  /** Waits for all queued work. @throws CudaError for failures in that work, DISPOSED, DEVICE_LOST */
  async synchronize(): Promise<void> {
    const { queue } = this;
    checkNotCaptured(queue);
    await queue.passed();
    queue.throwFailure();
  }

  /** Like `synchronize`, but blocks the event loop until the work is done. @throws CudaError */
  synchronizeSync(): void {
    const { queue } = this;
    checkNotCaptured(queue);
    const until = queue.last;
    queue.connection.call("cuStreamSynchronize", [queue.handle], { queue });
    queue.reached(until);
    queue.throwFailure();
  }

  /** Reads what the caller passed, which can run any code of the caller. */
  #launchOf(
    first: DeviceKernel | PreparedLaunch,
    options?: CudaLaunchOptions,
    args?: readonly LaunchArgument[],
  ): CudaLaunch {
    if (CudaLaunch.is(first)) {
      if (first.kernel.module.device !== this.device) throw foreign("launch");
      return first;
    }
    if (!(first instanceof CudaKernel)) throw invalid("a kernel or a prepared launch of this device", first);
    if (first.module.device !== this.device) throw foreign("kernel");
    return first.launchWith(options!, args!, this.queue.capture !== undefined);
  }

  /** All records in memory that is reused. */
  #recordsOf(launches: readonly CudaLaunch[], queue: Queue): Uint8Array {
    const bytes = launches.reduce((sum, { recordBytes }) => sum + recordBytes, 0);
    if (this.#records.length < bytes) this.#records = new Uint8Array(2 * bytes);
    let at = 0;
    for (const launch of launches) {
      this.#records.set(launch.recordFor(queue), at);
      at += launch.recordBytes;
    }
    return this.#records.subarray(0, bytes);
  }

  #launched(launch: CudaLaunch, queue: Queue): void {
    use(launch, queue);
    if (queue.capture === undefined) queue.onLaunch?.();
  }

  #event(event: DeviceEvent): CudaEvent {
    if (!(event instanceof CudaEvent)) throw invalid("an event of this device", event);
    if (event.device !== this.device) throw foreign("event");
    checkOpen("event", event.disposed);
    return event;
  }
}

const NO_EVENTS = "events can't be captured";

/** CU_STREAM_CAPTURE_MODE_RELAXED: other streams of this thread continue meanwhile. */
const CAPTURE_RELAXED = 2;
