// The emulated device: the device interface on top of this package's engines.
import type { LocatedPtx } from "@mm-ptx/types/core";
import type {
  Device,
  DeviceLimits,
  DeviceStream,
  HostMemory,
  ModuleSource,
  TypedArray,
  TypedArrayClass,
} from "@mm-ptx/types/device";
import { isFilledKernel, isLocatedPtx, ptxSizeProblem } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import { checkProgram, renderedPtx } from "../front/index.js";
import { EngineChoice, type Engines } from "../run/engines.js";
import type { Finding } from "../run/finding.js";
import { DeviceHeap, type HeapBlock } from "../run/heap.js";
import type { Engine, TranslatingEngine } from "../run/launch.js";
import { DEVICE_LIMITS } from "../run/launch-check.js";
import { PagedMemory } from "../run/paged-memory.js";
import type { WorkerPool } from "../workers/pool.js";
import { EmulatedBuffer, SharedRange } from "./buffer.js";
import { checkOpen, foreign, invalid, wholeNumber } from "./check.js";
import { DeviceFindings } from "./findings.js";
import {
  type ArrayOptions,
  EmulatedArray,
  EmulatedSurface,
  EmulatedTexture,
  type TextureOptions,
} from "./image.js";
import { EmulatedModule } from "./module.js";
import { type DeviceSettings, type EmulatedDeviceOptions, settingsOf } from "./options.js";
import { WorkQueue } from "./queue.js";
import type { DeviceParts, DeviceState } from "./state.js";
import { EmulatedEvent, EmulatedStream } from "./stream.js";

/** Keeps byte counts exact. Whether that much memory is available is checked separately. */
const MOST_ELEMENTS = 2 ** 50;

/**
 * Engines are imported by the first launch that needs them: checking texts needs none, and most programs need only one.
 */
const INTERPRETER: Engine = {
  run: async (launch) => {
    const { Interpreter } = await import("../interpreter/index.js");
    return new Interpreter().run(launch);
  },
};

function lazyEngines({ workers, createWorker }: DeviceSettings): Engines {
  let translator: TranslatingEngine | undefined;
  let pool: WorkerPool | undefined;
  const loaded = async () => {
    const { Translator } = await import("../wasm/index.js");
    if (workers > 1 && pool === undefined) {
      const { WorkerPool } = await import("../workers/index.js");
      pool = new WorkerPool(workers, createWorker);
    }
    translator ??= new Translator(undefined, pool);
    return translator;
  };
  return {
    interpreter: INTERPRETER,
    translator: {
      refusal: async (launch) => (await loaded()).refusal(launch),
      run: async (launch) => (await loaded()).run(launch),
    },
    close: () => pool?.close(),
  };
}

/**
 * Runs PTX on the CPU. Unless `workers` is above 1, launches are deterministic: the same launches produce the same bytes
 * every time and on every machine.
 */
export class EmulatedDevice implements Device {
  readonly kind = "emulator";
  readonly name = "emulator";
  readonly arch = "sm_90";
  readonly limits: DeviceLimits = DEVICE_LIMITS;
  readonly stream: EmulatedStream;
  /** The options that it was opened with. */
  readonly options: EmulatedDeviceOptions;
  readonly #state: DeviceState;
  #buffers = 0;
  readonly #close: () => void;
  #disposed = false;

  /** @internal */
  constructor(options: EmulatedDeviceOptions, parts: DeviceParts) {
    const settings = settingsOf(options);
    this.options = Object.freeze({ ...options });
    const engines = parts.engines(settings);
    const memory = new PagedMemory(settings.memoryBytes, settings.workers > 1);
    this.#close = () => {
      engines.close?.();
      memory.close();
    };
    this.#state = {
      readProgram: parts.readProgram,
      engines: new EngineChoice(settings.engine, engines),
      device: this,
      settings,
      memory,
      findings: new DeviceFindings(settings, memory),
      heap: new DeviceHeap(memory, settings.heapBytes),
      queue: new WorkQueue(),
      checkStream: (stream) => this.#checkStream(stream),
    };
    this.stream = new EmulatedStream(this.#state);
  }

  /** @throws EmulatorError INVALID_ARGUMENT; OUT_OF_MEMORY if the machine cannot provide the memory */
  static open(options: EmulatedDeviceOptions = {}): EmulatedDevice {
    return new EmulatedDevice(options, {
      readProgram: checkProgram,
      engines: lazyEngines,
    });
  }

  /** @internal */
  get state(): DeviceState {
    return this.#state;
  }

  /** Whether this device has been disposed. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** The error of the launch that put the device into its failed state; undefined while the device works. */
  get failure(): Error | undefined {
    return this.#state.queue.failure;
  }

  /**
   * Clears a failure so that the device accepts work again. Memory stays as the failed launch left it. A GPU cannot do
   * this.
   */
  recover(): void {
    this.#state.queue.failure = undefined;
  }

  /** The findings of the checks so far; equal findings are counted together. */
  get findings(): readonly Finding[] {
    return this.#state.findings.all;
  }

  /** The number of occurrences that are not in `findings` because of `mostFindings`. */
  get findingsLeftOut(): number {
    return this.#state.findings.leftOut;
  }

  /** The memory that kernels have allocated with `malloc` or `new` and not freed, in the order of the calls. */
  get heapBlocks(): readonly HeapBlock[] {
    return this.#state.heap.blocks;
  }

  memoryInfo(): { readonly free: number; readonly total: number } {
    this.#check();
    const { free, capacity } = this.#state.memory;
    return { free, total: capacity };
  }

  /**
   * Allocates device memory. Unlike on a GPU, the bytes are zero.
   * @throws EmulatorError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED
   */
  allocate(bytes: number): EmulatedBuffer<Uint8Array> {
    return this.#allocate("bytes", bytes, Uint8Array);
  }

  allocateFloat32(length: number): EmulatedBuffer<Float32Array> {
    return this.#allocate("length", length, Float32Array);
  }

  /** Allocates memory for `length` f64 values. @throws EmulatorError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED */
  allocateFloat64(length: number): EmulatedBuffer<Float64Array> {
    return this.#allocate("length", length, Float64Array);
  }

  /** Allocates memory for `length` s32 values. @throws EmulatorError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED */
  allocateInt32(length: number): EmulatedBuffer<Int32Array> {
    return this.#allocate("length", length, Int32Array);
  }

  /** Allocates memory for `length` u32 values. @throws EmulatorError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED */
  allocateUint32(length: number): EmulatedBuffer<Uint32Array> {
    return this.#allocate("length", length, Uint32Array);
  }

  /** Allocates host memory, initialized to zero. @throws EmulatorError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED */
  allocateHost(bytes: number): HostMemory {
    this.#check();
    return new EmulatedHostMemory(wholeNumber("bytes", bytes, 0, 2 ** 32));
  }

  /**
   * Creates an array of up to three dimensions for textures and surfaces. Its elements are zero.
   * @throws EmulatorError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED
   */
  createArray(options: ArrayOptions): EmulatedArray {
    this.#check();
    return new EmulatedArray(this, options);
  }

  /**
   * Creates a texture object on an array or a buffer.
   * @throws EmulatorError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED
   */
  createTexture(options: TextureOptions): EmulatedTexture {
    this.#check();
    return new EmulatedTexture(this.#state, options);
  }

  /**
   * Creates a surface object on an array.
   * @throws EmulatorError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED
   */
  createSurface(array: EmulatedArray): EmulatedSurface {
    this.#check();
    return new EmulatedSurface(this.#state, array);
  }

  /**
   * Parses and checks a PTX module (text, bytes, a filled kernel or a pack) and places its variables in memory. For a
   * filled kernel or a pack, errors name the injection, site and stub line, including errors of launches. If it is the
   * result of a compiler, the PTX that it was compiled from is loaded; other machine code cannot be loaded. Several
   * modules are linked, as those of `nvcc -rdc=true`: what one declares `.extern`, another one defines. Errors then say
   * which of the texts a place is in.
   * @throws EmulatorError with all problems of the text; INVALID_ARGUMENT, UNSUPPORTED, OUT_OF_MEMORY, DISPOSED
   */
  load(module: ModuleSource | readonly ModuleSource[]): EmulatedModule {
    this.#check();
    const modules: readonly ModuleSource[] = Array.isArray(module) ? module : [module as ModuleSource];
    if (modules.length === 0) throw invalid("at least one module", modules);
    return new EmulatedModule(this.#state, modules.map(ptxOf));
  }

  /**
   * Creates a stream. The work of all streams runs in the order in which it was queued.
   * @throws EmulatorError DISPOSED
   */
  createStream(): EmulatedStream {
    this.#check();
    return new EmulatedStream(this.#state);
  }

  /** Creates an event that has not been recorded yet. @throws EmulatorError DISPOSED */
  createEvent(): EmulatedEvent {
    this.#check();
    return new EmulatedEvent(this.#state);
  }

  async synchronize(): Promise<void> {
    this.#check();
    await this.#state.queue.add(() => {});
  }

  /**
   * Finishes queued work, then stops the workers. With the check `leaks`, buffers that are still allocated become
   * findings.
   */
  dispose(): void {
    if (this.#disposed) return;
    this.#state.findings.findLeaks(this.heapBlocks);
    this.#disposed = true;
    this.#state.queue.finally(this.#close);
  }

  /** Calls `dispose` and waits until queued work has finished and the workers have stopped. */
  async disposeAsync(): Promise<void> {
    this.dispose();
    await this.#state.queue.idle();
  }

  /** Calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Calls `disposeAsync`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync();
  }

  #check(): void {
    checkOpen("device", this.#disposed);
  }

  #checkStream(stream: DeviceStream): void {
    if (!(stream instanceof EmulatedStream)) throw invalid("a stream of this device", stream);
    if (stream.device !== this) throw foreign("stream");
    checkOpen("stream", stream.disposed);
  }

  #allocate<T extends TypedArray>(
    what: string,
    length: number,
    elements: TypedArrayClass<T>,
  ): EmulatedBuffer<T> {
    this.#check();
    const { memory, queue, findings } = this.#state;
    const byteLength = wholeNumber(what, length, 0, MOST_ELEMENTS) * elements.BYTES_PER_ELEMENT;
    const label = `buffer ${this.#buffers + 1}`;
    const madeAt = findings.allocating();
    const offset = memory.take(byteLength, { zero: true, label, madeAt });
    this.#buffers++;
    findings.allocated(offset, { label, byteLength, madeAt });
    const range = new SharedRange(() => {
      findings.released(offset);
      queue.finally(() => memory.give(offset));
    });
    return new EmulatedBuffer(this.#state, { range, offset, byteLength }, elements);
  }
}

class EmulatedHostMemory implements HostMemory {
  readonly buffer: ArrayBuffer;
  #disposed = false;

  constructor(bytes: number) {
    try {
      this.buffer = new ArrayBuffer(bytes);
    } catch (cause) {
      throw new EmulatorError(
        "OUT_OF_MEMORY",
        `expected room for ${bytes} bytes of host memory, found none`,
        { cause },
      );
    }
  }

  /** Whether this memory or its device has been disposed. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Releases the memory; arrays on it become empty. Repeated calls have no effect. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    // Transferring the buffer detaches it; the clone is dropped.
    structuredClone(this.buffer, { transfer: [this.buffer] });
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** @throws EmulatorError INVALID_ARGUMENT, UNSUPPORTED */
function ptxOf(module: ModuleSource): string | LocatedPtx {
  if (typeof module === "string" || isLocatedPtx(module)) return module;
  if (isFilledKernel(module)) return renderedPtx(module);
  if (typeof module === "object" && module !== null && "cubin" in module) {
    if (module.source === undefined) throw machineCode("a compiled module without its `source`");
    return ptxOf(module.source);
  }
  if (!(module instanceof Uint8Array))
    throw invalid("PTX as a string, as bytes, as a filled kernel or as a pack", module);
  if ([0x7f, 0x45, 0x4c, 0x46].every((byte, i) => module[i] === byte)) throw machineCode("a cubin");
  const problem = ptxSizeProblem(module.length);
  if (problem !== undefined) throw new EmulatorError("OUT_OF_MEMORY", problem);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(module.slice());
  } catch (cause) {
    throw new EmulatorError("INVALID_ARGUMENT", "expected PTX, found bytes that are not UTF-8", { cause });
  }
}

const machineCode = (what: string): EmulatorError =>
  new EmulatorError(
    "UNSUPPORTED",
    `expected PTX, found ${what}, which is machine code: load the PTX or the filled kernel that it was compiled from`,
  );
