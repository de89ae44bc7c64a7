// Loaded modules: kernels and variables by name.

import type { DeviceModule } from "@mm-ptx/types/device";
import { describeValue, didYouMean, quoted } from "@mm-ptx/types/internal";
import { CudaBuffer } from "./buffer.js";
import { checkText } from "./check.js";
import type { CudaDevice } from "./device.js";
import { CudaError } from "./error.js";
import type { KernelFacts, ModuleFacts } from "./facts.js";
import { type Handle, Resource } from "./handle.js";
import { CudaKernel } from "./kernel.js";
import { CUDA_RESULTS, SUCCESS } from "./results.js";
import type { DeviceState } from "./state.js";

/** The result of loading. */
export interface LoadedModule {
  readonly image: Handle;
  /** Undefined for images that only the driver can read. */
  readonly facts: ModuleFacts | undefined;
  /** The output of the driver's compiler. */
  readonly jitLog: string | undefined;
}

/** A module that a GPU has loaded (CUDA Driver API, Module Management). */
export class CudaModule extends Resource implements DeviceModule {
  readonly #state: DeviceState;
  readonly #image: Handle;
  readonly #facts: ModuleFacts | undefined;
  readonly #kernels = new Map<string, CudaKernel>();
  /** The output of the driver's compiler for PTX that was loaded with `jit`; otherwise undefined. */
  readonly jitLog: string | undefined;

  /** @internal */
  constructor(state: DeviceState, { image, facts, jitLog }: LoadedModule) {
    super("module", image);
    image.enter();
    this.#state = state;
    this.#image = image;
    this.#facts = facts;
    this.jitLog = jitLog;
  }

  /** The device that it belongs to. */
  get device(): CudaDevice {
    return this.#state.device;
  }

  /** Whether the module or its device has been disposed. */
  override get disposed(): boolean {
    return super.disposed || this.device.disposed;
  }

  /** @internal */
  get image(): Handle {
    return this.#image;
  }

  /** The handle (CUmodule), for other code that calls the driver in this process. */
  get handle(): bigint {
    this.#check();
    return this.#image.value;
  }

  /**
   * The names of its kernels. For a fatbin, the driver reports them from CUDA 12.4 on.
   * @throws CudaError FUNCTION_MISSING, DISPOSED, DEVICE_LOST
   */
  get kernels(): readonly string[] {
    if (this.#facts !== undefined) return [...this.#facts.kernels.keys()];
    this.#check();
    const { connection, value } = this.#image;
    const count = connection.call("cuModuleGetFunctionCount", [value]).values[0]!;
    const functions = connection.call("cuModuleEnumerateFunctions", [count, value]).values;
    return functions.map((each) => connection.call("cuFuncGetName", [each]).text);
  }

  /** The names of its variables in global and constant memory; empty for a fatbin. */
  get globals(): readonly string[] {
    return this.#facts?.globals ?? [];
  }

  /** @throws CudaError NOT_FOUND, INVALID_ARGUMENT, DISPOSED, DEVICE_LOST */
  kernel(name: string): CudaKernel {
    this.#check();
    let kernel = this.#kernels.get(name);
    if (kernel === undefined) {
      kernel = new CudaKernel(this.#state, this, name, this.#find("cuModuleGetFunction", "kernel", name)[0]!);
      this.#kernels.set(name, kernel);
    }
    return kernel;
  }

  /**
   * The memory of a variable, which the module owns. @throws CudaError NOT_FOUND, INVALID_ARGUMENT, DISPOSED,
   * DEVICE_LOST
   */
  global(name: string): CudaBuffer<Uint8Array> {
    this.#check();
    const [address, bytes] = this.#find("cuModuleGetGlobal", "variable", name);
    const place = { memory: this.#image, address: address!, byteLength: Number(bytes!) };
    return new CudaBuffer(this.#state, place, Uint8Array, this);
  }

  /** @internal The module's facts about a kernel. */
  factsOf(kernel: string): KernelFacts | undefined {
    return this.#facts?.kernels.get(kernel);
  }

  #check(): void {
    this.checkOpen();
    this.#image.connection.check();
  }

  /** Looks up a name with the driver. */
  #find(operation: string, noun: "kernel" | "variable", name: string): readonly bigint[] {
    if (typeof name !== "string") throw this.#unknown(noun, name);
    checkText("name", name);
    const { connection, value } = this.#image;
    const payload = new TextEncoder().encode(name);
    const reply = connection.ask(operation, [value], payload);
    if (reply.status === SUCCESS) return reply.values;
    if (CUDA_RESULTS.get(reply.status)?.code === "NOT_FOUND" && !this.#names(noun).includes(name))
      throw this.#unknown(noun, name);
    throw connection.failure(reply, { asked: `${noun} ${quoted(name)}` });
  }

  /** The names, as far as they are known. */
  #names(noun: "kernel" | "variable"): readonly string[] {
    return noun === "kernel" ? [...(this.#facts?.kernels.keys() ?? [])] : this.globals;
  }

  #unknown(noun: "kernel" | "variable", name: unknown): CudaError {
    const known = this.#names(noun);
    const names = known.length === 0 ? "" : ` (${known.map(quoted).join(", ")})`;
    const hint = typeof name === "string" ? didYouMean(name, known) : "";
    return new CudaError(
      "NOT_FOUND",
      `expected a ${noun} of the module${names}, found ${describeValue(name)}${hint}`,
    );
  }
}
