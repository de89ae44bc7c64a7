// Pinned host memory as an ArrayBuffer, which the device copies from and to directly. An isolated device runs in
// another process and can't pin memory of this one, so its host memory is an ordinary buffer.

import type { HostMemory } from "@mm-ptx/types/device";
import type { CudaDevice } from "./device.js";
import { CudaError } from "./error.js";
import { destroyedBy, Handle, Resource } from "./handle.js";
import type { Queue } from "./queue.js";
import type { DeviceState } from "./state.js";

const pinnedBuffers = new WeakMap<ArrayBufferLike, CudaHostMemory>();

/** The pinned memory of this device that backs a buffer; undefined for all other buffers. */
export function pinnedOf(buffer: ArrayBufferLike, device: CudaDevice): CudaHostMemory | undefined {
  const memory = pinnedBuffers.get(buffer);
  return memory?.device === device && !memory.disposed ? memory : undefined;
}

/** Host memory of a GPU (CUDA Driver API, cuMemHostAlloc). */
export class CudaHostMemory extends Resource implements HostMemory {
  readonly buffer: ArrayBuffer;
  readonly #state: DeviceState;
  readonly #memory: Handle | undefined;

  private constructor(state: DeviceState, buffer: ArrayBuffer, memory: Handle | undefined) {
    super("host memory", memory);
    memory?.enter();
    this.#state = state;
    this.#memory = memory;
    this.buffer = buffer;
    if (memory !== undefined) pinnedBuffers.set(buffer, this);
  }

  /** @internal @throws CudaError OUT_OF_MEMORY */
  static allocate(state: DeviceState, bytes: number): CudaHostMemory {
    const connection = state.connection();
    const { addon } = connection.hub;
    if (connection.isolated || bytes === 0)
      return new CudaHostMemory(state, ordinaryBuffer(bytes), undefined);
    const asked = `${bytes} bytes`;
    const address = connection.call("cuMemHostAlloc", [bytes, 0], { asked }).values[0]!;
    const buffer = addon.hostBuffer(connection.native, address, bytes);
    if (buffer === undefined) {
      connection.post("cuMemFreeHost", [address]);
      return new CudaHostMemory(state, ordinaryBuffer(bytes), undefined);
    }
    Object.defineProperties(buffer, UNTRANSFERABLE);
    const memory = new Handle(connection, address, destroyedBy("cuMemFreeHost"));
    return new CudaHostMemory(state, buffer, memory);
  }

  /** The device that it belongs to. */
  get device(): CudaDevice {
    return this.#state.device;
  }

  /** Whether copies need no intermediate memory. */
  get pinned(): boolean {
    return this.#memory !== undefined;
  }

  /** @internal */
  get address(): bigint {
    return this.#memory!.value;
  }

  /** Whether the memory or its device has been disposed. */
  override get disposed(): boolean {
    return super.disposed || this.device.disposed;
  }

  /** Detaches the buffer, and frees the memory once work in flight that needs it is done. You can call it more than once. */
  override dispose(): void {
    if (super.disposed) return;
    if (this.#memory === undefined) structuredClone(this.buffer, { transfer: [this.buffer] });
    else this.#memory.connection.hub.addon.detachBuffer(this.buffer);
    super.dispose();
  }

  /** @internal @throws CudaError DISPOSED, DEVICE_LOST */
  check(): void {
    this.checkOpen();
    this.#memory?.connection.check();
  }

  /** @internal */
  useOn(queue: Queue): void {
    this.#memory?.useOn(queue);
  }
}

const refuseTransfer = {
  value: (): never => {
    throw new CudaError("INVALID_ARGUMENT", "expected a buffer that can be transferred, found pinned memory");
  },
};

// If its memory moved to another buffer, that buffer would still hold it after it is freed here. Node itself refuses
// to post or clone the buffer with its memory. `markAsUntransferable` would forbid the detaching as well: then
// `dispose` ends the process on Node 24 and later.
const UNTRANSFERABLE = { transfer: refuseTransfer, transferToFixedLength: refuseTransfer };

function ordinaryBuffer(bytes: number): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes);
  } catch (cause) {
    throw new CudaError("OUT_OF_MEMORY", `could not allocate ${bytes} bytes of host memory`, {
      cause,
    });
  }
}
