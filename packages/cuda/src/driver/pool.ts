// Pools: memory that is taken and given back in the order of a stream's work, without waiting for the device.

import type { DeviceResource, DeviceStream } from "@mm-ptx/types/core";
import { CudaBuffer } from "./buffer.js";
import { checkNames, wholeNumber } from "./check.js";
import type { Device } from "./device.js";
import { destroyedBy, Handle, Resource } from "./handle.js";
import { checkNotCaptured } from "./queue.js";
import type { DeviceState } from "./state.js";

/** How a pool is made. */
export interface PoolOptions {
  /** Most bytes that it may have; 0, which is the default, for as many as the device has. */
  readonly maxBytes?: number;
  /** Bytes that it keeps for later when the device is waited for; 0 by default. */
  readonly releaseThreshold?: number;
}

/** Where in the work memory is taken. */
export interface PoolAllocateOptions {
  /** The device's own by default. */
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

  /** @internal The pool that is the device's, and stays. @throws CudaError */
  static ofDevice(state: DeviceState): CudaMemoryPool {
    const connection = state.connection();
    const value = connection.call("cuDeviceGetDefaultMemPool", [state.ordinal]).values[0]!;
    return new CudaMemoryPool(state, new Handle(connection, value, () => {}));
  }

  /** The device that it belongs to. */
  get device(): Device {
    return this.#state.device;
  }

  /** Whether it, or its device, was disposed of. */
  override get disposed(): boolean {
    return super.disposed || this.device.disposed;
  }

  /** Bytes that it has taken from the device. @throws CudaError DISPOSED, DEVICE_LOST */
  get reservedBytes(): number {
    return this.#attribute(RESERVED);
  }

  /** Bytes of buffers. @throws CudaError DISPOSED, DEVICE_LOST */
  get usedBytes(): number {
    return this.#attribute(USED);
  }

  /**
   * Memory for the work that a stream does from now on; other streams have to wait for an event of it. Disposing of it gives
   * it back in the order of that stream's work, which may then go on to use the same memory for other buffers.
   * @throws CudaError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST
   */
  allocate(bytes: number, options: PoolAllocateOptions = {}): CudaBuffer<Uint8Array> {
    checkNames(options, ["stream"]);
    this.#check();
    wholeNumber("bytes", bytes, 1, Number.MAX_SAFE_INTEGER);
    const { queue } = this.#state.streamOf(options.stream);
    checkNotCaptured(queue, "memory of pools can't be taken");
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

  /** Gives memory that no buffer uses back to the device, but for so many bytes. @throws CudaError */
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
