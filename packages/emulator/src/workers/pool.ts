// The workers of a device. The first launch that uses workers starts them, and they run until the device is disposed.
// The blocks of a launch are distributed among them while the caller waits without computing, so its event loop keeps
// running.
import type { WorkerLike } from "@mm-ptx/types/internal";
import { settleAll } from "@mm-ptx/types/internal/workers";
import type { Fault } from "../run/fault.js";
import { blocksOf, type Launch, type LoadedProgram } from "../run/launch.js";
import type { LinearMemory } from "../run/memory.js";
import { type Areas, LaunchAreas } from "../wasm/areas.js";
import type { Capabilities } from "../wasm/capabilities.js";
import type { Crew, CrewResult } from "../wasm/crew.js";
import type { Translation } from "../wasm/translation.js";
import { Control } from "./control.js";
import type { EndMessage } from "./messages.js";
import { handleOf, type LaunchWorkerHandle, startWorker } from "./worker-handle.js";

/** The most blocks that a worker may have in progress. */
const MOST_RESIDENTS = 128;
/** The number of translated kernels that workers keep. */
const MOST_KERNELS = 32;
/** Milliseconds between two progress reports. */
const TURN = 16;
/** The longest delay of a timer. */
const MOST_TIMEOUT = 2 ** 31 - 1;

export class WorkerPool implements Crew {
  readonly #count: number;
  readonly #create: () => WorkerLike;
  readonly #control = new Control();
  #workers: readonly LaunchWorkerHandle[] | undefined;
  /** The ids by which workers know translations, least recently used first. */
  readonly #kernels = new Map<Translation, number>();
  #ids = 0;

  constructor(count: number, create = startWorker) {
    this.#count = count;
    this.#create = create;
  }

  async prepare(loaded: LoadedProgram, translation: Translation, machine: Capabilities): Promise<void> {
    const known = this.#kernels.get(translation);
    if (known !== undefined) {
      // Reinserting makes it the most recently used.
      this.#kernels.delete(translation);
      this.#kernels.set(translation, known);
      return;
    }
    const { program, addresses, stackBytes } = loaded;
    const forget: number[] = [];
    const id = this.#ids++;
    await this.#withAll(loaded.memory, async (workers) => {
      // Registered only now, because workers that have just been started do not know any kernels.
      this.#kernels.set(translation, id);
      for (const [old, number] of this.#kernels) {
        if (this.#kernels.size <= MOST_KERNELS) break;
        this.#kernels.delete(old);
        forget.push(number);
      }
      const kernel = program.functions.indexOf(translation.kernel);
      const message = {
        kind: "kernel",
        id,
        program,
        addresses,
        stackBytes,
        kernel,
        machine,
        forget,
      } as const;
      await settleAll(workers.map((worker) => worker.request(message, "ready")));
    });
  }

  /** Runs the blocks of a launch, starting at a given block. */
  async run(
    launch: Launch,
    translation: Translation,
    begin: { readonly block: number; readonly executed: number },
  ): Promise<CrewResult> {
    const { grid, block, dynamicSharedBytes, workspace, limits } = launch;
    const id = this.#kernels.get(translation)!;
    const sources = Array.from({ length: this.#count }, () => new LaunchAreas(launch, translation));
    try {
      const areas = areasOf(launch, translation, sources);
      return await this.#withAll(launch.loaded.memory, async (workers) => {
        this.#control.begin(begin.block, begin.executed);
        const { instructions } = limits;
        const shape = { grid, block, dynamicSharedBytes, workspace, instructions, workers: workers.length };
        const ends = await this.#watched(launch, () =>
          settleAll(
            workers.map((worker, i) =>
              worker.request({ kind: "launch", id, areas: areas[i]!, ...shape }, "end"),
            ),
            () => this.#control.stop("ABORTED"),
          ),
        );
        return { fault: faultOf(ends), busy: ends.reduce((sum, { busy }) => sum + busy, 0) };
      });
    } finally {
      for (const source of sources) source.give();
    }
  }

  /** Terminates the workers; a later launch would start new ones. */
  close(): void {
    for (const worker of this.#workers ?? []) worker.terminate();
    this.#workers = undefined;
    this.#kernels.clear();
  }

  /** Runs work with all workers. If one of them is lost, the others are terminated as well. */
  async #withAll<Result>(
    { memory, pageTable }: LinearMemory,
    work: (workers: readonly LaunchWorkerHandle[]) => Promise<Result>,
  ): Promise<Result> {
    const started: LaunchWorkerHandle[] = [];
    try {
      if (this.#workers === undefined) {
        while (started.length < this.#count) started.push(handleOf(this.#create));
        this.#workers = started;
        const control = this.#control.buffer;
        for (const worker of started) worker.post({ kind: "memory", memory, pageTable, control });
      }
      return await work(this.#workers);
    } catch (error) {
      for (const worker of started) worker.terminate();
      this.close();
      throw error;
    }
  }

  /** Forwards abort signals and deadlines to the workers and reports progress while work runs. */
  async #watched<Result>({ limits, hooks }: Launch, work: () => Promise<Result>): Promise<Result> {
    const { deadline, signal } = limits;
    const abort = () => this.#control.stop("ABORTED");
    const left = Math.max(0, deadline - performance.now());
    const timer = left <= MOST_TIMEOUT ? setTimeout(() => this.#control.stop("TIMEOUT"), left) : undefined;
    const { progress } = hooks;
    const telling =
      progress === undefined ? undefined : setInterval(() => progress(this.#control.done), TURN);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    try {
      return await work();
    } finally {
      signal?.removeEventListener("abort", abort);
      clearTimeout(timer);
      clearInterval(telling);
    }
  }
}

/** The memory areas of each worker: more than one where blocks may wait for each other. */
function areasOf(launch: Launch, translation: Translation, sources: readonly LaunchAreas[]): Areas[][] {
  const areas = sources.map((source) => [source.take()]);
  const most = translation.takesTurns ? Math.min(blocksOf(launch), MOST_RESIDENTS) : 1;
  for (let count = 1; count < most; count++) {
    sources.forEach((source, i) => {
      const more = source.more();
      if (more !== undefined) areas[i]!.push(more);
    });
  }
  return areas;
}

/**
 * The fault of a launch: the fault of the first block that failed, as if blocks ran one after another, or else a limit.
 */
function faultOf(ends: readonly EndMessage[]): Fault | undefined {
  const stopped = ends.flatMap((end) => end.stopped ?? []).sort((a, b) => a.block - b.block);
  const own = stopped.find(({ fault }) => !("loop" in fault));
  return (own ?? stopped[0])?.fault;
}
