// The results of a batch: room for them, and how callers read them.
import { CODE_TYPES, type CodeBatch, codeTypeBits } from "@mm-ptx/types/code";
import { CodeWord } from "@mm-ptx/types/internal";
import type { LossInterval } from "../bounds/interval.js";
import { ColumnsError } from "../error.js";
import { type OutputRoom, outputRowBytes, type Results } from "../machine/machine.js";
import type { BufferKind } from "../workers/shared.js";
import type { Codes } from "./codes.js";
import { invalid } from "./columns.js";

/** The values of `BatchResult.status`. */
export const EvaluationStatus = {
  /** The loss is a number. */
  ok: 0,
  /** An output is a NaN or infinite in some row, or the loss is too large for f64. */
  notFinite: 1,
} as const;

/** The results of a batch, in the order of its codes. Results that were not requested are `undefined`. */
export interface BatchResult {
  /** One entry for each code: see `EvaluationStatus`. Without a loss, all are 0. */
  readonly status: Uint8Array;
  /** The loss of each code; NaN unless its status is 0. */
  readonly loss: Float64Array | undefined;
  /** For `nmse`: the numbers of `offset + scale * output`, for each code; NaN unless its status is 0. */
  readonly scale: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
  /**
   * What each row adds to the loss, before weights: row r of code c is at the index `c * rows + r`. These are squared
   * errors for `mse`, `r2` and `nmse` (of the scaled output), absolute ones for `mae` and `max`, 0 or 1 for `misses`,
   * and numbers of bits for `hamming`. In rows where the output is NaN or infinite, they are, too, and where the square
   * is too large for f64, they are infinite.
   */
  readonly cases: Float64Array | undefined;
  readonly outputs: BatchOutputs | undefined;
  readonly interval: LossInterval | undefined;
}

/** An output of a code, one value for each row: see `BatchOutputs.column`. */
export type OutputColumn =
  | Float32Array
  | Float64Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

type Viewer = (buffer: ArrayBuffer, from: number, rows: number) => OutputColumn;

const VIEWERS: Readonly<Record<string, Viewer>> = {
  f32: (buffer, from, rows) => new Float32Array(buffer, from, rows),
  tf32: (buffer, from, rows) => new Float32Array(buffer, from, rows),
  f64: (buffer, from, rows) => new Float64Array(buffer, from, rows),
  s8: (buffer, from, rows) => new Int32Array(buffer, from, rows),
  s16: (buffer, from, rows) => new Int32Array(buffer, from, rows),
  s32: (buffer, from, rows) => new Int32Array(buffer, from, rows),
  s64: (buffer, from, rows) => new BigInt64Array(buffer, from, rows),
};

/** The outputs of all codes. */
export class BatchOutputs {
  /** All columns one after the other, in little-endian bytes; each starts at a multiple of 8. */
  readonly buffer: ArrayBuffer;
  readonly rows: number;
  readonly #room: OutputRoom;

  constructor(buffer: ArrayBuffer, room: OutputRoom, rows: number) {
    this.buffer = buffer;
    this.rows = rows;
    this.#room = room;
  }

  /** The number of outputs of a code. @throws ColumnsError INVALID_ARGUMENT if there is no such code */
  count(code: number): number {
    const { firsts } = this.#room;
    if (!(Number.isInteger(code) && code >= 0 && code < firsts.length - 1)) {
      throw invalid(`the number of one of ${firsts.length - 1} codes`, code);
    }
    return firsts[code + 1]! - firsts[code]!;
  }

  /** The type of an output, as PTX names it. @throws ColumnsError INVALID_ARGUMENT if there is no such output */
  type(code: number, output = 0): string {
    return CODE_TYPES[this.#room.types[this.#index(code, output)]!]!;
  }

  /**
   * The values of an output, one for each row: a view of `buffer`. It is a `Float32Array` for f32, a `Float64Array` for f64, a
   * `BigInt64Array` for s64, a `BigUint64Array` for other types of 64 bits, an `Int32Array` for s32 and narrower signed integers, and a
   * `Uint32Array` for all others: halves and packed values are bits, predicates are 0 or 1.
   *
   * @throws ColumnsError INVALID_ARGUMENT if there is no such output
   */
  column(code: number, output = 0): OutputColumn {
    const index = this.#index(code, output);
    const type = this.#room.types[index]!;
    const from = this.#room.starts[index]!;
    const viewer = VIEWERS[CODE_TYPES[type]!];
    if (viewer !== undefined) return viewer(this.buffer, from, this.rows);
    return outputRowBytes(type) === 8
      ? new BigUint64Array(this.buffer, from, this.rows)
      : new Uint32Array(this.buffer, from, this.rows);
  }

  #index(code: number, output: number): number {
    const count = this.count(code);
    if (!(Number.isInteger(output) && output >= 0 && output < count)) {
      throw invalid(`the number of one of ${count} outputs`, output);
    }
    return this.#room.firsts[code]! + output;
  }
}

/** The results that are wanted. */
export interface WantedResults {
  readonly loss: boolean;
  readonly scaled: boolean;
  readonly cases: boolean;
  readonly outputs: boolean;
}

/** Makes room for results. `make` makes buffers. @throws ColumnsError INSUFFICIENT_BUFFER */
export function makeResults(codes: Codes, rows: number, wanted: WantedResults, Buffer: BufferKind): Results {
  const take = (bytes: number): ArrayBufferLike => {
    try {
      return new Buffer(bytes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new ColumnsError("INSUFFICIENT_BUFFER", `expected ${bytes} bytes for results, found less`);
    }
  };
  const { count } = codes;
  const doubles = (length: number): Float64Array => new Float64Array(take(8 * length));
  return {
    status: new Uint8Array(take(count)),
    loss: wanted.loss ? doubles(count) : undefined,
    scale: wanted.scaled ? doubles(count) : undefined,
    offset: wanted.scaled ? doubles(count) : undefined,
    cases: wanted.cases ? doubles(count * rows) : undefined,
    outputs: wanted.outputs ? makeOutputs(codes, rows, take) : undefined,
  };
}

function makeOutputs(codes: Codes, rows: number, take: (bytes: number) => ArrayBufferLike): OutputRoom {
  const { words, offsets, count } = codes;
  const firsts = new Uint32Array(count + 1);
  for (let code = 0; code < count; code++) firsts[code + 1] = firsts[code]! + outputsOf(codes, code);
  const types = new Uint8Array(firsts[count]!);
  const starts = new Float64Array(firsts[count]!);
  let bytes = 0;
  for (let code = 0; code < count; code++) {
    const outputs = firsts[code + 1]! - firsts[code]!;
    for (let output = 0; output < outputs; output++) {
      const type = words[offsets[code + 1]! - outputs + output]! >>> CodeWord.typeShift;
      const column = firsts[code]! + output;
      types[column] = type;
      starts[column] = bytes;
      bytes += Math.ceil((outputRowBytes(type) * rows) / 8) * 8;
    }
  }
  return { bytes: new Uint8Array(take(bytes)), firsts, types, starts };
}

/** The number of outputs of a code, as its header says; 0 if it has fewer words, which the planner rejects. */
function outputsOf({ words, offsets }: CodeBatch, code: number): number {
  const [from, to] = [offsets[code]!, offsets[code + 1]!];
  if (to - from < CodeWord.header) return 0;
  const outputs = words[from + CodeWord.arity]! >>> CodeWord.outputShift;
  return outputs <= to - from - CodeWord.header ? outputs : 0;
}

/** The result for the caller, in arrays that no other thread shares. */
export function batchResult(results: Results, rows: number, interval: LossInterval | undefined): BatchResult {
  const { status, loss, scale, offset, cases, outputs } = results;
  const buffer = outputs === undefined ? undefined : (owned(outputs.bytes).buffer as ArrayBuffer);
  if (buffer !== undefined) extendNarrow(buffer, outputs!, rows);
  return {
    status: owned(status),
    loss: loss && owned(loss),
    scale: scale && owned(scale),
    offset: offset && owned(offset),
    cases: cases && owned(cases),
    outputs: buffer && new BatchOutputs(buffer, outputs!, rows),
    interval,
  };
}

/** Sign-extends or zero-extends values of 8 and 16 bits by their type; machines leave the upper bits undefined. */
function extendNarrow(buffer: ArrayBuffer, { types, starts }: OutputRoom, rows: number): void {
  for (const [column, type] of types.entries()) {
    const bits = codeTypeBits(type);
    if (bits !== 8 && bits !== 16) continue;
    const words = new Int32Array(buffer, starts[column]!, rows);
    const shift = 32 - bits;
    const isSigned = CODE_TYPES[type]!.startsWith("s");
    for (let row = 0; row < rows; row++) {
      const moved = words[row]! << shift;
      words[row] = isSigned ? moved >> shift : moved >>> shift;
    }
  }
}

function owned<Kind extends Uint8Array | Float64Array>(array: Kind): Kind {
  return array.buffer instanceof ArrayBuffer ? array : (array.slice() as Kind);
}
