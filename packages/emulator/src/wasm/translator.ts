// The engine that runs kernels as WebAssembly. It translates each kernel once and runs launches in ranges of blocks.
// Between ranges it checks the limits and yields to the event loop.
import { Untranslatable } from "../control/graph.js";
import type { Step } from "../control/step.js";
import type { ProgramFunction } from "../program/program.js";
import { eventLoopTurn, TURN_MS } from "../run/event-loop.js";
import type { Fault } from "../run/fault.js";
import {
  blocksOf,
  type Launch,
  type LaunchOutcome,
  type LaunchPlan,
  type LoadedProgram,
  type Refusal,
  type TranslatingEngine,
} from "../run/launch.js";
import { LaunchAreas } from "./areas.js";
import { FunctionLimit } from "./binary/code.js";
import { type Capabilities, capabilities } from "./capabilities.js";
import { type Checks, checksOf } from "./checks/checks.js";
import type { Crew } from "./crew.js";
import { Stop } from "./fault.js";
import { KernelInstance } from "./instance.js";
import { translate } from "./kernel.js";
import { LaunchRun } from "./launch-run.js";
import { OwnMeter } from "./meter.js";
import type { Translation } from "./translation.js";

/** A kernel that is ready to run, or the reason why it cannot. */
type Prepared = PreparedKernel | { readonly refusal: Refusal };

interface PreparedKernel {
  readonly translation: Translation;
  readonly instance: KernelInstance;
  /** Milliseconds per thread in the last launch; undefined before the first. */
  perThread: number | undefined;
}

/**
 * Launches that take fewer milliseconds stay on the caller, because handing them to other threads would take longer.
 */
const SHORT = 0.3;
/** Milliseconds after which blocks of a launch that was expected to be short are handed to other threads. */
const PATIENCE = 1;

export class Translator implements TranslatingEngine {
  readonly #kernels = new WeakMap<LoadedProgram, Map<ProgramFunction, Map<string, Promise<Prepared>>>>();
  readonly #machine: Capabilities;
  readonly #crew: Crew | undefined;

  /**
   * @param machine the capabilities of the machine's WebAssembly; detected by default
   * @param crew other threads that take over blocks from the caller
   */
  constructor(machine = capabilities(), crew?: Crew) {
    this.#machine = machine;
    this.#crew = crew;
  }

  async refusal(launch: LaunchPlan): Promise<Refusal | undefined> {
    const { loaded } = launch;
    const prepared = await this.#prepare(launch);
    if ("refusal" in prepared) return prepared.refusal;
    if (!isShort(launch, prepared))
      await this.#crewOf(launch, prepared)?.prepare(loaded, prepared.translation, this.#machine);
    return undefined;
  }

  /** @throws EmulatorError `OUT_OF_MEMORY` when there is no room for the launch's own memory; `WORKER_LOST` */
  async run(launch: Launch): Promise<LaunchOutcome> {
    const prepared = await this.#prepare(launch);
    if ("refusal" in prepared)
      throw new Error(`expected a kernel that can be translated, found ${prepared.refusal.found}`);
    const crew = this.#crewOf(launch, prepared);
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

  /**
   * The crew that runs a launch besides the caller. Kernels that print or allocate memory, and launches with checks, run
   * in block order on the caller only.
   */
  #crewOf({ hooks }: LaunchPlan, { translation }: PreparedKernel): Crew | undefined {
    return translation.usesHost || hooks.checks !== undefined ? undefined : this.#crew;
  }

  #prepare({ loaded, kernel, hooks }: LaunchPlan): Promise<Prepared> {
    const checks = checksOf(hooks);
    const key = JSON.stringify(checks);
    let kernels = this.#kernels.get(loaded);
    if (kernels === undefined) {
      kernels = new Map();
      this.#kernels.set(loaded, kernels);
    }
    const known = kernels.get(kernel) ?? new Map<string, Promise<Prepared>>();
    kernels.set(kernel, known);
    let prepared = known.get(key);
    if (prepared === undefined) {
      prepared = prepare(loaded, kernel, this.#machine, checks);
      known.set(key, prepared);
    }
    return prepared;
  }
}

async function prepare(
  loaded: LoadedProgram,
  kernel: ProgramFunction,
  machine: Capabilities,
  checks: Checks,
): Promise<Prepared> {
  if (!machine.compiles) return { refusal: { found: "a page that forbids WebAssembly" } };
  const instantiate = async (isLeftOut?: (step: Step) => boolean) => {
    const translation = await translate(loaded, kernel, machine, checks, isLeftOut);
    return { translation, instance: new KernelInstance(translation, loaded.memory.memory) };
  };
  try {
    return { ...(await instantiate()), perThread: undefined };
  } catch (error) {
    if (error instanceof Untranslatable || error instanceof FunctionLimit)
      return { refusal: { found: error.message } };
    // Generating nested blocks recurses, so it may overflow the stack.
    if (error instanceof RangeError) return { refusal: { found: "too many nested branches or loops" } };
    const find = async () => {
      const { findCulprit } = await import("./culprit.js");
      return findCulprit(loaded.program, (isLeftOut) => instantiate(isLeftOut).then(SUCCEEDS, FAILS));
    };
    return { refusal: { found: "one whose translation fails", failure: { error, find } } };
  }
}

const SUCCEEDS = () => false;
const FAILS = () => true;

/** The part of a launch that the caller has run. */
interface OwnPart {
  /** All blocks before this one are done. */
  readonly block: number;
  readonly executed: number;
  readonly busy: number;
  readonly fault: Fault | undefined;
}

/** Runs blocks on the caller's thread for `patience` milliseconds. */
async function runOwn(launch: Launch, prepared: PreparedKernel, patience: number): Promise<OwnPart> {
  const { translation, instance } = prepared;
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
 * Whether a launch is expected to end before other threads could begin to help. Blocks that may wait for each other are
 * never split between the caller and others.
 */
const isShort = (launch: LaunchPlan, { perThread, translation }: PreparedKernel): boolean =>
  perThread !== undefined && perThread * threadsOf(launch) < SHORT && !translation.takesTurns;
