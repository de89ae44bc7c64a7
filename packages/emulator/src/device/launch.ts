// A launch on an emulated device: it is checked and its arguments are packed when it is requested, and it runs when the
// queue reaches it.
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
import {
  blocksOf,
  type ChildLaunches,
  type Engine,
  type LaunchHooks,
  type LaunchPlan,
  MOST_RESIDENTS,
  type TraceHook,
} from "../run/launch.js";
import { checkShape, refuseUnsupported } from "../run/launch-check.js";
import type { PagedMemory } from "../run/paged-memory.js";
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
   * `cudaLaunchCooperativeKernel`. At most 256 blocks are.
   */
  readonly cooperative?: boolean;
  /**
   * The number of blocks of a cluster in x, y and z; omitted axes are 1, and the default is what the kernel requires
   * (`.reqnctapercluster`). A cluster has at most 16 blocks. Such launches run in the interpreter.
   */
  readonly cluster?: LaunchDimensions;
  /** Whether the threads of a warp run in step; as the option of the device by default. */
  readonly lockstep?: boolean;
}

/** The result of a launch. */
export interface LaunchReport {
  readonly engine: "interpreter" | "webassembly";
  readonly milliseconds: number;
  /** How often threads executed each instruction, as `counts[function][instruction]`; undefined unless requested. */
  readonly counts: readonly Float64Array[] | undefined;
  /** What the checks of the device have found in this launch and in those of `children`. */
  readonly findings: readonly Finding[];
  /** What its threads have launched, in the order in which it ran. It runs after the launch, and is counted in `counts`. */
  readonly children: readonly ChildReport[];
}

/** The result of a launch by a thread. */
export interface ChildReport {
  readonly kernel: string;
  readonly engine: "interpreter" | "webassembly";
  readonly milliseconds: number;
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
  readonly #state: DeviceState;
  readonly #shape: LaunchShape;
  readonly #cluster: Dimensions | undefined;
  readonly #params: Uint8Array;
  readonly #options: EmulatedLaunchOptions;
  readonly #limits: Limits;

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
    this.#state = state;
    this.#shape = checkShape(kernel.entry, options, kernel.mostDynamic);
    this.#cluster = clusterOf(kernel.entry, options.cluster, this.#shape.grid);
    if (options.cooperative === true) checkCooperative(this.#shape);
    this.#options = options;
    this.#limits = { ...state.settings.limits, ...givenLimits(options.limits) };
    if (options.trace !== undefined) checkTrace(options.trace, this.#shape);
    this.#params =
      args instanceof Uint8Array
        ? args
        : packArguments(demangle(kernel.name), kernel.parameters, args, {
            addressBytes: (argument) => addressBytes(argument, state),
            mismatch: (message) => new EmulatorError("INVALID_ARGUMENT", message),
          });
  }

  /** @internal */
  get state(): DeviceState {
    return this.#state;
  }

  /**
   * Runs the launch now, and then what its threads have launched.
   * @internal
   * @throws EmulatorError if the launch fails or is stopped
   */
  async run(): Promise<LaunchReport> {
    const hooks = this.#hooks();
    const launches = this.#launches(0);
    const report = await this.#run({ ...hooks, ...(await this.#observers()), launches });
    if (launches.pending.length === 0) return report;
    const { withChildren } = await import("./children.js");
    return withChildren(report, launches.pending, async ({ kernel, shape, params, depth }) => {
      const launch = new EmulatedLaunch(
        this.#state,
        this.kernel.module.kernelOf(kernel),
        { ...shape, limits: this.#limits, lockstep: this.#lockstep },
        params,
      );
      const launches = this.#launches(depth);
      return { ...(await launch.#run({ ...hooks, launches })), pending: launches.pending };
    });
  }

  #launches(depth: number): ChildLaunches {
    const { module } = this.kernel;
    return {
      depth,
      pending: [],
      buffers: [],
      mostDynamic: (kernel) => module.kernelOf(kernel).mostDynamic,
    };
  }

  async #run(hooks: LaunchHooks): Promise<LaunchReport> {
    const { engines, memory, settings, findings } = this.#state;
    const { instructions = Infinity, timeoutMs = Infinity, signal } = this.#limits;
    const { origins } = this.kernel.module;
    const log = await findings.log(this.#shape);
    const plan = this.#plan({ ...hooks, ...(log === undefined ? {} : { checks: log }) });
    let found: readonly Finding[] = [];
    const isCooperative = this.#options.cooperative === true;
    const started = performance.now();
    const chosen = signal?.aborted ? ABORTED : await engines.engineFor(plan, origins);
    // The time limit covers the kernel alone, not the loading of an engine or the translation.
    const limits = { instructions, deadline: performance.now() + timeoutMs, signal };
    const engine = await memory
      .keeping(async () => {
        const workspace = isCooperative ? takeWorkspace(memory) : undefined;
        const launch = { ...plan, workspace, limits };
        const { engine, fault } = await chosen.run(launch).finally(() => {
          for (const offset of [workspace, ...(hooks.launches?.buffers ?? [])])
            if (offset !== undefined) memory.give(offset);
        });
        found = await findings.add(log, { launch, memory, origins });
        if (fault === undefined) return engine;
        const { faultError } = await import("../run/fault-error.js");
        throw faultError(fault, { launch, memory, origins });
      })
      .finally(() => settings.endPrint());
    const milliseconds = performance.now() - started;
    return { engine, milliseconds, counts: plan.hooks.counts, findings: found, children: [] };
  }

  #plan(hooks: LaunchHooks): LaunchPlan {
    return {
      loaded: this.kernel.module.loaded,
      kernel: this.kernel.entry,
      ...this.#shape,
      cluster: this.#cluster,
      params: this.#params,
      lockstep: this.#lockstep,
      hooks,
    };
  }

  get #lockstep(): boolean {
    return this.#options.lockstep ?? this.#state.settings.lockstep;
  }

  /** Those that its children have, too. */
  #hooks(): LaunchHooks {
    const { functions } = this.kernel.module.program;
    return {
      print: this.#state.settings.onPrint,
      heap: this.#state.heap,
      ...(this.#options.counts === true
        ? { counts: functions.map(({ instructions }) => new Float64Array(instructions.length)) }
        : {}),
    };
  }

  async #observers(): Promise<Partial<LaunchHooks>> {
    const { trace, onProgress } = this.#options;
    const blocks = blocksOf(this.#shape);
    return {
      ...(onProgress === undefined ? {} : { progress: (done) => onProgress(done, blocks) }),
      ...(trace === undefined ? {} : { trace: await this.#traceHook(trace) }),
    };
  }

  async #traceHook({ block = 0, thread = 0, onStep }: Trace): Promise<TraceHook> {
    const { tracedStep } = await import("../view/trace.js");
    const { program } = this.kernel.module;
    return {
      block: indexOf(block),
      thread: indexOf(thread),
      step: (step) => onStep(tracedStep(program, step)),
    };
  }
}

/** The engine of launches that were aborted before they started. */
const ABORTED: Engine = {
  run: async () => ({ engine: "interpreter", fault: { kind: "ABORTED", loop: undefined } }),
};

/** @throws EmulatorError DISPOSED, INVALID_ARGUMENT */
function addressBytes(argument: unknown, { device }: DeviceState): Uint8Array | undefined {
  if (!(argument instanceof EmulatedBuffer)) return undefined;
  if (argument.device !== device) throw foreign("buffer");
  checkOpen("buffer", argument.disposed);
  return u64(argument.address).bytes;
}

/** The size of the structure in which `cooperative_groups` synchronizes the blocks of a grid, and room after it. */
const WORKSPACE_BYTES = 1024;

/** @throws EmulatorError OUT_OF_MEMORY */
const takeWorkspace = (memory: PagedMemory): number =>
  memory.take(WORKSPACE_BYTES, { zero: true, label: "the workspace of the grid" });

function checkCooperative(shape: LaunchShape): void {
  const blocks = blocksOf(shape);
  if (blocks <= MOST_RESIDENTS) return;
  const message = `expected at most ${MOST_RESIDENTS} blocks in a cooperative launch, found ${blocks}`;
  throw new EmulatorError("INVALID_ARGUMENT", message);
}

function checkTrace(trace: Trace, { grid, block }: LaunchShape): void {
  for (const [name, place, size] of [
    ["block", trace.block ?? 0, grid],
    ["thread", trace.thread ?? 0, block],
  ] as const) {
    const isPlace = typeof place === "number" || (Array.isArray(place) && [1, 2, 3].includes(place.length));
    if (isPlace && indexOf(place).every((value, axis) => isIndex(value, size[axis]!))) continue;
    const found = Array.isArray(place) ? `(${place.join(", ")})` : describeValue(place);
    throw new EmulatorError(
      "INVALID_ARGUMENT",
      `expected \`${name}\` of the trace within ${size.join(" x ")}, found ${found}`,
    );
  }
}

function indexOf(place: LaunchDimensions): Dimensions {
  const [x, y = 0, z = 0] = typeof place === "number" ? [place] : place;
  return [x, y, z];
}

const isIndex = (value: unknown, size: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < size;
