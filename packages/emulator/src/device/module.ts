// Loaded modules and their kernels.
import {
  type DeviceKernel,
  type DeviceModule,
  describeLine,
  describeValue,
  didYouMean,
  isSourceMap,
  type KernelAttributes,
  type KernelParameter,
  type LaunchArgument,
  type LoadOptions,
  locateLine,
  quoted,
  type SourceMap,
} from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { Program, ProgramFunction, ProgramVariable } from "../program/program.js";
import { TYPES } from "../program/types.js";
import type { LoadedProgram } from "../run/launch.js";
import { maxThreadsOf, mostDynamicOf } from "../run/launch-check.js";
import { loadProgram, unloadProgram } from "../run/load.js";
import { EmulatedBuffer, SharedRange } from "./buffer.js";
import { checkNames, checkOpen, invalid, wholeNumber } from "./check.js";
import type { EmulatedDevice } from "./device.js";
import { EmulatedLaunch, type EmulatedLaunchOptions } from "./launch.js";
import type { DeviceState } from "./state.js";

/** A module that an emulated device has loaded. */
export class EmulatedModule implements DeviceModule {
  readonly #state: DeviceState;
  readonly #kernels = new Map<string, EmulatedKernel>();
  /** @internal */
  readonly loaded: LoadedProgram;
  /** @internal */
  readonly sourceMap: SourceMap | undefined;
  #disposed = false;

  /** @internal */
  constructor(state: DeviceState, text: string, options: LoadOptions) {
    checkNames(options, ["sourceMap"]);
    const { sourceMap } = options;
    if (sourceMap !== undefined && !isSourceMap(sourceMap))
      throw invalid("`sourceMap` as `sourceMap` makes it", sourceMap);
    this.#state = state;
    this.sourceMap = sourceMap;
    this.loaded = loadProgram(readProgram(state, text, sourceMap), state.memory);
    for (const kernel of this.program.functions) {
      if (kernel.kind === "entry") this.#kernels.set(kernel.name, new EmulatedKernel(state, this, kernel));
    }
  }

  /** The device that it belongs to. */
  get device(): EmulatedDevice {
    return this.#state.device;
  }

  /** The checked text, for `annotatedListing` and its like. */
  get program(): Program {
    return this.loaded.program;
  }

  /** Whether it, or its device, was disposed of. */
  get disposed(): boolean {
    return this.#disposed || this.device.disposed;
  }

  get kernels(): readonly string[] {
    return [...this.#kernels.keys()];
  }

  get globals(): readonly string[] {
    return this.program.variables.filter(({ space }) => space !== "shared").map(({ name }) => name);
  }

  /** @throws EmulatorError UNKNOWN_NAME, DISPOSED */
  kernel(name: string): EmulatedKernel {
    checkOpen("module", this.disposed);
    const kernel = this.#kernels.get(name);
    if (kernel === undefined) throw unknown("kernel", name, this.kernels);
    return kernel;
  }

  /** @throws EmulatorError UNKNOWN_NAME, DISPOSED */
  global(name: string): EmulatedBuffer<Uint8Array> {
    checkOpen("module", this.disposed);
    const index = this.program.variables.findIndex((each) => each.name === name && each.space !== "shared");
    const variable = this.program.variables[index];
    if (variable === undefined) throw unknown("variable", name, this.globals);
    // The memory is the module's, whatever becomes of the buffer.
    const place = {
      range: new SharedRange(() => {}),
      offset: this.loaded.addresses[index]!,
      byteLength: variable.size,
    };
    return new EmulatedBuffer(this.#state, place, Uint8Array);
  }

  /** Gives back the memory of its variables; twice without harm. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#state.queue.finally(() => unloadProgram(this.loaded, this.#state.memory));
  }

  /** As `dispose`. */
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
    this.parameters = Object.freeze(entry.params.map((index) => parameterOf(entry.variables[index]!)));
    this.attributes = Object.freeze({
      maxThreadsPerBlock: maxThreadsOf(entry),
      sharedBytes: entry.sharedBytes,
      localBytes: entry.frameBytes,
      registers: undefined,
    });
    this.#mostDynamic = mostDynamicOf(entry, false);
  }

  /** As the PTX has it. */
  get name(): string {
    return this.entry.name;
  }

  /** @internal */
  get mostDynamic(): number {
    return this.#mostDynamic;
  }

  /** @throws EmulatorError INVALID_INPUT for more than `maxSharedBytesPerBlock` together with the kernel's own */
  setDynamicShared(bytes: number): void {
    this.#mostDynamic = wholeNumber("bytes", bytes, 0, mostDynamicOf(this.entry, true));
  }

  /**
   * @throws EmulatorError INVALID_INPUT, WRONG_ARGUMENT, DISPOSED
   * @throws TypeError for arguments that state no type
   */
  prepare(options: EmulatedLaunchOptions, args: readonly LaunchArgument[]): EmulatedLaunch {
    return new EmulatedLaunch(this.#state, this, options, args);
  }
}

/** @throws EmulatorError with all problems of the text, which say where rendered PTX has them from */
function readProgram(state: DeviceState, text: string, sourceMap: SourceMap | undefined): Program {
  try {
    return state.readProgram(text);
  } catch (error) {
    if (!(error instanceof EmulatorError) || sourceMap === undefined) throw error;
    const sourceOf = (line: number) => locateLine(sourceMap, line);
    const message = error.message.replace(/^line (\d+), column \d+(?=:)/gm, (place, line) => {
      const source = sourceOf(Number(line));
      return source === undefined ? place : `${place} (${describeLine(source)})`;
    });
    const problems = error.problems.map((problem) => ({ ...problem, source: sourceOf(problem.line) }));
    throw new EmulatorError(error.code, message, { problems, cause: error.cause });
  }
}

function parameterOf({ name, type, size, offset }: ProgramVariable): KernelParameter {
  const scalar = type !== undefined && TYPES[type].bits === size * 8;
  return Object.freeze({ name, type: scalar ? type : undefined, offset, size });
}

function unknown(what: string, name: string, known: readonly string[]): EmulatorError {
  const names = known.length === 0 ? "none" : known.map(quoted).join(", ");
  const hint = typeof name === "string" ? didYouMean(name, known) : "";
  return new EmulatorError(
    "UNKNOWN_NAME",
    `expected a ${what} of the module (${names}), found ${describeValue(name)}${hint}`,
  );
}
