// Kernels of loaded modules: their attributes, their occupancy, and checked launches.

import type { KernelParameter } from "@mm-ptx/types/core";
import type { DeviceKernel, KernelAttributes, LaunchArgument, LaunchDimensions } from "@mm-ptx/types/device";
import { checkDimensions, quoted, type ShapeLimits } from "@mm-ptx/types/internal";
import { checkNames, checkOpen, refuse, wholeNumber } from "./check.js";
import type { Connection } from "./connection.js";
import { CudaLaunch, type CudaLaunchOptions } from "./launch.js";
import type { CudaModule } from "./module.js";
import type { Launched } from "./queue.js";
import { CUDA_RESULTS, SUCCESS } from "./results.js";
import type { DeviceState } from "./state.js";

/** Kernel attributes that only a GPU reports. */
export interface CudaKernelAttributes extends KernelAttributes {
  readonly registers: number;
  /** Constant memory that the module reserves for the kernel, in bytes. */
  readonly constantBytes: number;
  /** The virtual architecture that it was compiled for, as 10 * major + minor. */
  readonly ptxVersion: number;
  /** The architecture of its machine code, as 10 * major + minor. */
  readonly binaryVersion: number;
}

/** Numbers of CUfunction_attribute (CUDA Driver API, Data types). */
const ATTRIBUTES = {
  maxThreadsPerBlock: 0,
  sharedBytes: 1,
  constantBytes: 2,
  localBytes: 3,
  registers: 4,
  ptxVersion: 5,
  binaryVersion: 6,
} as const satisfies Record<keyof CudaKernelAttributes, number>;
const MAX_DYNAMIC_SHARED = 8;
const NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14;

/** Options for suggesting a block size. */
export interface SuggestOptions {
  /** Dynamic shared memory per block, in bytes; 0 by default. */
  readonly sharedBytes?: number;
  /** The maximum number of threads per block; 0, the default, means the device's limit. */
  readonly maxThreads?: number;
}

/** Does not reference the kernel, which may be garbage-collected while a stream remembers this. */
function launchedAs(name: string, registers: number | undefined): Launched {
  const words = `kernel ${quoted(name)}`;
  const launchWords = (threads: number): string =>
    registers === undefined
      ? `${words} in blocks of ${threads} threads`
      : `${words} with ${threads * registers} registers per block (${registers} per thread, ${threads} threads per block)`;
  return { name, launchWords };
}

/** A kernel that a GPU can launch. */
export class CudaKernel implements DeviceKernel {
  readonly module: CudaModule;
  readonly name: string;
  /** @internal The function, and the connection that answers queries about it. */
  readonly function: { readonly connection: Connection; readonly value: bigint };
  readonly #state: DeviceState;
  #attributes: CudaKernelAttributes | undefined;
  #parameters: readonly KernelParameter[] | undefined;
  #shapeLimits: ShapeLimits | undefined;
  #dynamicBytes: number | undefined;
  #largeClusters = false;
  #launched: Launched | undefined;
  /** Reused for launches that are not kept. */
  #scratch: CudaLaunch | undefined;

  /** @internal */
  constructor(state: DeviceState, module: CudaModule, name: string, value: bigint) {
    this.#state = state;
    this.module = module;
    this.name = name;
    this.function = { connection: module.image.connection, value };
  }

  /** @internal The kernel's description in launch errors; does not query the driver. */
  get words(): string {
    const { registers } = this.#attributes ?? {};
    return `kernel ${quoted(this.name)}${registers === undefined ? "" : ` with ${registers} registers per thread`}`;
  }

  /** @internal What a stream remembers of its launches. */
  get launched(): Launched {
    this.#launched ??= launchedAs(this.name, this.#attributes?.registers);
    return this.#launched;
  }

  /** The handle (CUfunction), for other code that calls the driver in this process. */
  get handle(): bigint {
    this.#check();
    return this.function.value;
  }

  /**
   * The parameters as declared in the PTX, otherwise as reported by the cubin or, from CUDA 12.4 on, by the driver.
   * @throws CudaError FUNCTION_MISSING if none of them reports the parameters; DISPOSED, DEVICE_LOST
   */
  get parameters(): readonly KernelParameter[] {
    this.#parameters ??= this.module.factsOf(this.name)?.parameters ?? this.#askParameters();
    return this.#parameters;
  }

  /** The attributes that the driver reports. @throws CudaError DISPOSED, DEVICE_LOST */
  get attributes(): CudaKernelAttributes {
    if (this.#attributes === undefined) {
      this.#check();
      const { connection, value } = this.function;
      this.#attributes = Object.freeze(
        Object.fromEntries(
          Object.entries(ATTRIBUTES).map(([name, number]) => [
            name,
            Number(connection.call("cuFuncGetAttribute", [number, value]).values[0]!),
          ]),
        ),
      ) as unknown as CudaKernelAttributes;
    }
    return this.#attributes;
  }

  /** @internal The limits of a launch's dimensions. */
  get shapeLimits(): ShapeLimits {
    if (this.#shapeLimits === undefined) {
      const { maxThreadsPerBlock, sharedBytes } = this.attributes;
      const { sharedBytesPerBlock, maxSharedBytesPerBlock } = this.#state.limits;
      this.#shapeLimits = {
        name: this.name,
        maxThreads: maxThreadsPerBlock,
        requiredBlock: this.module.factsOf(this.name)?.requiredBlock,
        dynamicBytes: this.#dynamicBytes ?? Math.max(0, sharedBytesPerBlock - sharedBytes),
        mostDynamicBytes: Math.max(0, maxSharedBytesPerBlock - sharedBytes),
        words: this.words,
      };
    }
    return this.#shapeLimits;
  }

  /**
   * @throws CudaError INVALID_ARGUMENT if the sum with the kernel's static shared memory exceeds
   * `maxSharedBytesPerBlock`
   */
  setDynamicShared(bytes: number): void {
    this.#check();
    wholeNumber("bytes", bytes, 0, this.shapeLimits.mostDynamicBytes);
    const { connection, value } = this.function;
    connection.call("cuFuncSetAttribute", [value, MAX_DYNAMIC_SHARED, bytes], { asked: `${bytes} bytes` });
    this.#dynamicBytes = bytes;
    this.#shapeLimits = undefined;
  }

  /** @internal Allows clusters larger than every device supports. @throws CudaError */
  allowLargeClusters(): void {
    if (this.#largeClusters) return;
    const { connection, value } = this.function;
    connection.call("cuFuncSetAttribute", [value, NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1]);
    this.#largeClusters = true;
  }

  /**
   * The number of blocks that a multiprocessor can run at once.
   * @param block threads per block
   * @param sharedBytes dynamic shared memory per block
   * @throws CudaError INVALID_ARGUMENT, DISPOSED, DEVICE_LOST
   */
  maxActiveBlocks(block: LaunchDimensions, sharedBytes = 0): number {
    this.#check();
    const [x, y, z] = checkDimensions("block", block, this.#state.limits.maxBlock, refuse);
    wholeNumber("sharedBytes", sharedBytes, 0, this.shapeLimits.mostDynamicBytes);
    const { connection, value } = this.function;
    const operation = "cuOccupancyMaxActiveBlocksPerMultiprocessor";
    return Number(connection.call(operation, [value, x * y * z, sharedBytes]).values[0]!);
  }

  /**
   * The block size that runs the most threads at once, and the number of blocks that fills the device with it.
   * @throws CudaError INVALID_ARGUMENT, DISPOSED, DEVICE_LOST
   */
  suggestedBlockSize(options: SuggestOptions = {}): { readonly block: number; readonly grid: number } {
    checkNames(options, ["sharedBytes", "maxThreads"]);
    this.#check();
    const { sharedBytes = 0, maxThreads = 0 } = options;
    wholeNumber("sharedBytes", sharedBytes, 0, this.shapeLimits.mostDynamicBytes);
    wholeNumber("maxThreads", maxThreads, 0, this.#state.limits.maxThreadsPerBlock);
    const { connection, value } = this.function;
    const { values } = connection.call("cuOccupancyMaxPotentialBlockSize", [value, sharedBytes, maxThreads]);
    return { grid: Number(values[0]!), block: Number(values[1]!) };
  }

  /**
   * Checks and encodes a launch, so that it can be launched repeatedly.
   * @throws CudaError INVALID_ARGUMENT, DISPOSED, DEVICE_LOST
   * @throws TypeError for arguments without a type
   */
  prepare(options: CudaLaunchOptions, args: readonly LaunchArgument[]): CudaLaunch {
    this.#check();
    return new CudaLaunch(this).write(options, args);
  }

  /** @internal A launch that is used at once, or kept. */
  launchWith(options: CudaLaunchOptions, args: readonly LaunchArgument[], kept: boolean): CudaLaunch {
    if (kept) return this.prepare(options, args);
    this.#check();
    // Reading the options and arguments can run code that launches this kernel as well.
    const scratch = this.#scratch ?? new CudaLaunch(this);
    this.#scratch = undefined;
    scratch.write(options, args);
    this.#scratch = scratch;
    return scratch;
  }

  #check(): void {
    checkOpen("module", this.module.disposed);
    this.function.connection.check();
  }

  #askParameters(): readonly KernelParameter[] {
    this.#check();
    const { connection, value } = this.function;
    const operation = "cuFuncGetParamInfo";
    const parameters: KernelParameter[] = [];
    for (;;) {
      const reply = connection.ask(operation, [value, parameters.length]);
      const { status, values } = reply;
      if (status === SUCCESS) {
        const [offset, bytes] = values.map(Number);
        parameters.push(Object.freeze({ offset: offset!, bytes: bytes! }));
      } else if (CUDA_RESULTS.get(status)?.code === "INVALID_VALUE") {
        // This is how the driver reports the end of the list.
        return Object.freeze(parameters);
      } else throw connection.failure(reply);
    }
  }
}
