// The device of one program: what its calls of the CUDA runtime do.
import { EmulatedDevice } from "../device/device.js";
import { EmulatedLaunch } from "../device/launch.js";
import type { EmulatedDeviceOptions } from "../device/options.js";
import type { Finding } from "../run/finding.js";
import { failedCall } from "../run/finding.js";
import { ADDRESS_BASE } from "../run/memory.js";
import type { CountedRun } from "../view/lcov.js";
import { CudaError, cudaErrorOf, INVALID_VALUE, OUT_OF_MEMORY } from "./cuda-errors.js";
import { DeviceMemory } from "./device-memory.js";
import { ProgramImages } from "./images.js";
import { ProcessMemory } from "./process-memory.js";
import { type Capability, ProgramModules } from "./program-modules.js";
import { type Answer, Fields, fieldsOf, OPERATION, WIRE_VERSION, WISH } from "./wire.js";

/** A launch that has finished, for statistics. */
export interface LaunchRecord {
  readonly kernel: string;
  readonly engine: string;
  readonly milliseconds: number;
  /** The counts of the launch, if they were requested. */
  readonly counted?: CountedRun | undefined;
}

export interface SessionOptions {
  /** Whether to count how often each instruction is executed; if so, launches run in the interpreter. */
  readonly counts?: boolean;
  readonly device: EmulatedDeviceOptions;
  readonly capability: Capability;
  /** Whether failed calls of the CUDA runtime are findings. */
  readonly findsErrors?: boolean;
  /** Receives sentences for standard error. */
  readonly complain: (message: string, error?: unknown) => void;
  readonly onLaunch?: (launch: LaunchRecord) => void;
  /** Receives what the checks of a device have found, once it is closed. */
  readonly onFindings?: (findings: readonly Finding[], leftOut: number) => void;
}

const EMPTY = new Uint8Array();

export class Session {
  readonly #options: SessionOptions;
  #device: EmulatedDevice;
  #memory: DeviceMemory;
  #modules: ProgramModules;
  #live = new Set<number>();
  #buffers = 0;
  readonly #events = new Map<number, number>();
  readonly #images = new ProgramImages();
  #printed = "";
  /** The error of a kernel, which all later calls get. */
  #failure: number | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#device = this.#open();
    this.#memory = new DeviceMemory(this.#device.state.memory, undefined);
    this.#modules = new ProgramModules(this.#device, options.capability);
  }

  /** Handles a message. Everything that came before has finished. */
  async handle(
    operation: number,
    body: Buffer,
  ): Promise<{ readonly error: number; readonly body: Uint8Array }> {
    try {
      if (this.#failure !== undefined && operation !== OPERATION.RESET)
        return { error: this.#failure, body: EMPTY };
      return { error: 0, body: (await this.#run(operation, new Fields(body))) ?? EMPTY };
    } catch (error) {
      if (!(error instanceof CudaError) || error.message !== "")
        this.#options.complain(error instanceof Error ? error.message : String(error), error);
      return { error: cudaErrorOf(error), body: EMPTY };
    }
  }

  /** Handles a message and adds what kernels have printed since the last answer. */
  async answer(operation: number, body: Buffer): Promise<Answer> {
    const found = await this.handle(operation, body);
    const printed = this.#printed;
    this.#printed = "";
    return { ...found, printed, sticky: this.#failure !== undefined };
  }

  async close(): Promise<void> {
    this.#memory.program?.close();
    await this.#closeDevice();
  }

  async #closeDevice(): Promise<void> {
    await this.#device.disposeAsync();
    // A program that gives up when a kernel has failed leaves its memory allocated.
    const found = this.#device.findings.filter(
      ({ check }) => check !== "leaks" || this.#failure === undefined,
    );
    this.#options.onFindings?.(found, this.#device.findingsLeftOut);
  }

  #open(): EmulatedDevice {
    return EmulatedDevice.open({
      ...this.#options.device,
      onPrint: (text) => {
        this.#printed += text;
      },
    });
  }

  #run(operation: number, fields: Fields): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    switch (operation) {
      case OPERATION.HELLO:
        return this.#hello(fields);
      case OPERATION.LOAD_MODULE:
        return this.#modules.load(fields, this.#memory.program);
      case OPERATION.FIND_KERNEL:
        return this.#modules.findKernel(fields);
      case OPERATION.FIND_VARIABLE:
        return this.#modules.findVariable(fields);
      case OPERATION.ALLOCATE:
        return this.#allocate(fields);
      case OPERATION.FREE:
        return this.#free(fields.u64());
      case OPERATION.WRITE_BYTES: {
        const address = fields.u64();
        const bytes = fields.rest();
        this.#memory.view(address, bytes.length).set(bytes);
        return undefined;
      }
      case OPERATION.COPY:
        this.#memory.copy(fields);
        return undefined;
      case OPERATION.FILL:
        this.#memory.fill(fields);
        return undefined;
      case OPERATION.LAUNCH:
        return this.#launch(fields);
      case OPERATION.SYNCHRONIZE:
        return undefined;
      case OPERATION.RECORD:
        this.#events.set(fields.u32(), performance.now());
        return undefined;
      case OPERATION.ELAPSED:
        return this.#elapsed(fields);
      case OPERATION.RESET:
        return this.#reset();
      case OPERATION.RECEIVE_BYTES:
        return this.#memory.view(fields.u64(), fields.u64()).slice();
      case OPERATION.FREE_BYTES: {
        const { free, total } = this.#device.memoryInfo();
        return fieldsOf(BigInt(free), BigInt(total));
      }
      case OPERATION.RESIZE_HEAP:
        return this.#resizeHeap(fields.u64());
      case OPERATION.RESIZE_STACK:
        return this.#modules.resizeStack(fields.u64());
      case OPERATION.REPORT_ERROR:
        return this.#reportError(fields);
      case OPERATION.CREATE_IMAGE:
        return this.#images.create(fields, this.#device.state, this.#memory);
      case OPERATION.DESTROY_IMAGE:
        return this.#images.destroy(fields);
      default:
        throw new CudaError(
          INVALID_VALUE,
          `expected a known message from the program, found number ${operation}`,
        );
    }
  }

  #hello(fields: Fields): Uint8Array {
    const version = fields.u32();
    if (version !== WIRE_VERSION) {
      throw new CudaError(
        INVALID_VALUE,
        `expected a libcudart of protocol version ${WIRE_VERSION}, found one of version ${version}`,
      );
    }
    const pid = fields.u32();
    const program = ProcessMemory.open(pid, { address: fields.u64(), value: BigInt(fields.u64()) });
    this.#memory = new DeviceMemory(this.#device.state.memory, program);
    const { major, minor } = this.#options.capability;
    const { total } = this.#device.memoryInfo();
    const { device, findsErrors } = this.#options;
    const wishes =
      (Object.values(device.check ?? {}).includes(true) ? WISH.CALLS : 0) |
      (findsErrors === true ? WISH.ERRORS : 0);
    return fieldsOf(BigInt(total), major, minor, program === undefined ? 0 : 1, wishes);
  }

  #allocate(fields: Fields): Uint8Array {
    const [bytes, align, madeAt] = [fields.u64(), fields.u32(), fields.calls()];
    const { memory, findings } = this.#device.state;
    const { free } = this.#device.memoryInfo();
    // Programs may ask for too much to see how much there is, so there is no message.
    if (bytes > free) throw new CudaError(OUT_OF_MEMORY);
    const label = `buffer ${++this.#buffers}`;
    const offset = memory.take(bytes, { zero: true, label, align, madeAt });
    findings.allocated(offset, { label, byteLength: bytes, madeAt });
    this.#live.add(offset);
    return fieldsOf(BigInt(ADDRESS_BASE + offset));
  }

  #free(address: number): undefined {
    const offset = address - ADDRESS_BASE;
    if (!this.#live.delete(offset)) throw new CudaError(INVALID_VALUE);
    this.#device.state.findings.released(offset);
    this.#device.state.memory.give(offset);
  }

  async #launch(fields: Fields): Promise<undefined> {
    const kernel = this.#modules.kernel(fields.u32());
    const triple = () => [fields.u32(), fields.u32(), fields.u32()] as const;
    const [grid, block] = [triple(), triple()];
    const cluster = triple();
    const [sharedBytes, cooperative] = [fields.u32(), fields.u32()];
    try {
      const { state } = this.#device;
      const launch = new EmulatedLaunch(
        state,
        kernel,
        {
          ...{ grid, block, sharedBytes },
          ...(cluster[0] === 0 ? {} : { cluster }),
          ...{ counts: this.#options.counts === true, cooperative: cooperative === 1 },
        },
        new Uint8Array(fields.rest()),
      );
      const { engine, milliseconds, counts, children } = await launch.run();
      const counted = counts && { program: kernel.module.program, counts };
      this.#options.onLaunch?.({ kernel: kernel.name, engine, milliseconds, counted });
      for (const child of children) this.#options.onLaunch?.(child);
    } catch (error) {
      this.#failure = cudaErrorOf(error);
      throw error;
    }
  }

  #reportError(fields: Fields): undefined {
    const [name, error, text, calledAt] = [fields.text(), fields.text(), fields.text(), fields.calls()];
    const finding = failedCall(`expected \`${name}\` to succeed, found ${error} (${text})`, calledAt);
    this.#device.state.findings.keep(JSON.stringify(finding), finding);
  }

  #resizeHeap(bytes: number): undefined {
    if (bytes > this.#device.memoryInfo().total) throw new CudaError(OUT_OF_MEMORY);
    if (!this.#device.state.heap.resize(bytes))
      throw new CudaError(
        INVALID_VALUE,
        "expected cudaLimitMallocHeapSize to be set before a kernel calls `malloc`, found it set after that",
      );
  }

  #elapsed(fields: Fields): Uint8Array {
    const [start, end] = [fields.u32(), fields.u32()].map((event) => this.#events.get(event));
    if (start === undefined || end === undefined) throw new CudaError(400);
    const answer = Buffer.alloc(4);
    answer.writeFloatLE(Math.max(0, end - start));
    return answer;
  }

  async #reset(): Promise<undefined> {
    const { program } = this.#memory;
    await this.#closeDevice();
    this.#device = this.#open();
    this.#memory = new DeviceMemory(this.#device.state.memory, program);
    this.#modules = new ProgramModules(this.#device, this.#options.capability);
    this.#live = new Set();
    this.#events.clear();
    this.#images.clear();
    this.#failure = undefined;
  }
}
