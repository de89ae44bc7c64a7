// Events: points in a stream that other streams and JavaScript can wait for and measure time between.

import type { DeviceEvent } from "@mm-ptx/types/device";
import { checkOpen, foreign, invalid, refuse } from "./check.js";
import type { CudaDevice } from "./device.js";
import { destroyedBy, Handle, Resource } from "./handle.js";
import type { Queue } from "./queue.js";
import { NOT_READY, SUCCESS } from "./results.js";
import type { DeviceState } from "./state.js";

/** An event of a GPU (CUDA Driver API, Event Management). */
export class CudaEvent extends Resource implements DeviceEvent {
  readonly #state: DeviceState;
  readonly #event: Handle;
  #recorded: { readonly queue: Queue; readonly work: number } | undefined;

  /** @internal */
  constructor(state: DeviceState) {
    const connection = state.connection();
    const value = connection.call("cuEventCreate", [0]).values[0]!;
    const event = new Handle(connection, value, destroyedBy("cuEventDestroy"));
    super("event", event);
    event.enter();
    this.#state = state;
    this.#event = event;
  }

  /** The device that it belongs to. */
  get device(): CudaDevice {
    return this.#state.device;
  }

  /** Whether the event or its device has been disposed. */
  override get disposed(): boolean {
    return super.disposed || this.device.disposed;
  }

  /** The handle (CUevent), for other code that calls the driver in this process. */
  get handle(): bigint {
    this.checkOpen();
    this.#event.connection.check();
    return this.#event.value;
  }

  /**
   * Whether the stream has reached the event, or the event was never recorded.
   * @throws CudaError for failures of the work before it, DISPOSED, DEVICE_LOST
   */
  get done(): boolean {
    const { handle } = this;
    const recorded = this.#recorded;
    if (recorded === undefined || recorded.queue.isDone(recorded.work)) return true;
    const { connection } = this.#event;
    const reply = connection.ask("cuEventQuery", [handle]);
    if (reply.status === NOT_READY) return false;
    if (reply.status !== SUCCESS) throw connection.failure(reply);
    recorded.queue.reached(recorded.work);
    return true;
  }

  /** @internal */
  record(queue: Queue): void {
    queue.connection.post("cuEventRecord", [this.handle, queue.handle], queue.begin());
    this.#recorded = { queue, work: queue.last };
  }

  /**
   * Waits until the stream reaches the event, but not for work that was queued after it. @throws CudaError DISPOSED,
   * DEVICE_LOST
   */
  async synchronize(): Promise<void> {
    const { handle } = this;
    const recorded = this.#recorded;
    if (recorded === undefined || recorded.queue.isDone(recorded.work)) return;
    await this.#state.afterEvent(handle);
    recorded.queue.reached(recorded.work);
  }

  /**
   * Milliseconds between two events.
   * @throws CudaError INVALID_ARGUMENT if an event is not recorded or not done; DISPOSED, DEVICE_LOST
   */
  elapsedSince(start: DeviceEvent): number {
    if (!(start instanceof CudaEvent)) throw invalid("an event of this device", start);
    if (start.device !== this.device) throw foreign("event");
    checkOpen("event", start.disposed);
    const { handle } = this;
    if (this.#recorded === undefined || start.#recorded === undefined || !start.done || !this.done)
      throw refuse("expected two completed events, found a pending one");
    const { values } = this.#event.connection.call("cuEventElapsedTime", [start.handle, handle]);
    return float32Of(values[0]!);
  }
}

const word = new DataView(new ArrayBuffer(8));

/** The f32 whose bits are in the low word. */
function float32Of(bits: bigint): number {
  word.setBigUint64(0, bits, true);
  return word.getFloat32(0, true);
}
