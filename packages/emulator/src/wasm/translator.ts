// The engine that runs kernels as WebAssembly: translates each kernel once, and runs launches in ranges of blocks, between
// which it looks at the limits and lets the event loop have its turn.
import { Untranslatable } from "../control/graph.js";
import type { ProgramFunction } from "../program/program.js";
import type { Launch, LaunchOutcome, LaunchPlan, LoadedProgram, TranslatingEngine } from "../run/launch.js";
import { takeAreas } from "./areas.js";
import { type Capabilities, capabilities } from "./capabilities.js";
import { LEAST_SHARED } from "./emit/memory.js";
import { Stop } from "./fault.js";
import { KernelInstance } from "./instance.js";
import { type Translation, translate } from "./kernel.js";
import { LaunchRun } from "./launch-run.js";

/** A kernel as it can run, or why it can't. */
type Prepared =
  | { readonly translation: Translation; instance: KernelInstance | undefined }
  | { readonly refusal: string };

/** Milliseconds after which the event loop has a turn, and that a range of blocks should take. */
const TURN = 16;
const RANGE = 4;
const MOST_BLOCKS = 2 ** 24;

export class Translator implements TranslatingEngine {
  readonly #kernels = new WeakMap<LoadedProgram, Map<ProgramFunction, Promise<Prepared>>>();

  readonly #machine: Capabilities;

  /** @param machine what the machine's WebAssembly can do; asked of it by default */
  constructor(machine = capabilities()) {
    this.#machine = machine;
  }

  async refusal({ loaded, kernel, dynamicSharedBytes }: LaunchPlan): Promise<string | undefined> {
    const prepared = await this.#prepare(loaded, kernel);
    if ("refusal" in prepared) return prepared.refusal;
    const sharedBytes = kernel.sharedBytes + dynamicSharedBytes;
    if (prepared.translation.needsShared && sharedBytes < LEAST_SHARED) {
      return `less than ${LEAST_SHARED} bytes of shared memory`;
    }
    return undefined;
  }

  /** @throws EmulatorError OUT_OF_MEMORY when there is no room for the launch's own memory */
  async run(launch: Launch): Promise<LaunchOutcome> {
    const prepared = await this.#prepare(launch.loaded, launch.kernel);
    if ("refusal" in prepared)
      throw new Error(`expected a kernel that can be translated, found ${prepared.refusal}`);
    const { translation } = prepared;
    prepared.instance ??= new KernelInstance(translation, launch.loaded.memory.memory);
    const { areas, give } = takeAreas(launch, translation);
    try {
      await runInRanges(
        new LaunchRun(launch, translation, prepared.instance, areas),
        prepared.instance,
        launch,
      );
      return { engine: "webassembly", fault: undefined };
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      return { engine: "webassembly", fault: error.fault };
    } finally {
      give();
    }
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
    return { translation: await translate(loaded, kernel, machine), instance: undefined };
  } catch (error) {
    if (error instanceof Untranslatable) return { refusal: error.message };
    throw error;
  }
}

async function runInRanges(run: LaunchRun, instance: KernelInstance, { grid, hooks }: Launch): Promise<void> {
  const blocks = grid[0] * grid[1] * grid[2];
  let turn = performance.now();
  for (let block = 0; block < blocks; ) {
    const begin = performance.now();
    if (begin - turn >= TURN) {
      await eventLoopTurn();
      hooks.progress?.(block);
      turn = performance.now();
    }
    run.checkLimits();
    const count = Math.min(instance.range, blocks - block);
    const start = performance.now();
    run.blocks(block, count);
    block += count;
    const took = performance.now() - start;
    // The first ranges run code that is not yet optimised: a call goes on as it began.
    if (took < RANGE / 2) instance.range = Math.min(instance.range * 2, MOST_BLOCKS);
    else if (took > RANGE * 2) instance.range = Math.max(1, instance.range >> 1);
  }
  run.checkLimits();
}

/** Everything that waits for the event loop runs before this is over. */
function eventLoopTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => void };
  return new Promise((resolve) => {
    if (setImmediate !== undefined) setImmediate(resolve);
    else {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(undefined);
    }
  });
}
