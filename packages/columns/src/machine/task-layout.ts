// The layout of a WebAssembly machine's memory for a task.
import { LossKernel } from "./kernels.js";
import { Result, Rows, State, Step, ValueField } from "./layout.js";
import type { Task } from "./machine.js";

/** Chunks have at most this many words, unless a single code has more, and this many codes. */
const CHUNK_WORDS = 65536;
const CHUNK_CODES = 2048;
/** Cases or outputs of a chunk take at most this many bytes, unless those of a single code do. */
const ROOM_BYTES = 2 ** 21;
const FIRST_SLOT_BYTES = 2 ** 18;

/** The results that are wanted besides losses. */
export interface Wanted {
  /** The output bytes of the code that has the most; 0 if outputs are not wanted. */
  readonly outputBytes: number;
  readonly cases: boolean;
  /** The bytes of another module, given the most words and codes of a chunk. */
  readonly roomBytes?: (words: number, codes: number) => number;
}

/** Addresses in memory, and the sizes of chunks of codes. */
export interface TaskLayout {
  readonly inputs: number;
  readonly columns: readonly number[];
  readonly code: number;
  readonly offsets: number;
  readonly results: number;
  readonly target: number;
  readonly weights: number;
  /** The terms of the losses of the chunk, or of a block. */
  readonly terms: number;
  readonly outputs: number;
  readonly outputEnd: number;
  /** The memory of another module. */
  readonly room: number;
  readonly slots: number;
  /** The end of the memory. */
  readonly end: number;
  /** The most codes and words of a chunk. */
  readonly codes: number;
  readonly words: number;
  /** Values of the fields of `State`. */
  readonly state: readonly (readonly [field: State, value: number])[];
}

export const aligned = (address: number): number => Math.ceil(address / 64) * 64;

export const padded = (rows: number): number => Math.ceil(rows / Rows.multiple) * Rows.multiple;

/** Lays out the memory from `start` on. Slots come last, because they may have to grow. */
export function layOut({ rows, columns, loss, longest }: Task, wanted: Wanted, start: number): TaskLayout {
  const paddedRows = padded(rows);
  const values = longest >>> 1;
  const words = Math.max(CHUNK_WORDS, longest);
  const isScaled = loss?.kernel === LossKernel.scaled;
  const codeBytes = wanted.cases ? paddedRows * 8 : 0;
  const codes = Math.max(
    1,
    Math.min(CHUNK_CODES, codeBytes === 0 ? CHUNK_CODES : ROOM_BYTES / codeBytes) | 0,
  );
  let at = start;
  const take = (bytes: number): number => {
    const from = at;
    at = aligned(at + bytes);
    return from;
  };
  const valueArea = take(values * ValueField.bytes);
  const steps = take(longest * Step.bytes);
  const free = take(longest * 4);
  const inputs = take(columns.length * 8);
  const code = take(words * 4);
  const offsets = take((codes + 1) * 4);
  const results = take(codes * Result.bytes);
  const addresses = columns.map(({ isDouble }) => take(paddedRows * (isDouble ? 8 : 4)));
  const target = loss === undefined ? 0 : take(paddedRows * 8);
  const weights = loss?.weights === undefined ? 0 : take(paddedRows * 8);
  const lossValues = loss === undefined ? 0 : take(isScaled ? paddedRows * 8 : Rows.most * 8);
  const terms = loss === undefined ? 0 : take(wanted.cases ? codes * codeBytes : Rows.most * 8);
  const outputs = wanted.outputBytes === 0 ? 0 : take(Math.max(ROOM_BYTES, wanted.outputBytes));
  const outputEnd = at;
  const room = take(wanted.roomBytes?.(words, codes) ?? 0);
  const slots = take(0);
  const slotBytes = Math.max(FIRST_SLOT_BYTES, Math.min(values, 2 ** 20) * 8 * Rows.multiple);
  take(slotBytes);
  return {
    inputs,
    columns: addresses,
    code,
    offsets,
    results,
    target,
    weights,
    terms,
    outputs,
    outputEnd,
    room,
    slots,
    end: at,
    codes,
    words,
    state: [
      [State.values, valueArea],
      [State.steps, steps],
      [State.free, free],
      [State.inputs, inputs],
      [State.inputCount, columns.length],
      [State.rows, rows],
      [State.paddedRows, paddedRows],
      [State.keep, 0],
      [State.codes, code],
      [State.codeOffsets, offsets],
      [State.results, results],
      [State.slots, slots],
      [State.slotBytes, slotBytes],
      [State.nextRow, 0],
      [State.outputRoom, outputs],
      [State.outputEnd, outputEnd],
      [State.bitwiseOutputs, wanted.outputBytes === 0 && loss?.kernel !== LossKernel.bits ? 0 : 1],
      [State.loss, loss === undefined ? 0 : loss.kernel + 1],
      [State.lossOutput, loss?.output ?? 0],
      [State.lossTypes, loss?.types ?? 0],
      [State.target, target],
      [State.weights, weights],
      [State.lossValues, lossValues],
      [State.valueStride, isScaled ? 8 : 0],
      [State.lossTerms, terms],
      [State.termStride, wanted.cases ? 8 : 0],
      [State.codeStride, codeBytes],
    ],
  };
}
