// Loaded modules and their kernels.
import type { KernelParameter, LineOrigins, LocatedPtx } from "@mm-ptx/types/core";
import type { DeviceKernel, DeviceModule, KernelAttributes, LaunchArgument } from "@mm-ptx/types/device";
import { describeValue, didYouMean, quoted } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import type { Problem } from "../program/problem.js";
import type { Program, ProgramFunction, ProgramVariable } from "../program/program.js";
import { joinedOrigins } from "../program/texts.js";
import { TYPES } from "../program/types.js";
import type { LoadedProgram } from "../run/launch.js";
import { maxThreadsOf, mostDynamicOf } from "../run/launch-check.js";
import { loadProgram, unloadProgram } from "../run/load.js";
import { EmulatedBuffer, SharedRange } from "./buffer.js";
import { checkOpen, wholeNumber } from "./check.js";
import type { EmulatedDevice } from "./device.js";
import { kernelNamed } from "./kernel-names.js";
import { EmulatedLaunch, type EmulatedLaunchOptions } from "./launch.js";
import type { DeviceState } from "./state.js";

/** A module loaded by an emulated device. */
export class EmulatedModule implements DeviceModule {
  readonly #state: DeviceState;
  readonly #kernels = new Map<string, EmulatedKernel>();
  /** @internal Replaced if a program changes the size of the stack. */
  loaded: LoadedProgram;
  /** @internal Where lines of rendered PTX come from; undefined for plain text. */
  readonly origins: LineOrigins | undefined;
  #disposed = false;

  /** @internal */
  constructor(state: DeviceState, ptx: readonly (string | LocatedPtx)[]) {
    this.#state = state;
    this.origins = joinedOrigins(
      ptx.map((one) => (typeof one === "string" ? { text: one } : { text: one.text, origins: one })),
    );
    this.loaded = loadProgram(state.readProgram(ptx), state.memory);
    for (const kernel of this.program.functions) {
      if (kernel.kind === "entry") this.#kernels.set(kernel.name, new EmulatedKernel(state, this, kernel));
    }
  }

  /** The device that loaded this module. */
  get device(): EmulatedDevice {
    return this.#state.device;
  }

  /** The checked program, for `annotatedListing` and the other views. */
  get program(): Program {
    return this.loaded.program;
  }

  /** Whether this module or its device has been disposed. */
  get disposed(): boolean {
    return this.#disposed || this.device.disposed;
  }

  get kernels(): readonly string[] {
    return [...this.#kernels.keys()];
  }

  get globals(): readonly string[] {
    return this.program.variables.filter(isPlaced).map(({ name }) => name);
  }

  /**
   * The parts of the module that this emulator does not support, with their places. Other kernels run; launches of
   * kernels that reach it, directly or through calls, throw `UNSUPPORTED`.
   */
  get notes(): readonly Problem[] {
    return this.program.notes;
  }

  /**
   * Looks up a kernel by its name in the PTX, or by its name in CUDA if only one kernel has it: `scale`, `ns::scale`,
   * `ns::scale<float>` or `scale(float*, int)`.
   * @throws EmulatorError NOT_FOUND, DISPOSED; INVALID_ARGUMENT if several kernels have the name
   */
  kernel(name: string): EmulatedKernel {
    checkOpen("module", this.disposed);
    return this.#kernels.get(kernelNamed(name, this.kernels))!;
  }

  /** @internal */
  kernelOf(name: string): EmulatedKernel {
    return this.#kernels.get(name)!;
  }

  /** A buffer on a global variable of the module. @throws EmulatorError NOT_FOUND, DISPOSED */
  global(name: string): EmulatedBuffer<Uint8Array> {
    checkOpen("module", this.disposed);
    const index = this.program.variables.findIndex((each) => each.name === name && isPlaced(each));
    const variable = this.program.variables[index];
    if (variable === undefined) throw unknownVariable(name, this.globals);
    // The module owns the memory, so disposing the buffer does not free it.
    const place = {
      range: new SharedRange(() => {}),
      offset: this.loaded.addresses[index]!,
      byteLength: variable.bytes,
    };
    return new EmulatedBuffer(this.#state, place, Uint8Array);
  }

  /** Frees the memory of the module's variables. Repeated calls have no effect. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#state.queue.finally(() => unloadProgram(this.loaded, this.#state.memory));
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A kernel that an emulated device can launch. */
export class EmulatedKernel implements DeviceKernel {
  readonly #state: DeviceState;
  readonly module: EmulatedModule;
  /** @internal */
  readonly entry: ProgramFunction;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelAttributes;
  #mostDynamic: number;

  /** @internal */
  constructor(state: DeviceState, module: EmulatedModule, entry: ProgramFunction) {
    this.#state = state;
    this.module = module;
    this.entry = entry;
    this.parameters = Object.freeze(entry.parameters.map((index) => parameterOf(entry.variables[index]!)));
    this.attributes = Object.freeze({
      maxThreadsPerBlock: maxThreadsOf(entry),
      sharedBytes: entry.sharedBytes,
      localBytes: entry.frameBytes,
      registers: undefined,
    });
    this.#mostDynamic = mostDynamicOf(entry, false);
  }

  /** The name in the PTX. */
  get name(): string {
    return this.entry.name;
  }

  /** @internal */
  get mostDynamic(): number {
    return this.#mostDynamic;
  }

  /**
   * Sets the most dynamic shared memory a launch may request, in bytes.
   * @throws EmulatorError INVALID_ARGUMENT if it exceeds `maxSharedBytesPerBlock` together with the kernel's static
   * shared memory
   */
  setDynamicShared(bytes: number): void {
    this.#mostDynamic = wholeNumber("bytes", bytes, 0, mostDynamicOf(this.entry, true));
  }

  /**
   * Checks a launch and packs its arguments, so that it can be launched repeatedly.
   * @throws EmulatorError INVALID_ARGUMENT, DISPOSED; UNSUPPORTED if the kernel reaches something that the emulator
   * does not support
   * @throws TypeError for arguments without a type
   */
  prepare(options: EmulatedLaunchOptions, args: readonly LaunchArgument[]): EmulatedLaunch {
    checkOpen("module", this.module.disposed);
    return new EmulatedLaunch(this.#state, this, options, args);
  }
}

/** Whether a module holds the memory of a variable. */
const isPlaced = ({ space, extern }: ProgramVariable): boolean => space !== "shared" && !extern;

function parameterOf({ name, type, offset, bytes, align }: ProgramVariable): KernelParameter {
  if (type === undefined) return Object.freeze({ name, offset, bytes, align });
  const elements = (bytes * 8) / TYPES[type].bits;
  return Object.freeze({ name, type, ...(elements === 1 ? {} : { length: elements }), offset, bytes, align });
}

function unknownVariable(name: string, known: readonly string[]): EmulatorError {
  const names = known.length === 0 ? "none" : known.map(quoted).join(", ");
  const hint = typeof name === "string" ? didYouMean(name, known) : "";
  return new EmulatorError(
    "NOT_FOUND",
    `expected a variable of the module (${names}), found ${describeValue(name)}${hint}`,
  );
}
