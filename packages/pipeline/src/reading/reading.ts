// What a pipeline reads back for each program. Readings are frozen plain objects, so that all of them can be sent to threads except a
// `reduction`, which has functions of the caller's.
import type { DeviceBuffer, LaunchArgument, LaunchDimensions, TypedArray } from "@mm-ptx/types/device";
import { isFunction, isOneOf, isText, isWhole, unexpected } from "@mm-ptx/types/internal";
import { invalid } from "../check.js";
import { readOptions } from "../options.js";
import { type FloatFormat, FORMATS } from "./elements.js";

/** Reads copies of all outputs; see `outputs`. */
export interface OutputsReading {
  readonly kind: "outputs";
}

/** How far an output is from a target; see `squaredError`, `absoluteError` and `maximumError`. */
export interface ErrorReading {
  readonly kind: "squaredError" | "absoluteError" | "maximumError";
  /** The values that the output is compared with. */
  readonly target: Float64Array;
  /** The index of the output among the outputs of the launch plan. */
  readonly output: number;
  /** The type of the output's elements where their class does not determine it. */
  readonly format: FloatFormat | undefined;
}

/** A hash of all outputs; see `outputHash`. */
export interface HashReading {
  readonly kind: "outputHash";
}

/** The classes of arrays that the scores of a `reduction` can be read as. */
export type ScoreClass = typeof Float32Array | typeof Float64Array | typeof Int32Array | typeof Uint32Array;

/** What the arguments of a launch of a `reduction` are made of. */
export interface ReductionBuffers {
  /** The memory of each output. The part of program i of the launch begins at i x stride bytes. */
  readonly outputs: readonly DeviceBuffer[];
  /** The distance in bytes between the parts of two programs, for each output. */
  readonly strides: readonly number[];
  /** Memory that begins with room for one score of each program, which contains zeros. */
  readonly scores: DeviceBuffer;
  /** The number of programs. */
  readonly alternatives: number;
}

/** A kernel of the caller's that computes one score for each program; see `reduction`. */
export interface ReductionReading {
  readonly kind: "reduction";
  readonly ptx: string;
  readonly kernel: string;
  /** The grid of the launch for a number of programs. */
  readonly grid: (alternatives: number) => LaunchDimensions;
  readonly block: LaunchDimensions;
  /** The arguments of the launch. */
  readonly args: (buffers: ReductionBuffers) => readonly LaunchArgument[];
  readonly scores: ScoreClass;
}

/** A reading that gives each program a score. */
export type ScoreReading = ErrorReading | HashReading | ReductionReading;

/** What a pipeline reads back for each program. */
export type Reading = OutputsReading | ScoreReading;

/** Options of the errors against a target. */
export interface ErrorOptions {
  /** The index of the output among the outputs of the launch plan; 0 by default. */
  readonly output?: number;
  /** States that the elements of a Uint16Array are floating-point numbers. */
  readonly format?: FloatFormat;
}

/** Options of `reduction`. */
export type ReductionOptions = Omit<ReductionReading, "kind">;

/** Reads copies of all outputs of each program. This is the default. */
export function outputs(): OutputsReading {
  return Object.freeze({ kind: "outputs" });
}

/**
 * The sum of the squared differences between an output and a target, computed on the device in f64 and in a fixed order, so that equal
 * outputs have equal scores on every device. The score is NaN if an element of the output is NaN, and Infinity if one is infinite or the
 * sum exceeds the range of f64. Integers of 64 bits are rounded to f64 first.
 *
 * @param target one finite number for each element of the output; it is copied
 * @throws PipelineError INVALID_ARGUMENT
 */
export function squaredError(target: TypedArray, options: ErrorOptions = {}): ErrorReading {
  return errorReading("squaredError", target, options);
}

/**
 * The sum of the absolute differences between an output and a target, computed as `squaredError` computes its sum, with the same rules
 * for NaN and infinite elements.
 *
 * @param target one finite number for each element of the output; it is copied
 * @throws PipelineError INVALID_ARGUMENT
 */
export function absoluteError(target: TypedArray, options: ErrorOptions = {}): ErrorReading {
  return errorReading("absoluteError", target, options);
}

/**
 * The largest absolute difference between an output and a target. It is NaN if an element of the output is NaN, and otherwise Infinity if
 * one is infinite.
 *
 * @param target one finite number for each element of the output; it is copied
 * @throws PipelineError INVALID_ARGUMENT
 */
export function maximumError(target: TypedArray, options: ErrorOptions = {}): ErrorReading {
  return errorReading("maximumError", target, options);
}

/**
 * A 64-bit hash of the bytes of all outputs, as 16 hexadecimal digits. Outputs with equal bytes have equal hashes; outputs that differ
 * anywhere have different ones except with a probability of about 2^-64. The bytes count: 0 and -0 differ, and so do NaNs with different
 * payloads.
 */
export function outputHash(): HashReading {
  return Object.freeze({ kind: "outputHash" });
}

/**
 * Scores that a kernel of yours computes on the device, after the programs of a pack have run. The launch has to write one score for each
 * program, which contains 0 before. The functions stay on the thread that runs the pipeline.
 *
 * @throws PipelineError INVALID_ARGUMENT
 */
export function reduction(options: ReductionOptions): ReductionReading {
  const taken = readOptions<ReductionOptions>(options, REDUCTION, {
    of: "`reduction`",
    required: Object.keys(REDUCTION),
  });
  return Object.freeze({ kind: "reduction", ...taken });
}

const SCORE_CLASSES: readonly unknown[] = [Float32Array, Float64Array, Int32Array, Uint32Array];

/** The options of `reduction`. The device checks the block with each launch. */
export const REDUCTION = {
  ptx: isText,
  kernel: isText,
  grid: isFunction,
  block: (value: unknown, name: string) =>
    typeof value === "number" || Array.isArray(value)
      ? undefined
      : unexpected(name, "a number of threads, or up to three", value),
  args: isFunction,
  scores: (value: unknown, name: string) =>
    SCORE_CLASSES.includes(value)
      ? undefined
      : unexpected(name, "Float32Array, Float64Array, Int32Array or Uint32Array", value),
};

/** The options of the errors against a target. */
export const ERROR_OPTIONS = { output: isWhole(0, 2 ** 16), format: isOneOf(FORMATS) };

function errorReading(kind: ErrorReading["kind"], target: TypedArray, options: ErrorOptions): ErrorReading {
  const { output = 0, format } = readOptions<ErrorOptions>(options, ERROR_OPTIONS, { of: `\`${kind}\`` });
  if (!ArrayBuffer.isView(target) || target instanceof DataView)
    throw invalid(`an array of numbers as the target of \`${kind}\``, target);
  return Object.freeze({ kind, target: float64Copy(target), output, format });
}

/** Integers of 64 bits are rounded. */
function float64Copy(data: TypedArray): Float64Array {
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    const copy = new Float64Array(data.length);
    for (let i = 0; i < copy.length; i++) copy[i] = Number(data[i]);
    return copy;
  }
  return new Float64Array(data);
}
