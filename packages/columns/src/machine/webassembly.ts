// The machine in WebAssembly. It lays out the memory for a task and feeds the codes of a batch to the planner in chunks. Memory grows
// and is kept; all tasks of a thread share one machine.
import type { CodeBatch } from "@mm-ptx/types/code";
import { CodeWord } from "@mm-ptx/types/internal";
import type { CoreFunctions, DisturbedKernels } from "../bounds/webassembly.js";
import { ColumnsError } from "../error.js";
import { MODULE } from "../wasm/core.js";
import {
  type Chunk,
  mostOutputBytes,
  NO_CHUNK,
  outputBytesOf,
  type Pass,
  readResults,
  type Views,
} from "./chunk.js";
import { commonEntry } from "./common-operations.js";
import { type CoreExports, type CoreKernels, coreKernels } from "./core-kernels.js";
import type { DerivativeMachine } from "./derivatives.js";
import type { ExternalKernels } from "./external.js";
import { instantiate } from "./instance.js";
import type { LossKernel } from "./kernels.js";
import { Entry, Flag, Outcome, Rows, State } from "./layout.js";
import {
  type ComputeData,
  type Machine,
  type OutputRoom,
  type Results,
  rowsOf,
  type Task,
} from "./machine.js";
import { type OperationEntry, OperationTable } from "./operations.js";
import { refusal, unsupported } from "./problems.js";
import { RECIPE_BYTES, RecipeMemory } from "./recipe-memory.js";
import { fusedKernel } from "./relaxed.js";
import { writeColumns, writeLoss } from "./task-data.js";
import { aligned, layOut, padded, type TaskLayout, type Wanted } from "./task-layout.js";

interface Exports extends CoreExports, CoreFunctions {
  readonly budget: WebAssembly.Global<"f64">;
  readonly firstFree: WebAssembly.Global<"i32">;
  readonly state: WebAssembly.Global<"i32">;
  quickLoss(kernel: LossKernel): number;
  externalKernel(): number;
  hasSubnormals(address: number, rows: number): number;
  evaluate(first: number, count: number): number;
}

const PAGE_BYTES = 65536;
const MOST_BYTES = 2 ** 32 - PAGE_BYTES;
/** Twice as many as there are instructions, and a power of two. */
const ENTRIES = 16384;
/** Rows that `compute` does at a time, so that its memory does not grow with the columns. */
const COMPUTE_ROWS = 16384;
/** The columns of a block should stay in a first-level cache. */
const CACHE_BYTES = 32768;
/**
 * Rows times steps after which the machine checks the clock: some tenths of a millisecond, or milliseconds of slow
 * operations.
 */
const BUDGET = 2 ** 20;

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
  #extended: ((word: number) => OperationEntry | undefined) | undefined;
  /** Kernels of disturbed instructions, once they are loaded; whether they have to be; whether the table of operations has them. */
  #disturbed: DisturbedKernels | undefined;
  #needsDisturbed = false;
  #isDisturbed = false;
  /** How to run the operations that have kernels in WebAssembly, and that codes have used. */
  readonly #entries = new Map<number, OperationEntry>();
  /** The module of gradients and the rules of operations, once they are loaded. */
  #derivatives: DerivativeMachine | undefined;
  #ruleOf: ((word: number) => number) | undefined;
  /** The task whose columns are in memory. */
  #task: WeakRef<Task> | undefined;
  #layout: TaskLayout | undefined;
  #chunk: Chunk = NO_CHUNK;

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
    this.#kernels = coreKernels(exports, fusedKernel(memory, exports.table));
    this.#set(State.entries, entries);
    this.#set(State.entryMask, ENTRIES - 1);
    this.#set(State.cacheBytes, CACHE_BYTES);
  }

  runExternal(step: number, offset: number, rows: number): void {
    this.#external!.run(step, offset, rows);
  }

  neededBytes = 0;
  readonly copiesColumns = true;
  lacksKernels = false;

  get heldBytes(): number {
    return this.#bytes.length;
  }

  async load(): Promise<void> {
    const [{ ExternalKernels }, { entryOf, extendedKernels }] = await Promise.all([
      import("./external.js"),
      import("./extended.js"),
    ]);
    if (this.#external === undefined) {
      this.#external = new ExternalKernels(this.#memory);
      const kernels = extendedKernels(this.#memory, this.#exports.table, this.#kernels);
      const write = (recipe: readonly number[]) => this.#recipes.add(this.#words, recipe);
      if (kernels !== undefined) this.#extended = (word) => entryOf(word, kernels, write);
    }
    if (!this.#needsDisturbed) return;
    const { DisturbedKernels } = await import("../bounds/webassembly.js");
    const { externalKernel } = this.#exports;
    this.#disturbed ??= new DisturbedKernels(this.#memory, this.#exports, this.#external, externalKernel());
  }

  async derivatives(): Promise<DerivativeMachine> {
    const { derivativeRule, webAssemblyDerivatives } = await import("../gradient/webassembly.js");
    if (this.#ruleOf === undefined) {
      // Operations are learned again, together with their rules.
      this.#ruleOf = derivativeRule;
      this.#operations.clear(this.#words);
    }
    this.#derivatives ??= webAssemblyDerivatives(this.#memory, this.#exports, (...job) => this.#run(...job));
    return this.#derivatives;
  }

  run(task: Task, batch: CodeBatch, first: number, end: number, results: Results, until: number): number {
    const { outputs, cases } = results;
    return this.#run(task, batch, first, end, until, {
      outputs,
      wanted: () => ({
        outputBytes: outputs === undefined ? 0 : mostOutputBytes(outputs, task.rows),
        cases: cases !== undefined,
      }),
      evaluate: (from, count) => this.#exports.evaluate(from, count),
      read: (views, layout, chunk, done) => readResults(views, layout, chunk, done, task.rows, results),
    });
  }

  #run(task: Task, batch: CodeBatch, first: number, end: number, until: number, pass: Pass): number {
    this.#needsDisturbed = task.seed !== undefined;
    if (this.#needsDisturbed && this.#disturbed === undefined) {
      this.lacksKernels = true;
      return first;
    }
    if (this.#task?.deref() !== task) {
      const layout = this.#layOut(task, pass.wanted());
      pass.begin?.(this.#views, layout);
      this.#task = new WeakRef(task);
    }
    for (let next = first; next < end; ) {
      if (this.#chunk.from + this.#chunk.done !== next || this.#chunk.done === this.#chunk.count) {
        this.#fill(task, batch, next, end, pass.outputs);
        pass.start?.(this.#views, this.#layout!, this.#chunk);
      }
      const done = this.#runChunk(task, until, pass);
      pass.read(this.#views, this.#layout!, this.#chunk, done);
      next = this.#chunk.from + done;
      if (done < this.#chunk.count) return next;
      if (next < end && performance.now() >= until) return next;
    }
    return end;
  }

  get #views(): Views {
    return { words: this.#words, doubles: this.#doubles, bytes: this.#bytes };
  }

  /** Fills the chunk with the codes from `first` on. */
  #fill(
    { rows }: Task,
    { words, offsets }: CodeBatch,
    first: number,
    end: number,
    outputs: OutputRoom | undefined,
  ): void {
    const layout = this.#layout!;
    const start = offsets[first]!;
    let room = layout.outputEnd - layout.outputs;
    let to = first;
    do {
      if (outputs !== undefined) room -= outputBytesOf(outputs, to, rows);
      if (room < 0) break;
      to++;
    } while (to < end && to - first < layout.codes && offsets[to + 1]! - start <= layout.words);
    this.#words.set(words.subarray(start, offsets[to]!), layout.code / 4);
    for (let code = first; code <= to; code++)
      this.#words[layout.offsets / 4 + code - first] = offsets[code]! - start;
    this.#set(State.nextRow, 0);
    this.#set(State.outputRoom, layout.outputs);
    this.#set(State.lossTerms, layout.terms);
    this.#chunk = { from: first, count: to - first, done: 0, outputs: layout.outputs };
  }

  compute(code: Uint32Array, { columns, rows }: ComputeData, target: Uint8Array): void {
    this.#task = undefined;
    const offsets = Uint32Array.of(0, code.length);
    const outputs = (code[CodeWord.arity] ?? 0) >>> CodeWord.outputShift;
    const rowBytes = target.length / rows;
    for (let from = 0; from < rows; from += COMPUTE_ROWS) {
      const count = Math.min(COMPUTE_ROWS, rows - from);
      const part = columns.map((column) => rowsOf(column, from, count));
      const task: Task = { rows: count, columns: part, loss: undefined, longest: code.length };
      const layout = this.#layOut(task, {
        outputBytes: Math.max(1, outputs) * padded(count) * 8,
        cases: false,
      });
      this.#words.set(code, layout.code / 4);
      this.#words.set(offsets, layout.offsets / 4);
      this.#chunk = { from: 0, count: 1, done: 0, outputs: layout.outputs };
      if (this.#runChunk(task, Number.POSITIVE_INFINITY, this.#exports) === 0) {
        throw unsupported(0, this.#get(State.problemItem), this.#get(State.problemWord));
      }
      const at = layout.outputs;
      target.set(this.#bytes.subarray(at, at + count * rowBytes), from * rowBytes);
    }
  }

  /** Runs the codes of the chunk that are left; returns how many are done. */
  #runChunk(task: Task, until: number, pass: Pick<Pass, "evaluate">): number {
    const { from, count } = this.#chunk;
    this.lacksKernels = false;
    for (let { done } = this.#chunk; ; ) {
      this.#exports.budget.value = BUDGET;
      done = pass.evaluate(done, count);
      if (done === count) return done;
      const outcome: Outcome = this.#get(State.outcome);
      const item = this.#get(State.problemItem);
      const word = this.#get(State.problemWord);
      if (outcome === Outcome.paused) {
        if (performance.now() < until) continue;
        return done;
      }
      if (outcome === Outcome.unknownOperation) {
        if (this.#learn(word)) continue;
        this.lacksKernels = this.#external === undefined;
        if (this.lacksKernels) return done;
      }
      if (outcome === Outcome.memory && this.#growSlots(word)) continue;
      // The caller may catch the error and continue with other codes.
      this.#task = undefined;
      throw refusal(from + done, { outcome, item, word }, task.columns.length);
    }
  }

  /** Adds an operation to the table. */
  #learn(word: number): boolean {
    const disturbed = this.#isDisturbed ? this.#disturbed!.entryOf(word) : undefined;
    const entry =
      disturbed ?? this.#entryOf(word) ?? this.#external?.entryOf(word, this.#exports.externalKernel());
    if (entry === undefined) return false;
    const { kernel, flags, extra } = entry;
    const rule = this.#ruleOf?.(word) ?? 0;
    this.#operations.add(this.#words, word, { kernel, flags: flags | (rule << Flag.ruleShift), extra });
    return true;
  }

  /** How to run an operation that has a kernel in WebAssembly. */
  #entryOf(word: number): OperationEntry | undefined {
    const known = this.#entries.get(word);
    if (known !== undefined) return known;
    const entry = commonEntry(word, this.#kernels) ?? this.#extended?.(word);
    if (entry !== undefined) this.#entries.set(word, entry);
    return entry;
  }

  /** Makes the kernels of a task those of the table of operations. */
  #choose({ seed }: Task): void {
    const isDisturbed = seed !== undefined;
    if (isDisturbed !== this.#isDisturbed) this.#operations.clear(this.#words);
    this.#isDisturbed = isDisturbed;
    if (isDisturbed) this.#disturbed!.seed = seed;
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

  #layOut(task: Task, wanted: Wanted): TaskLayout {
    const { columns, loss } = task;
    const layout = layOut(task, wanted, this.#start);
    this.neededBytes = layout.end;
    this.#grow(layout.end);
    this.#layout = layout;
    this.#chunk = NO_CHUNK;
    this.#choose(task);
    for (const [field, value] of layout.state) this.#set(field, value);
    const hasSubnormals = (address: number, rows: number): boolean =>
      this.#exports.hasSubnormals(address, rows) !== 0;
    writeColumns(this.#views, layout, columns, padded(task.rows), hasSubnormals);
    if (loss !== undefined) {
      const isQuick = loss.weights === undefined && !wanted.cases;
      this.#set(State.quickLoss, isQuick ? this.#exports.quickLoss(loss.kernel) : 0);
      writeLoss(this.#views, layout, loss, this.#state + State.lossNumbers);
    }
    return layout;
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
