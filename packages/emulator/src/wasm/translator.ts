// The engine that runs kernels as WebAssembly: translates each kernel once, and runs launches in ranges of blocks, between
// which it looks at the limits and lets the event loop have its turn.
import { Untranslatable } from "../control/graph.js";
import type { ProgramFunction } from "../program/program.js";
import { eventLoopTurn, TURN_MS } from "../run/event-loop.js";
import type { Fault } from "../run/fault.js";
import {
  blocksOf,
  type Launch,
  type LaunchOutcome,
  type LaunchPlan,
  type LoadedProgram,
  type TranslatingEngine,
} from "../run/launch.js";
import { LaunchAreas } from "./areas.js";
import { FunctionLimit } from "./binary/code.js";
import { type Capabilities, capabilities } from "./capabilities.js";
import type { Crew } from "./crew.js";
import { LEAST_SHARED } from "./emit/memory.js";
import { Stop } from "./fault.js";
import { KernelInstance } from "./instance.js";
import { type Translation, translate } from "./kernel.js";
import { LaunchRun } from "./launch-run.js";
import { OwnMeter } from "./meter.js";

/** A kernel as it can run, or why it can't. */
type Prepared = PreparedKernel | { readonly refusal: string };

interface PreparedKernel {
  readonly translation: Translation;
  instance: KernelInstance | undefined;
  /** Milliseconds that a thread took in the last launch; undefined before the first. */
  perThread: number | undefined;
}

/** Milliseconds below which a launch stays on the caller: others would take longer to hear of it. */
const SHORT = 0.3;
/** Milliseconds after which one that was taken for short is given away. */
const PATIENCE = 1;

export class Translator implements TranslatingEngine {
  readonly #kernels = new WeakMap<LoadedProgram, Map<ProgramFunction, Promise<Prepared>>>();
  readonly #machine: Capabilities;
  readonly #crew: Crew | undefined;

  /**
   * @param machine what the machine's WebAssembly can do; asked of it by default
   * @param crew who takes blocks off the caller
   */
  constructor(machine = capabilities(), crew?: Crew) {
    this.#machine = machine;
    this.#crew = crew;
  }

  async refusal(launch: LaunchPlan): Promise<string | undefined> {
    const { loaded, kernel, dynamicSharedBytes } = launch;
    const prepared = await this.#prepare(loaded, kernel);
    if ("refusal" in prepared) return prepared.refusal;
    const { translation } = prepared;
    const sharedBytes = kernel.sharedBytes + dynamicSharedBytes;
    if (translation.needsShared && sharedBytes < LEAST_SHARED) {
      return `less than ${LEAST_SHARED} bytes of shared memory`;
    }
    if (!isShort(launch, prepared)) await this.#crewOf(prepared)?.prepare(loaded, translation, this.#machine);
    return undefined;
  }

  /** @throws EmulatorError OUT_OF_MEMORY when there is no room for the launch's own memory; WORKER_LOST */
  async run(launch: Launch): Promise<LaunchOutcome> {
    const prepared = await this.#prepare(launch.loaded, launch.kernel);
    if ("refusal" in prepared)
      throw new Error(`expected a kernel that can be translated, found ${prepared.refusal}`);
    const crew = this.#crewOf(prepared);
    const isOwn = crew === undefined || isShort(launch, prepared);
    const part = isOwn
      ? await runOwn(launch, prepared, crew === undefined ? Infinity : PATIENCE)
      : { block: 0, executed: 0, busy: 0, fault: undefined };
    const threads = threadsOf(launch);
    if (crew === undefined || part.fault !== undefined || part.block === blocksOf(launch)) {
      prepared.perThread = part.busy / threads;
      return { engine: "webassembly", fault: part.fault };
    }
    await crew.prepare(launch.loaded, prepared.translation, this.#machine);
    const { fault, busy } = await crew.run(launch, prepared.translation, part);
    prepared.perThread = (part.busy + busy) / threads;
    return { engine: "webassembly", fault };
  }

  /** Who runs a kernel besides the caller. What prints does so in the order of its blocks, on the caller. */
  #crewOf({ translation }: PreparedKernel): Crew | undefined {
    return translation.prints ? undefined : this.#crew;
  }

  #prepare(loaded: LoadedProgram, kernel: ProgramFunction): Promise<Prepared> {
    let kernels = this.#kernels.get(loaded);
    if (kernels === undefined) {
      kernels = new Map();
      this.#kernels.set(loaded, kernels);
    }
    let prepared = kernels.get(kernel);
    if (prepared === undefined) {
      prepared = prepare(loaded, kernel, this.#machine);
      kernels.set(kernel, prepared);
    }
    return prepared;
  }
}

async function prepare(
  loaded: LoadedProgram,
  kernel: ProgramFunction,
  machine: Capabilities,
): Promise<Prepared> {
  if (!machine.compiles) return { refusal: "a page that forbids WebAssembly" };
  try {
    return {
      translation: await translate(loaded, kernel, machine),
      instance: undefined,
      perThread: undefined,
    };
  } catch (error) {
    if (error instanceof Untranslatable || error instanceof FunctionLimit) return { refusal: error.message };
    // Blocks within blocks are written by calls within calls.
    if (error instanceof RangeError) return { refusal: "too many branches or loops within one another" };
    throw error;
  }
}

/** What the caller has done of a launch. */
interface OwnPart {
  /** Blocks before it are done. */
  readonly block: number;
  readonly executed: number;
  readonly busy: number;
  readonly fault: Fault | undefined;
}

/** Runs blocks on the caller's thread for so many milliseconds. */
async function runOwn(launch: Launch, prepared: PreparedKernel, patience: number): Promise<OwnPart> {
  const { translation } = prepared;
  prepared.instance ??= new KernelInstance(translation, launch.loaded.memory.memory);
  const { instance } = prepared;
  const areas = new LaunchAreas(launch, translation);
  const meter = new OwnMeter(launch.limits);
  const blocks = blocksOf(launch);
  let block = 0;
  let busy = 0;
  let fault: Fault | undefined;
  let turn = performance.now();
  const giveTurn = async () => {
    if (performance.now() - turn < TURN_MS) return;
    await eventLoopTurn();
    launch.hooks.progress?.(block);
    turn = performance.now();
  };
  try {
    const run = new LaunchRun(launch, translation, instance, areas, meter);
    while (block < blocks && busy < patience) {
      await giveTurn();
      run.checkLimits();
      const count = Math.min(instance.range, blocks - block);
      busy += instance.timed(() => run.blocks(block, count));
      block += count;
    }
    while (!run.resume()) await giveTurn();
    run.checkLimits();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    fault = error.fault;
  } finally {
    areas.give();
  }
  return { block, executed: meter.executed, busy, fault };
}

const threadsOf = ({ grid, block }: LaunchPlan): number =>
  [...grid, ...block].reduce((all, one) => all * one, 1);

/**
 * Whether a launch is over, as far as is known, before somebody else could begin with it. Blocks that may wait for others
 * stay together: the caller can't give some of them away.
 */
const isShort = (launch: LaunchPlan, { perThread, translation }: PreparedKernel): boolean =>
  perThread !== undefined && perThread * threadsOf(launch) < SHORT && !translation.takesTurns;
