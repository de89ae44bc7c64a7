// The interface of devices: a GPU through the CUDA driver, or the emulator. Code that uses only these interfaces runs
// on both. All work of a device is queued on a stream, and waiting for it is asynchronous. Failures are errors of the
// package that the device belongs to.

// For projects whose `lib` has no `Disposable`.
/// <reference lib="esnext.disposable" preserve="true" />

import type { FilledKernel, PtxSource } from "../core/filled-kernel.js";
import type { KernelParameter, KernelSignature } from "../core/kernel-parameter.js";
import type { LaunchArgument } from "./argument.js";

/** A number of blocks or threads: in x, or in x, y and z. Omitted numbers are 1. */
export type LaunchDimensions = number | readonly [x: number, y?: number, z?: number];

/** An array whose elements have a fixed size. */
export type TypedArray =
  | Uint8Array<ArrayBufferLike>
  | Int8Array<ArrayBufferLike>
  | Uint16Array<ArrayBufferLike>
  | Int16Array<ArrayBufferLike>
  | Uint32Array<ArrayBufferLike>
  | Int32Array<ArrayBufferLike>
  | BigUint64Array<ArrayBufferLike>
  | BigInt64Array<ArrayBufferLike>
  | Float32Array<ArrayBufferLike>
  | Float64Array<ArrayBufferLike>;

/** The class of a typed array, such as `Float32Array`. */
export interface TypedArrayClass<T extends TypedArray> {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/**
 * An owner of resources. `using` or `dispose` frees them, after the work in flight that uses them has finished.
 * Disposing twice is harmless.
 */
export interface DeviceResource extends Disposable {
  /** Whether it has been disposed. */
  readonly disposed: boolean;
  /** Frees the resources; calling it again is harmless. */
  dispose(): void;
}

/** A device that loads modules and runs their kernels. Disposing it disposes everything that was made from it. */
export interface Device extends DeviceResource, AsyncDisposable {
  readonly kind: "cuda" | "emulator";
  /** A name to show: `NVIDIA H100`, `emulator`. */
  readonly name: string;
  /** The architecture that PTX is compiled for, `sm_90`. */
  readonly arch: string;
  readonly limits: DeviceLimits;
  /** The stream that is used when a call names no other. */
  readonly stream: DeviceStream;
  /** The free and the total memory, in bytes. */
  memoryInfo(): { readonly free: number; readonly total: number };
  /** Allocates memory; its bytes are not initialized. */
  allocate(bytes: number): DeviceBuffer<Uint8Array>;
  /** Allocates memory for this many f32. */
  allocateFloat32(length: number): DeviceBuffer<Float32Array>;
  /** Allocates memory for this many f64. */
  allocateFloat64(length: number): DeviceBuffer<Float64Array>;
  /** Allocates memory for this many s32. */
  allocateInt32(length: number): DeviceBuffer<Int32Array>;
  /** Allocates memory for this many u32. */
  allocateUint32(length: number): DeviceBuffer<Uint32Array>;
  /** Allocates host memory that is fastest to copy from and to: pinned memory on a GPU. */
  allocateHost(bytes: number): HostMemory;
  /**
   * Loads PTX, or machine code if the device can run it. Errors in a filled kernel or a pack name the stub and its
   * line.
   */
  load(module: ModuleSource): DeviceModule;
  /** Creates a stream. On a GPU, its work runs concurrently with that of other streams. */
  createStream(): DeviceStream;
  /** Creates an event that has not been recorded yet. */
  createEvent(): DeviceEvent;
  /** Waits for the work of all streams. */
  synchronize(): Promise<void>;
  /** Calls `dispose`, and waits until the queued work is done and everything is released. */
  disposeAsync(): Promise<void>;
}

/** The limits of launches, named like the attributes of the CUDA driver. */
export interface DeviceLimits {
  readonly maxThreadsPerBlock: number;
  readonly maxBlock: readonly [x: number, y: number, z: number];
  readonly maxGrid: readonly [x: number, y: number, z: number];
  /** Bytes of static and dynamic shared memory per block that are available without `setDynamicShared`. */
  readonly sharedBytesPerBlock: number;
  /** Bytes per block that are available with `setDynamicShared`. */
  readonly maxSharedBytesPerBlock: number;
  readonly warpSize: number;
}

/** Machine code, as a compiler or linker returns it. */
export interface MachineCode {
  /** An ELF file for the driver. */
  readonly cubin: Uint8Array;
  /** The kernels as their PTX declares them, where that is known. */
  readonly kernels?: readonly KernelSignature[];
  /** The PTX that it was compiled from, where that is known: a device that does not execute machine code loads it. */
  readonly source?: string | Uint8Array | FilledKernel;
}

/**
 * A module that a device can load: PTX in any form, machine code as a compiler or linker returns it, or the bytes of a
 * cubin.
 */
export type ModuleSource = PtxSource | MachineCode;

/** Host memory that belongs to a device. When it is disposed, `buffer` becomes detached. */
export interface HostMemory extends DeviceResource {
  readonly buffer: ArrayBuffer;
}

/**
 * Memory of a device, or a part of it. Parts share the memory of their parent, which is freed when all of them are
 * disposed. The type parameter is the array type that its elements are read as.
 */
export interface DeviceBuffer<T extends TypedArray = TypedArray> extends DeviceResource {
  readonly device: Device;
  /** The address that kernels use. */
  readonly address: bigint;
  readonly byteLength: number;
  /** The number of elements; trailing bytes that are not a whole element do not count. */
  readonly length: number;
  /** Reads a copy of all its elements. */
  read(options?: { readonly stream?: DeviceStream }): Promise<T>;
  /** Copies bytes from `offset` on until the target is full; a target buffer must not overlap with the copied part. */
  copyTo(target: ArrayBufferView | ArrayBuffer | DeviceBuffer, options?: CopyOptions): Promise<void>;
  /**
   * Copies the whole source to `offset`; a source buffer must not overlap with that part. Do not change the source
   * before the promise is fulfilled.
   */
  copyFrom(source: ArrayBufferView | ArrayBuffer | DeviceBuffer, options?: CopyOptions): Promise<void>;
  /** Fills memory by repeating a pattern of 1, 2 or 4 bytes (1 by default). */
  fill(pattern: number, options?: FillOptions): Promise<void>;
  /** A part of the buffer, in bytes; without a length it extends to the end. */
  part(byteOffset: number, byteLength?: number): DeviceBuffer<T>;
  /** The same memory with another element type. */
  as<Other extends TypedArray>(elements: TypedArrayClass<Other>): DeviceBuffer<Other>;
}

/** Options of a copy. */
export interface CopyOptions {
  /** The offset in bytes. The default is 0. */
  readonly offset?: number;
  /** The default is the device's own stream. */
  readonly stream?: DeviceStream;
}

/** Options of `fill`. */
export interface FillOptions extends CopyOptions {
  /** The size of the pattern: 1, 2 or 4 bytes. The default is 1. */
  readonly width?: 1 | 2 | 4;
  /** The length in bytes. By default it extends to the end. */
  readonly byteLength?: number;
}

/** A loaded module. Disposing it disposes its kernels and variables. */
export interface DeviceModule extends DeviceResource {
  readonly device: Device;
  /** Names of its kernels. */
  readonly kernels: readonly string[];
  /** Names of its variables in global and constant memory. */
  readonly globals: readonly string[];
  /** The kernel with this name; for an unknown name, the error suggests the nearest one. */
  kernel(name: string): DeviceKernel;
  /** The memory of a variable, which belongs to the module. */
  global(name: string): DeviceBuffer<Uint8Array>;
}

/** A kernel of a loaded module. */
export interface DeviceKernel {
  readonly module: DeviceModule;
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelAttributes;
  /** Allows launches more dynamic shared memory than `sharedBytesPerBlock`, in bytes. */
  setDynamicShared(bytes: number): void;
  /** Checks a launch once so that it can be repeated cheaply. The launch keeps these arguments. */
  prepare(options: LaunchOptions, args: readonly LaunchArgument[]): PreparedLaunch;
}

/** What is known about a kernel before it runs; values that a device cannot determine are `undefined`. */
export interface KernelAttributes {
  readonly maxThreadsPerBlock: number;
  /** Static shared memory per block, in bytes. */
  readonly sharedBytes: number;
  /** Local memory per thread, in bytes. */
  readonly localBytes: number;
  /** Registers per thread. */
  readonly registers: number | undefined;
}

/** A launch whose arguments have been checked and packed. */
export interface PreparedLaunch {
  readonly kernel: DeviceKernel;
}

/** Options of a launch. */
export interface LaunchOptions {
  /** The number of blocks. */
  readonly grid: LaunchDimensions;
  /** The number of threads in a block. */
  readonly block: LaunchDimensions;
  /** Dynamic shared memory per block, in bytes. The default is 0. */
  readonly sharedBytes?: number;
}

/** A queue of work that runs in the order in which it was queued. */
export interface DeviceStream extends DeviceResource {
  readonly device: Device;
  /** Queues a launch and returns immediately. Failures are reported by the calls that wait for it. */
  launch(kernel: DeviceKernel, options: LaunchOptions, args: readonly LaunchArgument[]): void;
  /** Queues a prepared launch. */
  launch(prepared: PreparedLaunch): void;
  /** Queues many launches. */
  launchMany(launches: readonly PreparedLaunch[]): void;
  /** Makes all work that is queued from now on wait for an event that was recorded. */
  wait(event: DeviceEvent): void;
  /** Marks the end of the work queued so far. */
  record(event: DeviceEvent): void;
  /**
   * Captures the work that `work` queues as a graph. Devices without graphs throw an error with the code `UNSUPPORTED`.
   */
  capture(work: () => void): DeviceGraph;
  /** Waits for all queued work; rejects if any of it failed. */
  synchronize(): Promise<void>;
}

/** A point in a stream. */
export interface DeviceEvent extends DeviceResource {
  /** Whether the stream has reached this point; also true if the event was never recorded. */
  readonly done: boolean;
  /** Waits until the stream has reached this point. */
  synchronize(): Promise<void>;
  /** The milliseconds between two events that have been reached. */
  elapsedSince(start: DeviceEvent): number;
}

/** Captured work, which is launched as a unit. */
export interface DeviceGraph extends DeviceResource {
  /** Queues all of the work on a stream. */
  launch(stream: DeviceStream): void;
}
