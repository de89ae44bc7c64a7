// A case of test/kernels: buffers, launches, and the results of the same computation on the CPU, written
// independently.

/** The contents of a buffer. */
export type Contents =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>;

/** A launch argument: a buffer by its name, or a value of a type. */
export type Argument =
  | { readonly buffer: string }
  | { readonly f32: number }
  | { readonly f64: number }
  | { readonly s32: number }
  | { readonly u32: number }
  | { readonly u64: bigint }
  | { readonly bytes: Uint8Array };

/** One launch. */
export interface CaseLaunch {
  readonly kernel: string;
  readonly grid: number | readonly number[];
  readonly block: number | readonly number[];
  readonly sharedBytes?: number;
  readonly args: readonly Argument[];
}

/** A kernel with its inputs and expected results. */
export interface KernelCase {
  /** Contents of each buffer before the first launch. */
  readonly buffers: Readonly<Record<string, Contents>>;
  readonly launches: readonly CaseLaunch[];
  /** Expected contents of buffers after the last launch, bit for bit unless there is a tolerance. */
  readonly expected: Readonly<Record<string, Contents>>;
  /**
   * Largest error by buffer, relative to the larger of 1 and the expected value, if the kernel uses
   * approximate functions or adds in another order.
   */
  readonly tolerance?: Readonly<Record<string, number>>;
  /**
   * Whether a thread reads with plain loads what others change with atomic operations, which the check for
   * races reports.
   */
  readonly hasRace?: true;
  /** Buffers into which blocks append values in the order in which they get there. */
  readonly anyOrder?: readonly string[];
  /** The expected text of its prints, in order. */
  readonly prints?: readonly string[];
}

/** Returns the case; the function only infers its types. */
export const kernelCase = (given: KernelCase): KernelCase => given;

/** Whole numbers from 0 to `below`, always the same for a seed. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** `count` values of f32 between -1 and 1, always the same for a seed. */
export function values(count: number, seed: number): Float32Array<ArrayBuffer> {
  const next = numbers(seed);
  return Float32Array.from({ length: count }, () => next(2 ** 24) / 2 ** 23 - 1);
}

/** The f32 nearest to a * b + c, computed without intermediate rounding. */
export function fma(a: number, b: number, c: number): number {
  if (![a, b, c].every(Number.isFinite)) return Math.fround(a * b + c);
  const [p, q] = [integer(a), integer(b)];
  const r = integer(c);
  const exponent = Math.min(p.exponent + q.exponent, r.exponent);
  const sum =
    ((p.value * q.value) << BigInt(p.exponent + q.exponent - exponent)) +
    (r.value << BigInt(r.exponent - exponent));
  if (sum === 0n) return Math.fround(a * b + c);
  return roundToF32(sum, exponent);
}

/** A finite number as an integer times a power of two. */
function integer(value: number): { value: bigint; exponent: number } {
  let exponent = 0;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent--;
  }
  return { value: BigInt(scaled), exponent };
}

/** The f32 nearest to `value * 2^exponent`, ties to even; results in the range of normal numbers of f32 only. */
function roundToF32(value: bigint, exponent: number): number {
  const negative = value < 0n;
  let magnitude = negative ? -value : value;
  const extra = magnitude.toString(2).length - 24;
  let scale = exponent;
  if (extra > 0) {
    const half = 1n << BigInt(extra - 1);
    const rest = magnitude & ((1n << BigInt(extra)) - 1n);
    magnitude >>= BigInt(extra);
    if (rest > half || (rest === half && (magnitude & 1n) === 1n)) magnitude++;
    scale += extra;
  }
  return Math.fround((negative ? -1 : 1) * Number(magnitude) * 2 ** scale);
}
