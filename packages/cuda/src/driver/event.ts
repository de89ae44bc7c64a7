// Events: points in a stream that other streams and JavaScript wait for, and between which time is measured.

import type { DeviceEvent } from "@mm-ptx/types/core";
import { checkOpen, foreign, invalid, refuse } from "./check.js";
import type { Device } from "./device.js";
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
  get device(): Device {
    return this.#state.device;
  }

  /** Whether it, or its device, was disposed of. */
  override get disposed(): boolean {
    return super.disposed || this.device.disposed;
  }

  /** The handle (CUevent), for other code that calls the driver in this process. */
  get handle(): bigint {
    this.checkOpen();
    this.#event.connection.check();
    return this.#event.value;
  }

  /** Whether the stream has got there, or it was never recorded. @throws CudaError of what went wrong before it, DISPOSED, DEVICE_LOST */
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

  /** Waits until the stream has got there, and not for what was queued behind it. @throws CudaError DISPOSED, DEVICE_LOST */
  async synchronize(): Promise<void> {
    const { handle } = this;
    const recorded = this.#recorded;
    if (recorded === undefined || recorded.queue.isDone(recorded.work)) return;
    await this.#state.afterEvent(handle);
    recorded.queue.reached(recorded.work);
  }

  /** @throws CudaError INVALID_INPUT for an event that was not recorded, or is not done; DISPOSED, DEVICE_LOST */
  elapsedSince(start: DeviceEvent): number {
    if (!(start instanceof CudaEvent)) throw invalid("an event of this device", start);
    if (start.device !== this.device) throw foreign("event");
    checkOpen("event", start.disposed);
    const { handle } = this;
    if (this.#recorded === undefined || start.#recorded === undefined || !start.done || !this.done)
      throw refuse("expected two events that are done, found one that is not");
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
