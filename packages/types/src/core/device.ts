// What a device is to code that runs kernels: a GPU through the CUDA driver, or the emulator. Whoever uses these interfaces
// alone runs on both. Everything that a device does is queued on a stream; what waits for it is asynchronous. What goes
// wrong is told by an error of the package that the device comes from.

// For projects whose `lib` has no `Disposable`.
/// <reference lib="esnext.disposable" preserve="true" />

import type { KernelParameter, LaunchArgument } from "./device-argument.js";
import type { SourceMap } from "./source-map.js";

/** Numbers of blocks or threads: in x, or in x, y and z. What is left out is 1. */
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

/** What is owned: `using` or `dispose` give it back, twice without harm. Work in flight that needs it is done before. */
export interface DeviceResource extends Disposable {
  /** Whether it was given back. */
  readonly disposed: boolean;
  /** Gives it back; again without harm. */
  dispose(): void;
}

/** A device that loads modules and runs their kernels. Disposing it disposes all that came from it. */
export interface Device extends DeviceResource {
  readonly kind: "cuda" | "emulator";
  /** For people: `NVIDIA H100`, `emulator`. */
  readonly name: string;
  /** The architecture that PTX is compiled for, `sm_90`. */
  readonly arch: string;
  readonly limits: DeviceLimits;
  /** The stream of all that names no other one. */
  readonly stream: DeviceStream;
  /** In bytes. */
  memoryInfo(): { readonly free: number; readonly total: number };
  /** Takes memory; its bytes are not initialised. */
  allocate(bytes: number): DeviceBuffer<Uint8Array>;
  /** As many elements. */
  allocateFloat32(length: number): DeviceBuffer<Float32Array>;
  /** Memory for as many f64. */
  allocateFloat64(length: number): DeviceBuffer<Float64Array>;
  /** Memory for as many s32. */
  allocateInt32(length: number): DeviceBuffer<Int32Array>;
  /** Memory for as many u32. */
  allocateUint32(length: number): DeviceBuffer<Uint32Array>;
  /** Host memory from which copies are fastest: pinned where there is a GPU. */
  allocateHost(bytes: number): HostMemory;
  /** Loads PTX, or machine code where the device runs it. */
  load(module: string | Uint8Array, options?: LoadOptions): DeviceModule;
  /** A stream of its own, whose work runs beside that of others. */
  createStream(): DeviceStream;
  /** An event that was not recorded. */
  createEvent(): DeviceEvent;
  /** Waits for the work of all streams. */
  synchronize(): Promise<void>;
}

/** What launches may ask for; as the attributes of the CUDA driver name it. */
export interface DeviceLimits {
  readonly maxThreadsPerBlock: number;
  readonly maxBlock: readonly [x: number, y: number, z: number];
  readonly maxGrid: readonly [x: number, y: number, z: number];
  /** Bytes of shared memory a block, static and dynamic, that need no `setDynamicShared`. */
  readonly sharedBytesPerBlock: number;
  /** With `setDynamicShared`. */
  readonly maxSharedBytesPerBlock: number;
  readonly warpSize: number;
}

/** How a module is loaded. */
export interface LoadOptions {
  /** Where the lines of rendered PTX come from: errors of kernels then name injection, site and stub line. */
  readonly sourceMap?: SourceMap;
}

/** Host memory that belongs to a device. Once disposed of, `buffer` is detached. */
export interface HostMemory extends DeviceResource {
  readonly buffer: ArrayBuffer;
}

/**
 * Memory of a device, or a part of it. Parts share the memory of their parent, which stays until they are all disposed.
 * The type says as what its elements are read.
 */
export interface DeviceBuffer<T extends TypedArray = TypedArray> extends DeviceResource {
  readonly device: Device;
  /** As kernels see it. */
  readonly address: bigint;
  readonly byteLength: number;
  /** In elements; bytes that make no whole element do not count. */
  readonly length: number;
  /** A copy of all its elements. */
  read(options?: { readonly stream?: DeviceStream }): Promise<T>;
  /** Copies its first bytes, from `offset` on, until the target is full; a buffer must not overlap with what is copied. */
  copyTo(target: ArrayBufferView | ArrayBuffer | DeviceBuffer, options?: CopyOptions): Promise<void>;
  /**
   * Copies all of the source to `offset`; a buffer must not overlap with that. Do not change the source before the promise is
   * fulfilled.
   */
  copyFrom(source: ArrayBufferView | ArrayBuffer | DeviceBuffer, options?: CopyOptions): Promise<void>;
  /** Writes a pattern of 1, 2 or 4 bytes again and again, 1 by default. */
  fill(pattern: number, options?: FillOptions): Promise<void>;
  /** A part of it, counted in bytes; up to its end without a length. */
  part(byteOffset: number, byteLength?: number): DeviceBuffer<T>;
  /** The same memory, read as other elements. */
  as<Other extends TypedArray>(elements: TypedArrayClass<Other>): DeviceBuffer<Other>;
}

/** Where in a buffer a copy begins, and the stream that does it. */
export interface CopyOptions {
  /** In bytes; 0 by default. */
  readonly offset?: number;
  /** The device's own by default. */
  readonly stream?: DeviceStream;
}

/** What of a buffer is filled. */
export interface FillOptions extends CopyOptions {
  /** Bytes of the pattern: 1, 2 or 4; 1 by default. */
  readonly width?: 1 | 2 | 4;
  /** In bytes; up to the end by default. */
  readonly byteLength?: number;
}

/** A loaded module. Disposing it takes its kernels and variables along. */
export interface DeviceModule extends DeviceResource {
  readonly device: Device;
  /** Names of its kernels. */
  readonly kernels: readonly string[];
  /** Names of its variables in global and constant memory. */
  readonly globals: readonly string[];
  /** The kernel of this name; the nearest name is told where there is none. */
  kernel(name: string): DeviceKernel;
  /** The memory of a variable; it is the module's. */
  global(name: string): DeviceBuffer<Uint8Array>;
}

/** A kernel of a loaded module. */
export interface DeviceKernel {
  readonly module: DeviceModule;
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelAttributes;
  /** Lets launches have more dynamic shared memory than `sharedBytesPerBlock` allows, in bytes. */
  setDynamicShared(bytes: number): void;
  /** Checks a launch once, for many launches. Its arguments are those of now. */
  prepare(options: LaunchOptions, args: readonly LaunchArgument[]): PreparedLaunch;
}

/** What is known of a kernel before it runs; what a device can't tell is `undefined`. */
export interface KernelAttributes {
  readonly maxThreadsPerBlock: number;
  /** Static shared memory of a block, in bytes. */
  readonly sharedBytes: number;
  /** Local memory of a thread, in bytes. */
  readonly localBytes: number;
  /** Registers of a thread. */
  readonly registers: number | undefined;
}

/** A launch whose arguments are checked and packed. */
export interface PreparedLaunch {
  readonly kernel: DeviceKernel;
}

/** How a kernel is launched. */
export interface LaunchOptions {
  /** Blocks. */
  readonly grid: LaunchDimensions;
  /** Threads of a block. */
  readonly block: LaunchDimensions;
  /** Dynamic shared memory of a block, in bytes; 0 by default. */
  readonly sharedBytes?: number;
}

/** Work that is done one after the other, in the order in which it was asked for. */
export interface DeviceStream extends DeviceResource {
  readonly device: Device;
  /** Queues a launch and returns at once; whether it went well is told by what waits for it. */
  launch(kernel: DeviceKernel, options: LaunchOptions, args: readonly LaunchArgument[]): void;
  /** Queues a launch that was checked before. */
  launch(prepared: PreparedLaunch): void;
  /** Queues many launches. */
  launchMany(launches: readonly PreparedLaunch[]): void;
  /** What is queued from now on waits for an event that was recorded. */
  wait(event: DeviceEvent): void;
  /** Marks the end of what is queued now. */
  record(event: DeviceEvent): void;
  /** Makes a graph of what `work` queues. Devices without graphs throw an error with the code `UNSUPPORTED`. */
  capture(work: () => void): DeviceGraph;
  /** Waits for all that is queued; rejects when some of it failed. */
  synchronize(): Promise<void>;
}

/** A point in a stream. */
export interface DeviceEvent extends DeviceResource {
  /** Whether the stream has got there, or it was never recorded. */
  readonly done: boolean;
  /** Waits until the stream has got there. */
  synchronize(): Promise<void>;
  /** Milliseconds between two events that are done. */
  elapsedSince(start: DeviceEvent): number;
}

/** Captured work, which is launched as one. */
export interface DeviceGraph extends DeviceResource {
  /** Queues all of it on a stream. */
  launch(stream: DeviceStream): void;
}
