// A launch on an emulated device: it is checked and its arguments are packed when it is requested. When the queue
// reaches it, the code that runs it is loaded.
import { demangle } from "@mm-ptx/ptx";
import {
  type LaunchArgument,
  type LaunchDimensions,
  type LaunchOptions,
  type PreparedLaunch,
  u64,
} from "@mm-ptx/types/device";
import {
  type Checks,
  describeValue,
  isAnything,
  isBoolean,
  isFunction,
  isOptions,
  type LaunchShape,
  packArguments,
} from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import { clusterOf } from "../run/cluster.js";
import type { Dimensions } from "../run/dimensions.js";
import type { Finding } from "../run/finding.js";
import { blocksOf, MOST_RESIDENTS } from "../run/launch.js";
import { checkShape, refuseUnsupported } from "../run/launch-check.js";
import type { TraceStep } from "../view/trace.js";
import { EmulatedBuffer } from "./buffer.js";
import { checkOpen, checkOptions, foreign } from "./check.js";
import type { EmulatedKernel } from "./module.js";
import { givenLimits, isLimits, type Limits } from "./options.js";
import type { DeviceState } from "./state.js";

/** Selects a thread to trace and a callback for its instructions. */
export interface Trace {
  /** Index of the block in x, y and z; omitted axes are 0, and the default is the first block. */
  readonly block?: LaunchDimensions;
  /** Index of the thread in its block, in the same form. */
  readonly thread?: LaunchDimensions;
  /** Called with each instruction of the thread, after it has executed. */
  readonly onStep: (step: TraceStep) => void;
}

/** Launch options that only the emulator has. */
export interface EmulatedLaunchOptions extends LaunchOptions {
  /** Limits of this launch; they override those of the device. */
  readonly limits?: Limits;
  /** Traces one thread. Traced launches run in the interpreter. */
  readonly trace?: Trace;
  /** Called from time to time with the number of blocks that have finished. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Counts how often each instruction is executed. Such launches run in the interpreter. */
  readonly counts?: boolean;
  /**
   * Whether all blocks are in progress at the same time, so that they can synchronize (`this_grid().sync()`), as with
   * `cudaLaunchCooperativeKernel`. At most 256 blocks are allowed.
   */
  readonly cooperative?: boolean;
  /**
   * The number of blocks of a cluster in x, y and z; omitted axes are 1, and the default is what the kernel requires
   * (`.reqnctapercluster`). A cluster has at most 16 blocks. Such launches run in the interpreter.
   */
  readonly cluster?: LaunchDimensions;
  /** Whether the threads of a warp run in step. The default is the device's option. */
  readonly lockstep?: boolean;
}

/** The result of a launch. */
export interface LaunchReport {
  readonly engine: "interpreter" | "webassembly";
  readonly milliseconds: number;
  /** How often threads executed each instruction, as `counts[function][instruction]`; undefined unless requested. */
  readonly counts: readonly Float64Array[] | undefined;
  /** The findings of the device's checks in this launch and in those of `children`. */
  readonly findings: readonly Finding[];
  /**
   * The launches by its threads, in the order in which they ran. They run after the launch itself and are included in
   * `counts`.
   */
  readonly children: readonly ChildReport[];
}

/** The result of a launch by a thread. */
export interface ChildReport {
  readonly kernel: string;
  readonly engine: "interpreter" | "webassembly";
  readonly milliseconds: number;
}

/** A checked launch, as it runs. */
export interface LaunchParts {
  readonly state: DeviceState;
  readonly kernel: EmulatedKernel;
  readonly shape: LaunchShape;
  readonly cluster: Dimensions | undefined;
  readonly params: Uint8Array;
  readonly limits: Limits;
  readonly trace: CheckedTrace | undefined;
  readonly options: Pick<EmulatedLaunchOptions, "onProgress" | "counts" | "cooperative">;
  readonly lockstep: boolean;
}

/** A trace with the indices of its block and thread. */
interface CheckedTrace extends Trace {
  readonly block: Dimensions;
  readonly thread: Dimensions;
}

/** The shape, and the places of a trace in it, are checked with the limits of the device. */
const OPTIONS: Checks = {
  grid: isAnything,
  block: isAnything,
  sharedBytes: isAnything,
  limits: isLimits,
  trace: isOptions({ block: isAnything, thread: isAnything, onStep: isFunction }, { required: ["onStep"] }),
  counts: isBoolean,
  cooperative: isBoolean,
  cluster: isAnything,
  lockstep: isBoolean,
  onProgress: isFunction,
};

/** A launch with checked options and packed arguments. */
export class EmulatedLaunch implements PreparedLaunch {
  readonly kernel: EmulatedKernel;
  readonly #parts: LaunchParts;

  /**
   * @internal
   * @param args the arguments, or the kernel's parameter block
   */
  constructor(
    state: DeviceState,
    kernel: EmulatedKernel,
    options: EmulatedLaunchOptions,
    args: readonly LaunchArgument[] | Uint8Array,
  ) {
    checkOptions(options, OPTIONS);
    refuseUnsupported(kernel.module.program, kernel.entry);
    this.kernel = kernel;
    const shape = checkShape(kernel.entry, options, kernel.mostDynamic);
    const cluster = clusterOf(kernel.entry, options.cluster, shape.grid);
    if (options.cooperative === true) checkCooperative(shape);
    const limits = { ...state.settings.limits, ...givenLimits(options.limits) };
    const trace = options.trace && checkedTrace(options.trace, shape);
    const params =
      args instanceof Uint8Array
        ? args
        : packArguments(demangle(kernel.name), kernel.parameters, args, {
            addressBytes: (argument) => addressBytes(argument, state),
            mismatch: (message) => new EmulatorError("INVALID_ARGUMENT", message),
          });
    const lockstep = options.lockstep ?? state.settings.lockstep;
    this.#parts = { state, kernel, shape, cluster, params, limits, trace, options, lockstep };
  }

  /** @internal */
  get state(): DeviceState {
    return this.#parts.state;
  }

  /**
   * Runs the launch now, and then what its threads have launched.
   * @internal
   * @throws EmulatorError if the launch fails or is stopped
   */
  async run(): Promise<LaunchReport> {
    const { runLaunch } = await import("./run-launch.js");
    const { state, kernel, limits, lockstep } = this.#parts;
    return runLaunch(this.#parts, ({ kernel: { name }, shape, params }) => {
      const child = kernel.module.kernelOf(name);
      return new EmulatedLaunch(state, child, { ...shape, limits, lockstep }, params).#parts;
    });
  }
}

/** @throws EmulatorError DISPOSED, INVALID_ARGUMENT */
function addressBytes(argument: unknown, { device }: DeviceState): Uint8Array | undefined {
  if (!(argument instanceof EmulatedBuffer)) return undefined;
  if (argument.device !== device) throw foreign("buffer");
  checkOpen("buffer", argument.disposed);
  return u64(argument.address).bytes;
}

function checkCooperative(shape: LaunchShape): void {
  const blocks = blocksOf(shape);
  if (blocks <= MOST_RESIDENTS) return;
  const message = `expected at most ${MOST_RESIDENTS} blocks in a cooperative launch, found ${blocks}`;
  throw new EmulatorError("INVALID_ARGUMENT", message);
}

function checkedTrace(trace: Trace, { grid, block }: LaunchShape): CheckedTrace {
  const within = (name: string, place: LaunchDimensions, size: Dimensions): Dimensions => {
    const isPlace = typeof place === "number" || (Array.isArray(place) && [1, 2, 3].includes(place.length));
    if (isPlace && indexOf(place).every((value, axis) => isIndex(value, size[axis]!))) return indexOf(place);
    const found = Array.isArray(place) ? `(${place.join(", ")})` : describeValue(place);
    throw new EmulatorError(
      "INVALID_ARGUMENT",
      `expected \`${name}\` of the trace within ${size.join(" x ")}, found ${found}`,
    );
  };
  return {
    block: within("block", trace.block ?? 0, grid),
    thread: within("thread", trace.thread ?? 0, block),
    onStep: trace.onStep,
  };
}

function indexOf(place: LaunchDimensions): Dimensions {
  const [x, y = 0, z = 0] = typeof place === "number" ? [place] : place;
  return [x, y, z];
}

const isIndex = (value: unknown, size: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < size;
