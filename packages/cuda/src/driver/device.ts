// A GPU accessed through NVIDIA's driver. All driver calls run on the single thread of the device's connection, where
// its primary context is current. JavaScript blocks only in calls that return their result directly, such as `allocate`
// and `load`.

import type {
  Device,
  DeviceLimits,
  DeviceStream,
  ModuleSource,
  TypedArray,
  TypedArrayClass,
} from "@mm-ptx/types/device";
import { CudaBuffer } from "./buffer.js";
import { checkNames, checkOpen, foreign, invalid, wholeNumber } from "./check.js";
import type { Connection } from "./connection.js";
import { CudaError, disposedDevice } from "./error.js";
import { CudaEvent } from "./event.js";
import { destroyedBy, Handle, Resource } from "./handle.js";
import { CudaHostMemory } from "./host.js";
import type { CudaLoadOptions } from "./image.js";
import { type Loader, loadAtOnce, loadLater } from "./load.js";
import { CudaModule } from "./module.js";
import {
  type CudaDeviceOptions,
  checkDeviceOptions,
  type DriverOptions,
  deviceCount,
  listDevices,
  openDevice,
} from "./open.js";
import { CudaMemoryPool, type PoolOptions } from "./pool.js";
import { type CudaDeviceDescription, type CudaDeviceProperties, limitsOf } from "./properties.js";
import { CUDA_RESULTS, SUCCESS } from "./results.js";
import { Session } from "./session.js";
import type { DeviceState } from "./state.js";
import { CudaStream } from "./stream.js";

/** Options for creating a stream. */
export interface CudaStreamOptions {
  /** Lower numbers have higher priority; 0 by default. `device.priorities` lists the range. */
  readonly priority?: number;
}

/** A GPU. */
export class CudaDevice extends Resource implements Device {
  readonly kind = "cuda";
  readonly limits: DeviceLimits;
  readonly stream: CudaStream;
  readonly #description: CudaDeviceDescription;
  readonly #session: Session;
  readonly #state: DeviceState;
  readonly #loader: Loader;
  readonly #hostMemory = new Set<WeakRef<CudaHostMemory>>();

  private constructor(session: Session) {
    super("device", session);
    const { description } = session;
    this.#session = session;
    this.#description = description;
    this.limits = limitsOf(description.properties);
    this.#state = {
      device: this,
      limits: this.limits,
      ordinal: description.ordinal,
      connection: () => this.#live(),
      streamOf: (stream) => this.#streamOf(stream),
      afterEvent: (event) => session.afterEvent(event),
    };
    this.#loader = {
      arch: this.arch,
      connection: () => this.#live(),
      compiler: (arch, maxRegisters) => session.compiler(arch, maxRegisters),
    };
    this.stream = new CudaStream(this.#state, () => session.defaultQueue(), undefined);
  }

  /** The number of devices; 0 if there is no driver. @throws CudaError for other failures of the driver */
  static count(options: DriverOptions = {}): number {
    return deviceCount(options);
  }

  /** The devices of this machine, without opening them; empty if there is no driver. @throws CudaError */
  static list(options: DriverOptions = {}): readonly CudaDeviceDescription[] {
    return listDevices(options);
  }

  /**
   * Opens a device by its ordinal or its UUID. Its primary context is shared with all other code in the process that
   * uses it.
   * @throws CudaError UNAVAILABLE, NO_DEVICE, INVALID_DEVICE, INVALID_ARGUMENT, and other failures of the driver
   */
  static open(which: number | string = 0, options: CudaDeviceOptions = {}): CudaDevice {
    checkDeviceOptions(options);
    if (typeof which !== "string") wholeNumber("ordinal", which, 0, Number.MAX_SAFE_INTEGER);
    return new CudaDevice(new Session(openDevice(which, options), options));
  }

  /** The product name, such as `NVIDIA H100`. */
  get name(): string {
    return this.#description.name;
  }

  /** The driver's index of the device, counted from 0. */
  get ordinal(): number {
    return this.#description.ordinal;
  }

  /** `GPU-` and five groups of hexadecimal digits; empty if the driver is older than CUDA 11.4. */
  get uuid(): string {
    return this.#description.uuid;
  }

  /** The architecture that PTX is compiled for, such as `sm_90`. */
  get arch(): string {
    return this.#description.arch;
  }

  /** The properties that the driver reports. */
  get properties(): CudaDeviceProperties {
    return this.#description.properties;
  }

  /** Whether it runs in a separate process. */
  get isolated(): boolean {
    return this.#session.isolated;
  }

  /**
   * The failure that made the device unusable; undefined while it works. An isolated device recovers with the next
   * call.
   */
  get failure(): CudaError | undefined {
    return this.#session.lost;
  }

  /** The handle (CUcontext), for other code that calls the driver in this process. */
  get context(): bigint {
    this.#live();
    return this.#session.context;
  }

  /** Free and total memory in bytes. @throws CudaError DISPOSED, DEVICE_LOST */
  memoryInfo(): { readonly free: number; readonly total: number } {
    const [free, total] = this.#live().call("cuMemGetInfo", []).values;
    return { free: Number(free!), total: Number(total!) };
  }

  /**
   * Allocates memory, in bytes; it is not initialized. @throws CudaError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED,
   * DEVICE_LOST
   */
  allocate(bytes: number): CudaBuffer<Uint8Array> {
    return this.#allocate("bytes", bytes, Uint8Array);
  }

  /**
   * Allocates memory for `length` f32 elements. @throws CudaError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED,
   * DEVICE_LOST
   */
  allocateFloat32(length: number): CudaBuffer<Float32Array> {
    return this.#allocate("length", length, Float32Array);
  }

  /**
   * Allocates memory for `length` f64 elements. @throws CudaError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED,
   * DEVICE_LOST
   */
  allocateFloat64(length: number): CudaBuffer<Float64Array> {
    return this.#allocate("length", length, Float64Array);
  }

  /**
   * Allocates memory for `length` s32 elements. @throws CudaError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED,
   * DEVICE_LOST
   */
  allocateInt32(length: number): CudaBuffer<Int32Array> {
    return this.#allocate("length", length, Int32Array);
  }

  /**
   * Allocates memory for `length` u32 elements. @throws CudaError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED,
   * DEVICE_LOST
   */
  allocateUint32(length: number): CudaBuffer<Uint32Array> {
    return this.#allocate("length", length, Uint32Array);
  }

  /**
   * Allocates pinned host memory. When it or the device is disposed, its `buffer` is detached. The buffer can't be
   * transferred, neither to another buffer nor to another thread.
   * @throws CudaError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST
   */
  allocateHost(bytes: number): CudaHostMemory {
    this.#live();
    wholeNumber("bytes", bytes, 0, 2 ** 32);
    const memory = CudaHostMemory.allocate(this.#state, bytes);
    for (const each of this.#hostMemory) {
      if (each.deref()?.disposed !== false) this.#hostMemory.delete(each);
    }
    this.#hostMemory.add(new WeakRef(memory));
    return memory;
  }

  /** Creates a pool for stream-ordered allocations. @throws CudaError INVALID_ARGUMENT, FUNCTION_MISSING */
  createPool(options: PoolOptions = {}): CudaMemoryPool {
    return CudaMemoryPool.create(this.#state, options);
  }

  /** The device's default pool. @throws CudaError FUNCTION_MISSING, DISPOSED, DEVICE_LOST */
  defaultPool(): CudaMemoryPool {
    return CudaMemoryPool.ofDevice(this.#state);
  }

  /**
   * Loads PTX (text, bytes, a filled kernel or a pack), a compiled module, a cubin or a fatbin. This package compiles PTX for
   * exactly this device and blocks the event loop meanwhile; with `jit`, the driver compiles it instead. The kernels of a
   * bare cubin have parameters with offsets and sizes, but without names and types.
   * @throws CudaError INVALID_ARGUMENT, DISPOSED, DEVICE_LOST, and the driver's codes for images, such as INVALID_IMAGE
   * @throws PtxCompileError for PTX that does not compile
   */
  load(module: ModuleSource, options: CudaLoadOptions = {}): CudaModule {
    return new CudaModule(this.#state, loadAtOnce(this.#loader, module, options));
  }

  /** Like `load`, without blocking. @throws the errors of `load` */
  async loadAsync(module: ModuleSource, options: CudaLoadOptions = {}): Promise<CudaModule> {
    return new CudaModule(this.#state, await loadLater(this.#loader, module, options));
  }

  /** Whether module code is loaded on first use, the driver's default; `CUDA_MODULE_LOADING=EAGER` disables it. */
  get lazyLoading(): boolean {
    return this.#live().call("cuModuleGetLoadingMode", []).values[0] === LAZY_LOADING;
  }

  /**
   * The range of stream priorities; the greatest priority is the lower number. @throws CudaError DISPOSED, DEVICE_LOST
   */
  get priorities(): { readonly least: number; readonly greatest: number } {
    const { values } = this.#live().call("cuCtxGetStreamPriorityRange", []);
    const [least, greatest] = values.map((each) => Number(BigInt.asIntN(32, each)));
    return { least: least!, greatest: greatest! };
  }

  /**
   * Creates a stream, whose work runs concurrently with other streams. @throws CudaError INVALID_ARGUMENT, DISPOSED,
   * DEVICE_LOST
   */
  createStream(options: CudaStreamOptions = {}): CudaStream {
    checkNames(options, ["priority"]);
    const { priority = 0 } = options;
    this.#live();
    if (priority !== 0) {
      const { least, greatest } = this.priorities;
      wholeNumber("priority", priority, greatest, least);
    }
    const { queue, held } = this.#session.createQueue(priority);
    return new CudaStream(this.#state, () => queue, held);
  }

  /** Creates an event that is not recorded yet. @throws CudaError DISPOSED, DEVICE_LOST */
  createEvent(): CudaEvent {
    return new CudaEvent(this.#state);
  }

  /** Whether kernels of this device can access another device's memory. @throws CudaError INVALID_ARGUMENT, DISPOSED */
  canAccessPeer(peer: CudaDevice): boolean {
    const slots = [this.ordinal, this.#peer(peer).ordinal];
    return this.#live().call("cuDeviceCanAccessPeer", slots).values[0] === 1n;
  }

  /**
   * Lets kernels of this device access another device's memory; may be repeated. @throws CudaError
   * PEER_ACCESS_UNSUPPORTED
   */
  enablePeerAccess(peer: CudaDevice): void {
    this.#changePeerAccess(
      "cuCtxEnablePeerAccess",
      [this.#peer(peer).context, 0],
      "PEER_ACCESS_ALREADY_ENABLED",
    );
  }

  /** Disables peer access; may be repeated. @throws CudaError INVALID_ARGUMENT, DISPOSED, DEVICE_LOST */
  disablePeerAccess(peer: CudaDevice): void {
    this.#changePeerAccess("cuCtxDisablePeerAccess", [this.#peer(peer).context], "PEER_ACCESS_NOT_ENABLED");
  }

  /** Waits for the work of all streams. @throws CudaError for failures in that work, DISPOSED, DEVICE_LOST */
  async synchronize(): Promise<void> {
    this.#live();
    await this.#session.synchronize();
  }

  /** Disposes everything that came from this device, once queued work is done. You can call it more than once. */
  override dispose(): void {
    for (const memory of this.#hostMemory) memory.deref()?.dispose();
    super.dispose();
  }

  /** Like `dispose`, and waits until everything is freed. */
  async disposeAsync(): Promise<void> {
    this.dispose();
    await this.#session.closed();
  }

  /** Calls `disposeAsync`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync();
  }

  #live(): Connection {
    if (this.disposed) throw disposedDevice();
    return this.#session.connection();
  }

  #streamOf(stream: DeviceStream | undefined): CudaStream {
    if (stream === undefined) return this.stream;
    if (!(stream instanceof CudaStream)) throw invalid("a stream of this device", stream);
    if (stream.device !== this) throw foreign("stream");
    checkOpen("stream", stream.disposed);
    return stream;
  }

  #allocate<T extends TypedArray>(what: string, length: number, elements: TypedArrayClass<T>): CudaBuffer<T> {
    const connection = this.#live();
    const most = Math.floor(Number.MAX_SAFE_INTEGER / elements.BYTES_PER_ELEMENT);
    const byteLength = wholeNumber(what, length, 0, most) * elements.BYTES_PER_ELEMENT;
    const address = byteLength === 0 ? 0n : this.#take(connection, byteLength);
    const give = byteLength === 0 ? () => {} : destroyedBy("cuMemFree");
    const memory = new Handle(connection, address, give);
    return new CudaBuffer(this.#state, { memory, address, byteLength }, elements);
  }

  #take(connection: Connection, bytes: number): bigint {
    const { totalMemoryBytes } = this.properties;
    if (bytes > totalMemoryBytes) {
      throw new CudaError(
        "OUT_OF_MEMORY",
        `expected at most the ${totalMemoryBytes} bytes of the device, found ${bytes}`,
      );
    }
    const reply = connection.ask("cuMemAlloc", [bytes]);
    if (reply.status === SUCCESS) return reply.values[0]!;
    const left = CUDA_RESULTS.get(reply.status)?.code === "OUT_OF_MEMORY" ? this.memoryInfo() : undefined;
    const asked = `${bytes} bytes${left === undefined ? "" : `, of ${left.free} free and ${left.total} in all,`}`;
    throw connection.failure(reply, { asked });
  }

  #peer(peer: CudaDevice): CudaDevice {
    if (!(peer instanceof CudaDevice)) throw invalid("another GPU", peer);
    if (peer === this || peer.isolated || this.isolated)
      throw invalid("another GPU, both of this process", peer);
    checkOpen("device", peer.disposed);
    return peer;
  }

  #changePeerAccess(operation: string, slots: readonly (bigint | number)[], fine: string): void {
    const connection = this.#live();
    const reply = connection.ask(operation, slots);
    if (reply.status !== SUCCESS && CUDA_RESULTS.get(reply.status)?.code !== fine)
      throw connection.failure(reply);
  }
}

/** CU_MODULE_LAZY_LOADING */
const LAZY_LOADING = 2n;
