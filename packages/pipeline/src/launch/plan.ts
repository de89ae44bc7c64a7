// How the kernel is launched, and with which buffers. Buffers are described by their contents or their size, so that the pipeline can
// allocate them on each device that runs packs.
import type {
  DeviceBuffer,
  LaunchDimensions,
  TypedArgument,
  TypedArray,
  TypedArrayClass,
} from "@mm-ptx/types/device";
import { describeValue } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";

/** An argument of a launch. A buffer of a device is passed as it is; all alternatives see the same one. */
export type PlanArgument = TypedArgument | DeviceBuffer | InputData | OutputSlices | BufferSlices;

/** A launch of the kernel for one program. The pipeline adds the alternatives in another dimension of the grid. */
export interface LaunchPlan {
  /** The number of blocks for one program. */
  readonly grid: LaunchDimensions;
  /** The number of threads in a block. */
  readonly block: LaunchDimensions;
  /** Dynamic shared memory per block, in bytes; 0 by default. */
  readonly sharedBytes?: number;
  /** One argument for each parameter of the kernel. */
  readonly args: readonly PlanArgument[];
}

/** Data that all programs read; see `input`. */
export class InputData {
  readonly data: TypedArray;

  constructor(data: TypedArray) {
    this.data = data;
    Object.freeze(this);
  }
}

/** Memory of which each program has its own part, which is read back; see `output`. */
export class OutputSlices {
  readonly elements: TypedArrayClass<TypedArray>;
  /** The number of elements of one program. */
  readonly length: number;
  /** What the part of each program contains before its launch; zeros if undefined. */
  readonly initial: TypedArray | undefined;

  constructor(elements: TypedArrayClass<TypedArray>, length: number, initial: TypedArray | undefined) {
    this.elements = elements;
    this.length = length;
    this.initial = initial;
    Object.freeze(this);
  }

  /** The bytes of one program. */
  get bytes(): number {
    return this.length * this.elements.BYTES_PER_ELEMENT;
  }
}

/** A buffer of the caller, of which each program has its own part; see `slices`. */
export class BufferSlices {
  readonly buffer: DeviceBuffer;
  /** The bytes of one program. */
  readonly bytes: number;

  constructor(buffer: DeviceBuffer, bytes: number) {
    this.buffer = buffer;
    this.bytes = bytes;
    Object.freeze(this);
  }
}

const isTypedArray = (value: unknown): value is TypedArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

/** Data that all programs read, uploaded once for each array. The kernel must not write to it. @throws PipelineError INVALID_ARGUMENT */
export function input(data: TypedArray): InputData {
  if (!isTypedArray(data)) throw wrong("an array of numbers as the data of `input`", data);
  return new InputData(data);
}

/**
 * Memory that the kernel writes, of which each program has its own part of `length` elements. It contains `initial` before the program's
 * launch, or zeros, and is read back after it.
 *
 * @throws PipelineError INVALID_ARGUMENT
 */
export function output<T extends TypedArray>(
  elements: TypedArrayClass<T>,
  length: number,
  { initial }: { readonly initial?: T } = {},
): OutputSlices {
  if (typeof elements !== "function" || !(elements.BYTES_PER_ELEMENT > 0))
    throw wrong("the class of a typed array, such as Float32Array, as the elements of `output`", elements);
  if (!Number.isSafeInteger(length) || length < 1 || length > 2 ** 31)
    throw wrong("a length of `output` from 1 to 2147483648", length);
  if (initial !== undefined && !isTypedArray(initial))
    throw wrong("an array as `initial` of `output`", initial);
  if (initial !== undefined && initial.length !== length) {
    const message = `expected ${length} numbers as \`initial\` of \`output\`, found ${initial.length}`;
    throw new PipelineError("INVALID_ARGUMENT", message);
  }
  return new OutputSlices(elements as unknown as TypedArrayClass<TypedArray>, length, initial?.slice());
}

/**
 * A buffer of yours on the pipeline's device, of which each program has its own part of `bytes` bytes: program i of a launch sees the part
 * from i x bytes on. `bytes` is a multiple of 256, so that each part is aligned like a buffer. The buffer has to be large enough for the
 * `alternatives` of the launch, and is neither initialized nor read back.
 *
 * @throws PipelineError INVALID_ARGUMENT
 */
export function slices(buffer: DeviceBuffer, bytes: number): BufferSlices {
  if (typeof buffer !== "object" || buffer === null || !("byteLength" in buffer))
    throw wrong("a buffer of the device in `slices`", buffer);
  if (!Number.isSafeInteger(bytes) || bytes < 256 || bytes >= 2 ** 32 || bytes % 256 !== 0)
    throw wrong("a multiple of 256 bytes below 4294967296 for each program in `slices`", bytes);
  return new BufferSlices(buffer, bytes);
}

function wrong(expected: string, found: unknown): PipelineError {
  return new PipelineError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);
}
