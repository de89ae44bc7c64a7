// Pools: memory that is allocated and freed in stream order, without waiting for the device.

import type { DeviceResource, DeviceStream } from "@mm-ptx/types/device";
import { CudaBuffer } from "./buffer.js";
import { checkNames, wholeNumber } from "./check.js";
import type { CudaDevice } from "./device.js";
import { destroyedBy, Handle, Resource } from "./handle.js";
import { checkNotCaptured } from "./queue.js";
import type { DeviceState } from "./state.js";

/** Options for creating a pool. */
export interface PoolOptions {
  /** The pool's maximum size in bytes; 0, the default, means the device's memory size. */
  readonly maxBytes?: number;
  /** Bytes of unused memory that the pool keeps when the device is synchronized; 0 by default. */
  readonly releaseThreshold?: number;
}

/** The position in stream order of an allocation. */
export interface PoolAllocateOptions {
  /** The device's default stream if omitted. */
  readonly stream?: DeviceStream;
}

/** Numbers of CUmemPool_attribute (CUDA Driver API, Data types). */
const RELEASE_THRESHOLD = 4;
const RESERVED = 5;
const USED = 7;

/** A pool of a GPU (CUDA Driver API, Stream Ordered Memory Allocator), from CUDA 11.2 on. */
export class CudaMemoryPool extends Resource implements DeviceResource {
  readonly #state: DeviceState;
  readonly #pool: Handle;

  private constructor(state: DeviceState, pool: Handle) {
    super("pool", pool);
    pool.enter();
    this.#state = state;
    this.#pool = pool;
  }

  /** @internal @throws CudaError */
  static create(state: DeviceState, options: PoolOptions): CudaMemoryPool {
    checkNames(options, ["maxBytes", "releaseThreshold"]);
    const { maxBytes = 0, releaseThreshold = 0 } = options;
    wholeNumber("maxBytes", maxBytes, 0, Number.MAX_SAFE_INTEGER);
    wholeNumber("releaseThreshold", releaseThreshold, 0, Number.MAX_SAFE_INTEGER);
    const connection = state.connection();
    const value = connection.call("cuMemPoolCreate", [maxBytes]).values[0]!;
    const pool = new CudaMemoryPool(state, new Handle(connection, value, destroyedBy("cuMemPoolDestroy")));
    if (releaseThreshold > 0)
      connection.call("cuMemPoolSetAttribute", [value, RELEASE_THRESHOLD, releaseThreshold]);
    return pool;
  }

  /** @internal The device's default pool, which is never destroyed. @throws CudaError */
  static ofDevice(state: DeviceState): CudaMemoryPool {
    const connection = state.connection();
    const value = connection.call("cuDeviceGetDefaultMemPool", [state.ordinal]).values[0]!;
    return new CudaMemoryPool(state, new Handle(connection, value, () => {}));
  }

  /** The device that it belongs to. */
  get device(): CudaDevice {
    return this.#state.device;
  }

  /** Whether the pool or its device has been disposed. */
  override get disposed(): boolean {
    return super.disposed || this.device.disposed;
  }

  /** Bytes that the pool has reserved on the device. @throws CudaError DISPOSED, DEVICE_LOST */
  get reservedBytes(): number {
    return this.#attribute(RESERVED);
  }

  /** Bytes that buffers use. @throws CudaError DISPOSED, DEVICE_LOST */
  get usedBytes(): number {
    return this.#attribute(USED);
  }

  /**
   * Allocates memory for subsequent work of a stream; other streams must wait for an event of that stream. Disposing
   * the buffer frees the memory in stream order, so later work of the stream may reuse it for other buffers.
   * @throws CudaError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST
   */
  allocate(bytes: number, options: PoolAllocateOptions = {}): CudaBuffer<Uint8Array> {
    checkNames(options, ["stream"]);
    const { stream } = options;
    this.#check();
    wholeNumber("bytes", bytes, 1, Number.MAX_SAFE_INTEGER);
    const { queue } = this.#state.streamOf(stream);
    checkNotCaptured(queue, "pool memory can't be allocated");
    const { connection, value } = this.#pool;
    const asked = `${bytes} bytes`;
    const slots = [bytes, value, queue.handle];
    const address = connection.call("cuMemAllocFromPoolAsync", slots, { asked, queue }).values[0]!;
    this.#pool.enter();
    queue.hold();
    const memory = new Handle(
      connection,
      address,
      () => {
        connection.post("cuMemFreeAsync", [address, queue.handle], queue.begin());
        this.#pool.useOn(queue);
        this.#pool.leave();
        queue.letGo();
      },
      queue,
    );
    return new CudaBuffer(this.#state, { memory, address, byteLength: bytes }, Uint8Array);
  }

  /** Returns memory that no buffer uses to the device, except for `keepBytes`. @throws CudaError */
  trim(keepBytes = 0): void {
    this.#check();
    wholeNumber("keepBytes", keepBytes, 0, Number.MAX_SAFE_INTEGER);
    this.#pool.connection.call("cuMemPoolTrimTo", [this.#pool.value, keepBytes]);
  }

  #attribute(number: number): number {
    this.#check();
    const { connection, value } = this.#pool;
    return Number(connection.call("cuMemPoolGetAttribute", [value, number]).values[0]!);
  }

  #check(): void {
    this.checkOpen();
    this.#pool.connection.check();
  }
}
