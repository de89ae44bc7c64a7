// Launches: checked, and encoded as the record that is sent to the device's thread. The record is written once and
// reused; each launch only writes the stream and the work's number into it.

import type {
  Dimensions,
  LaunchArgument,
  LaunchDimensions,
  LaunchOptions,
  PreparedLaunch,
} from "@mm-ptx/types/device";
import { checkDimensions, checkShape, packArguments, parameterBlockBytes } from "@mm-ptx/types/internal";
import { CudaBuffer } from "./buffer.js";
import { checkNames, checkOpen, foreign, optionalBoolean, refuse } from "./check.js";
import { encodeRecord, Header } from "./command.js";
import type { CudaDevice } from "./device.js";
import type { CudaKernel } from "./kernel.js";
import type { Queue } from "./queue.js";

/** Launch options that only a GPU supports. */
export interface CudaLaunchOptions extends LaunchOptions {
  /**
   * Blocks per cluster; the grid must be a multiple of it in each direction. Requires compute capability 9.0 or later.
   */
  readonly cluster?: LaunchDimensions;
  /** All blocks run at once and may wait for each other (CUDA Programming Guide, Cooperative Groups). */
  readonly cooperative?: boolean;
}

const OPTIONS = ["grid", "block", "sharedBytes", "cluster", "cooperative"] as const;

/** Positions of the operation's arguments, in words after the header. */
const Slots = {
  function: 0,
  grid: 1,
  block: 4,
  sharedBytes: 7,
  stream: 8,
  flags: 9,
  /** Zeros if no cluster is requested. */
  cluster: 10,
  count: 13,
} as const;
const COOPERATIVE = 1;
const HEADER_WORDS = Header.bytes / 8;

/** Total blocks per cluster: the portable limit and the absolute one. */
const PORTABLE_CLUSTER = 8;
const LARGEST_CLUSTER = 16;
const CLUSTER_LIMITS: Dimensions = [LARGEST_CLUSTER, LARGEST_CLUSTER, LARGEST_CLUSTER];

/** A launch whose options and arguments have been checked. */
export class CudaLaunch implements PreparedLaunch {
  readonly kernel: CudaKernel;
  readonly #record: Uint8Array;
  readonly #words: BigUint64Array;
  readonly #halves: Uint32Array;
  readonly #block: Uint8Array;
  #buffers: readonly CudaBuffer[] = [];
  /** Threads per block. */
  #threads = 0;

  /** @internal */
  constructor(kernel: CudaKernel) {
    this.kernel = kernel;
    const { connection, value } = kernel.function;
    const payloadBytes = parameterBlockBytes(kernel.parameters);
    const slots = new Array<number>(Slots.count).fill(0);
    const head = encodeRecord(connection.hub.numberOf("launch"), slots, { payloadBytes });
    this.#record = new Uint8Array(Number(new BigUint64Array(head.buffer)[Header.size / 8]!));
    this.#record.set(head);
    this.#words = new BigUint64Array(this.#record.buffer);
    this.#halves = new Uint32Array(this.#record.buffer);
    this.#block = this.#record.subarray(head.length, head.length + payloadBytes);
    this.#words[HEADER_WORDS + Slots.function] = value;
  }

  /** @internal Whether a value is a launch, and not only inherits from one. */
  static is(value: unknown): value is CudaLaunch {
    return typeof value === "object" && value !== null && #record in value;
  }

  /**
   * Encodes the launch.
   * @internal
   * @throws CudaError INVALID_ARGUMENT, DISPOSED
   * @throws TypeError for arguments without a type
   */
  write(options: CudaLaunchOptions, args: readonly LaunchArgument[]): this {
    const { kernel } = this;
    checkNames(options, OPTIONS);
    const { device } = kernel.module;
    const { grid, block, dynamicSharedBytes } = checkShape(
      device.limits,
      kernel.shapeLimits,
      options,
      refuse,
    );
    const cluster = clusterOf(options.cluster, grid, device);
    optionalBoolean("cooperative", options.cooperative);
    if (options.cooperative === true && device.properties.cooperativeLaunch === 0)
      throw refuse("expected a device with cooperative launches, found one without");
    // Read once: what is kept alive must be what was encoded.
    const read = Array.isArray(args) ? Array.from(args as readonly LaunchArgument[]) : args;
    packArguments(
      kernel.name,
      kernel.parameters,
      read,
      { addressBytes: (argument) => addressBytes(argument, device), mismatch: refuse },
      this.#block,
    );
    if (product(cluster) > PORTABLE_CLUSTER) kernel.allowLargeClusters();
    this.#buffers = read.filter((argument) => argument instanceof CudaBuffer);
    this.#threads = block[0] * block[1] * block[2];
    this.#put(Slots.grid, grid);
    this.#put(Slots.block, block);
    this.#put(Slots.cluster, cluster);
    this.#put(Slots.sharedBytes, [dynamicSharedBytes]);
    this.#put(Slots.flags, [options.cooperative === true ? COOPERATIVE : 0]);
    return this;
  }

  /** @internal */
  get recordBytes(): number {
    return this.#record.length;
  }

  /** @internal The record for a stream, numbered as the next work. */
  recordFor(queue: Queue): Uint8Array {
    this.#words[HEADER_WORDS + Slots.stream] = queue.handle;
    this.#halves[Header.tag / 4] = queue.begin(this.kernel.launched, this.#threads);
    return this.#record;
  }

  /** @internal @throws CudaError DISPOSED, DEVICE_LOST */
  check(): void {
    checkOpen("module", this.kernel.module.disposed);
    this.kernel.function.connection.check();
    for (const buffer of this.#buffers) checkOpen("buffer", buffer.disposed);
  }

  /** @internal */
  useOn(queue: Queue): void {
    this.kernel.module.image.useOn(queue);
    for (const buffer of this.#buffers) buffer.memory.useOn(queue);
  }

  /** @internal Releases the references to buffers; it is not launched again as it is. */
  forget(): void {
    this.#buffers = [];
  }

  /** Writes numbers below 2^32, each into a separate word. */
  #put(slot: number, values: readonly number[]): void {
    const at = 2 * (HEADER_WORDS + slot);
    for (let i = 0; i < values.length; i++) this.#halves[at + 2 * i] = values[i]!;
  }
}

const NO_CLUSTER: Dimensions = [0, 0, 0];

const product = ([x, y, z]: Dimensions): number => x * y * z;

function clusterOf(asked: LaunchDimensions | undefined, grid: Dimensions, device: CudaDevice): Dimensions {
  if (asked === undefined) return NO_CLUSTER;
  const cluster = checkDimensions("cluster", asked, CLUSTER_LIMITS, refuse);
  if (product(cluster) > LARGEST_CLUSTER)
    throw refuse(`expected at most ${LARGEST_CLUSTER} blocks in a cluster, found ${product(cluster)}`);
  if (device.properties.clusterLaunch === 0)
    throw refuse("expected a device with clusters, found one without");
  const wrong = cluster.findIndex((size, axis) => grid[axis]! % size !== 0);
  if (wrong !== -1) {
    const axis = "xyz"[wrong];
    throw refuse(
      `expected a grid that is a multiple of the cluster, found ${grid[wrong]} blocks in clusters of ${cluster[wrong]} along ${axis}`,
    );
  }
  return cluster;
}

/** @throws CudaError DISPOSED, INVALID_ARGUMENT */
function addressBytes(argument: unknown, device: CudaDevice): Uint8Array | undefined {
  if (!(argument instanceof CudaBuffer)) return undefined;
  if (argument.device !== device) throw foreign("buffer");
  return argument.addressBytes;
}
