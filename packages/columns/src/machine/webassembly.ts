// The machine in WebAssembly. It lays out the memory for a task and feeds the codes of a batch to the planner in chunks. Memory grows
// and is kept; all tasks of a thread share one machine.
import type { CodeBatch } from "@mm-ptx/types/code";
import { ColumnsError } from "../error.js";
import { MODULE } from "../wasm/core.js";
import { type CoreExports, type CoreKernels, coreKernels } from "./core-kernels.js";
import { coreDefinition, entryOf } from "./core-operations.js";
import type { ExternalKernels } from "./external.js";
import { instantiate } from "./instance.js";
import { LossKernel } from "./kernels.js";
import { Entry, InputMask, Lane, Outcome, Result, Rows, State, Step, ValueField } from "./layout.js";
import { type ComputeData, type Machine, type Results, rowsOf, type Task } from "./machine.js";
import { type OperationEntry, OperationTable } from "./operations.js";
import { refusal, unsupported } from "./problems.js";
import { RECIPE_BYTES, RecipeMemory } from "./recipe.js";

interface Exports extends CoreExports {
  readonly firstFree: WebAssembly.Global<"i32">;
  readonly state: WebAssembly.Global<"i32">;
  lossKernel(kernel: LossKernel): number;
  externalKernel(): number;
  hasSubnormals(address: number, rows: number): number;
  evaluate(first: number, count: number): number;
}

const PAGE_BYTES = 65536;
const MOST_BYTES = 2 ** 32 - PAGE_BYTES;
/** Twice as many as there are instructions, and a power of two. */
const ENTRIES = 16384;
/** Chunks have at most this many words, unless a single code has more, and this many codes. */
const CHUNK_WORDS = 65536;
const CHUNK_CODES = 2048;
/** Rows that `compute` does at a time, so that its memory does not grow with the columns. */
const COMPUTE_ROWS = 16384;
/** The columns of a block should stay in a first-level cache. */
const CACHE_BYTES = 32768;
const FIRST_SLOT_BYTES = 2 ** 18;

/** Makes a machine, or returns `undefined` where WebAssembly is missing or not allowed. */
export function webAssemblyMachine(): Machine | undefined {
  const memory = new WebAssembly.Memory({ initial: 4 });
  let machine: WebAssemblyMachine | undefined;
  const external = (step: number, offset: number, rows: number): void => {
    machine!.runExternal(step, offset, rows);
  };
  const exports = instantiate(MODULE, { env: { memory, external } });
  if (exports === undefined) return undefined;
  machine = new WebAssemblyMachine(memory, exports as unknown as Exports);
  return machine;
}

class WebAssemblyMachine implements Machine {
  readonly backend = "webassembly";
  readonly #memory: WebAssembly.Memory;
  readonly #exports: Exports;
  readonly #state: number;
  readonly #operations: OperationTable;
  readonly #recipes: RecipeMemory;
  readonly #kernels: CoreKernels;
  #words: Uint32Array;
  #doubles: Float64Array;
  #bytes: Uint8Array;
  /** The first address after the table of operations, and the first one that is free. */
  readonly #start: number;
  /** Kernels of less common operations, once they are loaded. */
  #external: ExternalKernels | undefined;

  constructor(memory: WebAssembly.Memory, exports: Exports) {
    this.#memory = memory;
    this.#exports = exports;
    this.#state = exports.state.value;
    const entries = aligned(exports.firstFree.value);
    const recipes = entries + ENTRIES * Entry.bytes;
    this.#start = recipes + RECIPE_BYTES;
    this.#words = new Uint32Array(memory.buffer);
    this.#doubles = new Float64Array(memory.buffer);
    this.#bytes = new Uint8Array(memory.buffer);
    this.#grow(this.#start);
    this.#operations = new OperationTable(entries, ENTRIES);
    this.#recipes = new RecipeMemory(recipes);
    this.#kernels = coreKernels(exports);
    this.#set(State.entries, entries);
    this.#set(State.entryMask, ENTRIES - 1);
    this.#set(State.cacheBytes, CACHE_BYTES);
  }

  runExternal(step: number, offset: number, rows: number): void {
    this.#external!.run(step, offset, rows);
  }

  neededBytes = 0;

  get heldBytes(): number {
    return this.#bytes.length;
  }

  async load(): Promise<void> {
    const { ExternalKernels } = await import("./external.js");
    this.#external ??= new ExternalKernels(this.#memory);
  }

  run(task: Task, batch: CodeBatch, first: number, end: number, results: Results): number {
    const { words, offsets } = batch;
    let longest = 0;
    for (let code = first; code < end; code++)
      longest = Math.max(longest, offsets[code + 1]! - offsets[code]!);
    const layout = this.#layOut(task, longest);
    for (let from = first; from < end; ) {
      const start = offsets[from]!;
      let to = from + 1;
      while (to < end && to - from < layout.codes && offsets[to + 1]! - start <= layout.words) to++;
      this.#words.set(words.subarray(start, offsets[to]!), layout.code / 4);
      for (let code = from; code <= to; code++)
        this.#words[layout.offsets / 4 + code - from] = offsets[code]! - start;
      const done = this.#runChunk(task, from, to - from);
      this.#read(from, done, layout, results);
      if (done < to - from) return from + done;
      from = to;
    }
    return end;
  }

  compute(code: Uint32Array, { columns, rows }: ComputeData, target: Uint8Array): void {
    const offsets = Uint32Array.of(0, code.length);
    for (let from = 0; from < rows; from += COMPUTE_ROWS) {
      const count = Math.min(COMPUTE_ROWS, rows - from);
      const part = columns.map((column) => rowsOf(column, from, count));
      const task: Task = { rows: count, columns: part, loss: undefined, output: undefined };
      const layout = this.#layOut(task, code.length, 1);
      this.#words.set(code, layout.code / 4);
      this.#words.set(offsets, layout.offsets / 4);
      if (this.#runChunk(task, 0, 1) === 0) {
        throw unsupported(0, this.#get(State.problemItem), this.#get(State.problemWord));
      }
      const at = layout.outputs;
      const bytes = count * (target.length / rows);
      target.set(this.#bytes.subarray(at, at + bytes), from * (target.length / rows));
    }
  }

  /** Runs the codes of a chunk, of which the first is the one at `from` of the batch; returns how many were run. */
  #runChunk(task: Task, from: number, count: number): number {
    for (let done = 0; ; ) {
      done = this.#exports.evaluate(done, count);
      if (done === count) return done;
      const outcome: Outcome = this.#get(State.outcome);
      const item = this.#get(State.problemItem);
      const word = this.#get(State.problemWord);
      if (outcome === Outcome.unknownOperation) {
        if (this.#learn(word)) continue;
        if (this.#external === undefined) return done;
      }
      if (outcome === Outcome.memory && this.#growSlots(word)) continue;
      throw refusal(from + done, { outcome, item, word }, task.columns.length);
    }
  }

  /** Adds an operation to the table. */
  #learn(word: number): boolean {
    const entry = this.#entryOf(word) ?? this.#external?.entryOf(word, this.#exports.externalKernel());
    if (entry === undefined) return false;
    this.#operations.add(this.#words, word, entry);
    return true;
  }

  /** How to run an operation that has a kernel in WebAssembly. */
  #entryOf(word: number): OperationEntry | undefined {
    return entryOf(word, coreDefinition, this.#kernels, (recipe) => this.#recipes.add(this.#words, recipe));
  }

  /** Makes room for the slots of a code, which come last in memory. */
  #growSlots(slots: number): boolean {
    const bytes = slots * 8 * Rows.multiple;
    const start = this.#get(State.slots);
    if (start + bytes > MOST_BYTES) return false;
    this.neededBytes = start + bytes;
    this.#grow(start + bytes);
    this.#set(State.slotBytes, bytes);
    return true;
  }

  /** @param outputs the number of outputs to keep, of one code */
  #layOut({ rows, columns, loss, output }: Task, longest: number, outputs = 0): Layout {
    const paddedRows = Math.ceil(rows / Rows.multiple) * Rows.multiple;
    const values = longest >>> 1;
    const chunkWords = Math.max(CHUNK_WORDS, longest);
    let at = this.#start;
    const take = (bytes: number): number => {
      const start = at;
      at = aligned(at + bytes);
      return start;
    };
    const valueArea = take(values * ValueField.bytes);
    const steps = take(longest * Step.bytes);
    const free = take(longest * 4);
    const inputs = take(columns.length * 8);
    const code = take(chunkWords * 4);
    const codeOffsets = take((CHUNK_CODES + 1) * 4);
    const resultArea = take(CHUNK_CODES * Result.bytes);
    const data = columns.map(({ isDouble }) => take(paddedRows * (isDouble ? 8 : 4)));
    const target = loss === undefined ? 0 : take(paddedRows * 8);
    const outputRoom = outputs === 0 ? 0 : take(outputs * paddedRows * 8);
    const slots = take(0);
    const slotBytes = Math.max(FIRST_SLOT_BYTES, Math.min(values, 2 ** 20) * 8 * Rows.multiple);
    take(slotBytes);
    this.neededBytes = at;
    this.#grow(at);
    const set = (field: State, value: number): void => this.#set(field, value);
    set(State.values, valueArea);
    set(State.steps, steps);
    set(State.free, free);
    set(State.inputs, inputs);
    set(State.inputCount, columns.length);
    set(State.rows, rows);
    set(State.paddedRows, paddedRows);
    set(State.keep, 0);
    set(State.codes, code);
    set(State.codeOffsets, codeOffsets);
    set(State.results, resultArea);
    set(State.slots, slots);
    set(State.slotBytes, slotBytes);
    set(State.outputRoom, outputRoom);
    set(State.outputStride, paddedRows * 8);
    set(State.bitwiseOutputs, output === undefined && outputs === 0 ? 0 : 1);
    columns.forEach(({ bytes, isDouble, types }, index) => {
      const address = data[index]!;
      this.#bytes.set(bytes, address);
      this.#bytes.fill(0, address + bytes.length, address + paddedRows * (isDouble ? 8 : 4));
      const dirty = !isDouble && this.#exports.hasSubnormals(address, paddedRows) ? InputMask.dirty : 0;
      this.#words[inputs / 4 + 2 * index] = address + (isDouble ? Lane.double : Lane.word);
      this.#words[inputs / 4 + 2 * index + 1] = types | dirty;
    });
    set(State.loss, loss === undefined ? 0 : this.#exports.lossKernel(LossKernel.squared));
    if (loss !== undefined) {
      set(State.lossEnd, this.#exports.lossKernel(LossKernel.mean));
      set(State.lossOutput, loss.output);
      set(State.target, target);
      this.#doubles.set(loss.target, target / 8);
      this.#doubles[(this.#state + State.lossNumbers) / 8] = rows;
    }
    return {
      code,
      offsets: codeOffsets,
      results: resultArea,
      outputs: outputRoom,
      words: chunkWords,
      codes: CHUNK_CODES,
    };
  }

  #read(from: number, count: number, layout: Layout, { status, loss }: Results): void {
    const doubles = this.#doubles;
    const words = this.#words;
    for (let code = 0; code < count; code++) {
      const at = layout.results + code * Result.bytes;
      status[from + code] = words[(at + Result.status) / 4]!;
      if (loss !== undefined) loss[from + code] = doubles[(at + Result.loss) / 8]!;
    }
  }

  /** Makes the memory at least this many bytes long. */
  #grow(bytes: number): void {
    const missing = Math.ceil((bytes - this.#memory.buffer.byteLength) / PAGE_BYTES);
    if (missing <= 0) return;
    try {
      this.#memory.grow(missing);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new ColumnsError("INSUFFICIENT_BUFFER", `expected ${bytes} bytes of memory, found less`);
    }
    const { buffer } = this.#memory;
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
    this.#bytes = new Uint8Array(buffer);
  }

  #get(field: State): number {
    return this.#words[(this.#state + field) / 4]!;
  }

  #set(field: State, value: number): void {
    this.#words[(this.#state + field) / 4] = value;
  }
}

/** Addresses of a task, and the sizes of its chunks. */
interface Layout {
  readonly code: number;
  readonly offsets: number;
  readonly results: number;
  readonly outputs: number;
  readonly words: number;
  readonly codes: number;
}

const aligned = (address: number): number => Math.ceil(address / 64) * 64;
