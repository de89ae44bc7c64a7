// The codes of a batch that a WebAssembly machine has in memory, and their results.
import { Result } from "./layout.js";
import { type OutputRoom, outputRowBytes, type Results } from "./machine.js";
import { padded, type TaskLayout, type Wanted } from "./task-layout.js";

/** Codes of a batch that were copied to memory together. */
export interface Chunk {
  readonly from: number;
  readonly count: number;
  /** The number of finished codes, and the place of the outputs of the next one. */
  done: number;
  outputs: number;
}

export const NO_CHUNK: Chunk = { from: 0, count: 0, done: 0, outputs: 0 };

/** The bytes that the outputs of a code take in memory. */
export function outputBytesOf({ firsts, types }: OutputRoom, code: number, rows: number): number {
  let bytes = 0;
  for (let column = firsts[code]!; column < firsts[code + 1]!; column++)
    bytes += padded(rows) * outputRowBytes(types[column]!);
  return bytes;
}

/** The most that any code takes, and at least 1, so that there is room even without outputs. */
export function mostOutputBytes(outputs: OutputRoom, rows: number): number {
  let most = 1;
  for (let code = 0; code + 1 < outputs.firsts.length; code++)
    most = Math.max(most, outputBytesOf(outputs, code, rows));
  return most;
}

/** The memory of a machine. */
export interface Views {
  readonly words: Uint32Array;
  readonly doubles: Float64Array;
  readonly bytes: Uint8Array;
}

/** A pass over the codes of a task. */
export interface Pass {
  readonly outputs: OutputRoom | undefined;
  wanted(): Wanted;
  /** Called when memory is laid out for the task. */
  begin?(views: Views, layout: TaskLayout): void;
  /** Called when a chunk is in memory. */
  start?(views: Views, layout: TaskLayout, chunk: Chunk): void;
  /** Runs the codes of the chunk from `first` on; returns the number of the first one that is not finished. */
  evaluate(first: number, count: number): number;
  /** Reads the results of the codes of a chunk that were not done before, up to `done`. */
  read(views: Views, layout: TaskLayout, chunk: Chunk, done: number): void;
}

/** Copies the results of the codes of a chunk that were not done before, up to `end`. */
export function readResults(
  { words, doubles, bytes }: Views,
  layout: TaskLayout,
  chunk: Chunk,
  end: number,
  rows: number,
  { status, loss, scale, offset, cases, outputs }: Results,
): void {
  for (; chunk.done < end; chunk.done++) {
    const code = chunk.from + chunk.done;
    const at = layout.results + chunk.done * Result.bytes;
    status[code] = words[(at + Result.status) / 4]!;
    if (loss !== undefined) loss[code] = doubles[(at + Result.loss) / 8]!;
    if (scale !== undefined) scale[code] = doubles[(at + Result.scale) / 8]!;
    if (offset !== undefined) offset[code] = doubles[(at + Result.offset) / 8]!;
    if (cases !== undefined) {
      const from = layout.terms / 8 + chunk.done * padded(rows);
      cases.set(doubles.subarray(from, from + rows), code * rows);
    }
    if (outputs === undefined) continue;
    for (let column = outputs.firsts[code]!; column < outputs.firsts[code + 1]!; column++) {
      const rowBytes = outputRowBytes(outputs.types[column]!);
      outputs.bytes.set(
        bytes.subarray(chunk.outputs, chunk.outputs + rows * rowBytes),
        outputs.starts[column]!,
      );
      chunk.outputs += padded(rows) * rowBytes;
    }
  }
}
