// A GPU through NVIDIA's driver. Whatever calls the driver does so on the one thread of the device's connection, where its
// primary context is current; JavaScript waits for nothing but what is known to be fast.

import type {
  Device as DeviceInterface,
  DeviceLimits,
  DeviceStream,
  TypedArray,
  TypedArrayClass,
} from "@mm-ptx/types/core";
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
  checkDeviceOptions,
  type DeviceOptions,
  type DriverOptions,
  deviceCount,
  listDevices,
  openDevice,
} from "./open.js";
import { CudaMemoryPool, type PoolOptions } from "./pool.js";
import { type DeviceDescription, type DeviceProperties, limitsOf } from "./properties.js";
import { CUDA_RESULTS, SUCCESS } from "./results.js";
import { Session } from "./session.js";
import type { DeviceState } from "./state.js";
import { CudaStream } from "./stream.js";

/** How a stream is made. */
export interface DeviceStreamOptions {
  /** Lower numbers go first; 0 by default. `device.priorities` tells which there are. */
  readonly priority?: number;
}

/** A GPU. */
export class Device extends Resource implements DeviceInterface {
  readonly kind = "cuda";
  readonly limits: DeviceLimits;
  readonly stream: CudaStream;
  readonly #description: DeviceDescription;
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

  /** How many devices there are; 0 also where there is no driver. @throws CudaError for a driver that fails otherwise */
  static count(options: DriverOptions = {}): number {
    return deviceCount(options);
  }

  /** The devices of this machine, none of which is opened; none also where there is no driver. @throws CudaError */
  static list(options: DriverOptions = {}): readonly DeviceDescription[] {
    return listDevices(options);
  }

  /**
   * Opens a device by its ordinal or its UUID; its primary context is shared with all else in the process that uses it.
   * @throws CudaError DRIVER_MISSING, NO_DEVICE, INVALID_DEVICE, INVALID_INPUT, and what else the driver says
   */
  static open(which: number | string = 0, options: DeviceOptions = {}): Device {
    checkDeviceOptions(options);
    if (typeof which !== "string") wholeNumber("ordinal", which, 0, Number.MAX_SAFE_INTEGER);
    return new Device(new Session(openDevice(which, options), options));
  }

  /** For people: `NVIDIA H100`. */
  get name(): string {
    return this.#description.name;
  }

  /** As the driver counts, from 0. */
  get ordinal(): number {
    return this.#description.ordinal;
  }

  /** `GPU-` and five groups of hexadecimal digits; empty where the driver is older than CUDA 11.4. */
  get uuid(): string {
    return this.#description.uuid;
  }

  /** The architecture that PTX is compiled for, `sm_90`. */
  get arch(): string {
    return this.#description.arch;
  }

  /** What the driver tells of it. */
  get properties(): DeviceProperties {
    return this.#description.properties;
  }

  /** Whether it runs in a process of its own. */
  get isolated(): boolean {
    return this.#session.isolated;
  }

  /** The failure after which it can't be used; undefined while all is well. An isolated device recovers with the next call. */
  get failure(): CudaError | undefined {
    return this.#session.lost;
  }

  /** The handle (CUcontext), for other code that calls the driver in this process. */
  get context(): bigint {
    this.#live();
    return this.#session.context;
  }

  /** In bytes. @throws CudaError DISPOSED, DEVICE_LOST */
  memoryInfo(): { readonly free: number; readonly total: number } {
    const [free, total] = this.#live().call("cuMemGetInfo", []).values;
    return { free: Number(free!), total: Number(total!) };
  }

  /** Takes memory; its bytes are not initialised. @throws CudaError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST */
  allocate(bytes: number): CudaBuffer<Uint8Array> {
    return this.#allocate("bytes", bytes, Uint8Array);
  }

  /** As many elements. @throws CudaError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST */
  allocateFloat32(length: number): CudaBuffer<Float32Array> {
    return this.#allocate("length", length, Float32Array);
  }

  /** Memory for as many f64. @throws CudaError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST */
  allocateFloat64(length: number): CudaBuffer<Float64Array> {
    return this.#allocate("length", length, Float64Array);
  }

  /** Memory for as many s32. @throws CudaError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST */
  allocateInt32(length: number): CudaBuffer<Int32Array> {
    return this.#allocate("length", length, Int32Array);
  }

  /** Memory for as many u32. @throws CudaError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST */
  allocateUint32(length: number): CudaBuffer<Uint32Array> {
    return this.#allocate("length", length, Uint32Array);
  }

  /**
   * Pinned memory of the host. Once disposed of, with it or with the device, `buffer` is detached.
   * @throws CudaError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST
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

  /** A pool of memory for one stream's work after the other. @throws CudaError INVALID_INPUT, FUNCTION_MISSING */
  createPool(options: PoolOptions = {}): CudaMemoryPool {
    return CudaMemoryPool.create(this.#state, options);
  }

  /** The pool that the device has anyway. @throws CudaError FUNCTION_MISSING, DISPOSED, DEVICE_LOST */
  defaultPool(): CudaMemoryPool {
    return CudaMemoryPool.ofDevice(this.#state);
  }

  /**
   * Loads PTX, a cubin or a fatbin. PTX is compiled by this package for exactly this device, without a turn of the event loop,
   * unless `jit` leaves it to the driver.
   * @throws CudaError INVALID_INPUT, INVALID_IMAGE and its like, DISPOSED, DEVICE_LOST
   * @throws PtxCompileError for PTX that does not compile
   */
  load(module: string | Uint8Array, options: CudaLoadOptions = {}): CudaModule {
    return new CudaModule(this.#state, loadAtOnce(this.#loader, module, options));
  }

  /** As `load`, without blocking. @throws as `load` */
  async loadAsync(module: string | Uint8Array, options: CudaLoadOptions = {}): Promise<CudaModule> {
    return new CudaModule(this.#state, await loadLater(this.#loader, module, options));
  }

  /** Whether code of modules is loaded when it is first used, as the driver does unless `CUDA_MODULE_LOADING` says `EAGER`. */
  get lazyLoading(): boolean {
    return this.#live().call("cuModuleGetLoadingMode", []).values[0] === LAZY_LOADING;
  }

  /** Priorities that streams can have; the greatest is the lower number. @throws CudaError DISPOSED, DEVICE_LOST */
  get priorities(): { readonly least: number; readonly greatest: number } {
    const { values } = this.#live().call("cuCtxGetStreamPriorityRange", []);
    const [least, greatest] = values.map((each) => Number(BigInt.asIntN(32, each)));
    return { least: least!, greatest: greatest! };
  }

  /** A stream whose work runs beside that of others. @throws CudaError INVALID_INPUT, DISPOSED, DEVICE_LOST */
  createStream(options: DeviceStreamOptions = {}): CudaStream {
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

  /** An event that was not recorded. @throws CudaError DISPOSED, DEVICE_LOST */
  createEvent(): CudaEvent {
    return new CudaEvent(this.#state);
  }

  /** Whether kernels of this device can use the memory of another one. @throws CudaError INVALID_INPUT, DISPOSED */
  canAccessPeer(peer: Device): boolean {
    const slots = [this.ordinal, this.#peer(peer).ordinal];
    return this.#live().call("cuDeviceCanAccessPeer", slots).values[0] === 1n;
  }

  /** Lets kernels of this device use the memory of another one; again without harm. @throws CudaError PEER_ACCESS_UNSUPPORTED */
  enablePeerAccess(peer: Device): void {
    this.#changePeerAccess(
      "cuCtxEnablePeerAccess",
      [this.#peer(peer).context, 0],
      "PEER_ACCESS_ALREADY_ENABLED",
    );
  }

  /** Ends that; again without harm. @throws CudaError INVALID_INPUT, DISPOSED, DEVICE_LOST */
  disablePeerAccess(peer: Device): void {
    this.#changePeerAccess("cuCtxDisablePeerAccess", [this.#peer(peer).context], "PEER_ACCESS_NOT_ENABLED");
  }

  /** Waits for the work of all streams. @throws CudaError of what went wrong in it, DISPOSED, DEVICE_LOST */
  async synchronize(): Promise<void> {
    this.#live();
    await this.#session.synchronize();
  }

  /** Disposes of all that came from it, once what is queued is done; twice without harm. */
  override dispose(): void {
    for (const memory of this.#hostMemory) memory.deref()?.dispose();
    super.dispose();
  }

  /** As `dispose`, and waits until everything is given back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose();
    await this.#session.closed();
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

  #peer(peer: Device): Device {
    if (!(peer instanceof Device)) throw invalid("another GPU", peer);
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
