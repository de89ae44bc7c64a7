// The emulated device: the interface of a GPU over the engines of this package.
import type {
  Device,
  DeviceLimits,
  DeviceStream,
  HostMemory,
  LoadOptions,
  TypedArray,
  TypedArrayClass,
} from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import { checkProgram } from "../front/index.js";
import { EngineChoice, type Engines } from "../run/engines.js";
import type { Engine, TranslatingEngine } from "../run/launch.js";
import { DEVICE_LIMITS } from "../run/launch-check.js";
import { PagedMemory } from "../run/paged-memory.js";
import type { WorkerPool } from "../workers/pool.js";
import { EmulatedBuffer, SharedRange } from "./buffer.js";
import { checkOpen, foreign, invalid, wholeNumber } from "./check.js";
import { EmulatedModule } from "./module.js";
import { type DeviceSettings, type EmulatedDeviceOptions, settingsOf } from "./options.js";
import { WorkQueue } from "./queue.js";
import type { DeviceParts, DeviceState } from "./state.js";
import { EmulatedEvent, EmulatedStream } from "./stream.js";

/** So that their bytes are counted exactly; whether there is room for them is another question. */
const MOST_ELEMENTS = 2 ** 50;

/** Engines are loaded by the first launch that needs them: who only checks texts needs none, and most launches one. */
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

/** Runs PTX on the CPU. The same launches leave the same bytes, every time and everywhere. */
export class EmulatedDevice implements Device {
  readonly kind = "emulator";
  readonly name = "emulator";
  readonly arch = "sm_90";
  readonly limits: DeviceLimits = DEVICE_LIMITS;
  readonly stream: EmulatedStream;
  readonly #state: DeviceState;
  #buffers = 0;
  readonly #close: () => void;
  #disposed = false;

  /** @internal */
  constructor(options: EmulatedDeviceOptions, parts: DeviceParts) {
    const settings = settingsOf(options);
    const engines = parts.engines(settings);
    this.#close = () => engines.close?.();
    this.#state = {
      readProgram: parts.readProgram,
      engines: new EngineChoice(settings.engine, engines),
      device: this,
      settings,
      memory: new PagedMemory(settings.memoryBytes, settings.workers > 1),
      queue: new WorkQueue(),
      checkStream: (stream) => this.#checkStream(stream),
    };
    this.stream = new EmulatedStream(this.#state);
  }

  /** @throws EmulatorError INVALID_INPUT; OUT_OF_MEMORY where the machine has no room for it */
  static open(options: EmulatedDeviceOptions = {}): EmulatedDevice {
    return new EmulatedDevice(options, {
      readProgram: checkProgram,
      engines: lazyEngines,
    });
  }

  /** Whether it, or its device, was disposed of. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** The error of the launch after which nothing is done any more; undefined while all is well. */
  get failure(): Error | undefined {
    return this.#state.queue.failure;
  }

  /** Goes on after a launch that failed; its memory stays as it was left. A GPU can't do this. */
  recover(): void {
    this.#state.queue.failure = undefined;
  }

  memoryInfo(): { readonly free: number; readonly total: number } {
    this.#check();
    const { free, capacity } = this.#state.memory;
    return { free, total: capacity };
  }

  /**
   * Its bytes are 0, unlike those of a GPU.
   * @throws EmulatorError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED
   */
  allocate(bytes: number): EmulatedBuffer<Uint8Array> {
    return this.#allocate("bytes", bytes, Uint8Array);
  }

  allocateFloat32(length: number): EmulatedBuffer<Float32Array> {
    return this.#allocate("length", length, Float32Array);
  }

  /** Memory for as many f64. @throws EmulatorError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED */
  allocateFloat64(length: number): EmulatedBuffer<Float64Array> {
    return this.#allocate("length", length, Float64Array);
  }

  /** Memory for as many s32. @throws EmulatorError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED */
  allocateInt32(length: number): EmulatedBuffer<Int32Array> {
    return this.#allocate("length", length, Int32Array);
  }

  /** Memory for as many u32. @throws EmulatorError INVALID_INPUT, OUT_OF_MEMORY, DISPOSED */
  allocateUint32(length: number): EmulatedBuffer<Uint32Array> {
    return this.#allocate("length", length, Uint32Array);
  }

  /** @throws EmulatorError INVALID_INPUT, DISPOSED */
  allocateHost(bytes: number): HostMemory {
    this.#check();
    return new EmulatedHostMemory(wholeNumber("bytes", bytes, 0, 2 ** 32));
  }

  /**
   * Reads and checks PTX, and places its variables.
   * @throws EmulatorError with all problems of the text; INVALID_INPUT, UNSUPPORTED, OUT_OF_MEMORY, DISPOSED
   */
  load(module: string | Uint8Array, options: LoadOptions = {}): EmulatedModule {
    this.#check();
    return new EmulatedModule(this.#state, textOf(module), options);
  }

  /** A stream; the work of all streams is done in the order in which it was asked for. @throws EmulatorError DISPOSED */
  createStream(): EmulatedStream {
    this.#check();
    return new EmulatedStream(this.#state);
  }

  /** An event that was not recorded. @throws EmulatorError DISPOSED */
  createEvent(): EmulatedEvent {
    this.#check();
    return new EmulatedEvent(this.#state);
  }

  async synchronize(): Promise<void> {
    this.#check();
    await this.#state.queue.add(() => {});
  }

  /** What is queued is still done, then workers end; the memory goes when nobody uses it any more. */
  dispose(): void {
    this.#disposed = true;
    this.#state.queue.finally(this.#close);
  }

  /** As `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
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
    const { memory, queue } = this.#state;
    const byteLength = wholeNumber(what, length, 0, MOST_ELEMENTS) * elements.BYTES_PER_ELEMENT;
    const offset = memory.take(byteLength, { zero: true, label: `buffer ${this.#buffers + 1}` });
    this.#buffers++;
    const range = new SharedRange(() => queue.finally(() => memory.give(offset)));
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

  /** Whether it, or its device, was disposed of. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Disposes of all that came from it; twice without harm. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    // Moves the bytes to a copy that nobody has.
    structuredClone(this.buffer, { transfer: [this.buffer] });
  }

  /** As `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** @throws EmulatorError INVALID_INPUT, UNSUPPORTED */
function textOf(module: string | Uint8Array): string {
  if (typeof module === "string") return module;
  if (!(module instanceof Uint8Array)) throw invalid("PTX as a string or as bytes", module);
  if ([0x7f, 0x45, 0x4c, 0x46].every((byte, i) => module[i] === byte)) {
    throw new EmulatorError("UNSUPPORTED", "expected PTX, found machine code (an ELF file)");
  }
  // Tools of CUDA end the text with a zero.
  const end = module.at(-1) === 0 ? -1 : module.length;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(module.slice(0, end));
  } catch (cause) {
    throw new EmulatorError("INVALID_INPUT", "expected PTX, found bytes that are no UTF-8", { cause });
  }
}
