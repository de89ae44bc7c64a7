// The workers of a device: started by the first launch that they are for, they live until the device is disposed of. A launch
// is shared out block by block; the caller waits without computing, so that its event loop goes on.
import type { Fault } from "../run/fault.js";
import { blocksOf, type Launch, type LoadedProgram } from "../run/launch.js";
import type { LinearMemory } from "../run/memory.js";
import { type Areas, LaunchAreas } from "../wasm/areas.js";
import type { Capabilities } from "../wasm/capabilities.js";
import type { Crew, CrewResult } from "../wasm/crew.js";
import type { Translation } from "../wasm/kernel.js";
import { Control } from "./control.js";
import { Hand, startWorker, type WorkerLike } from "./hand.js";
import type { EndMessage } from "./messages.js";

/** Blocks that a worker may have begun and not ended. */
const MOST_RESIDENTS = 128;
/** Kernels that workers keep translated. */
const MOST_KERNELS = 32;
/** Milliseconds between two tellings of progress. */
const TURN = 16;
/** The longest time of a timer. */
const MOST_TIMEOUT = 2 ** 31 - 1;

export class WorkerPool implements Crew {
  readonly #count: number;
  readonly #create: () => WorkerLike;
  readonly #control = new Control();
  #hands: readonly Hand[] | undefined;
  /** By translation, the oldest first: the id by which workers know it. */
  readonly #kernels = new Map<Translation, number>();
  #ids = 0;

  constructor(count: number, create = startWorker) {
    this.#count = count;
    this.#create = create;
  }

  async prepare(loaded: LoadedProgram, translation: Translation, machine: Capabilities): Promise<void> {
    const known = this.#kernels.get(translation);
    if (known !== undefined) {
      // The one that was used last is the last.
      this.#kernels.delete(translation);
      this.#kernels.set(translation, known);
      return;
    }
    const { program, addresses } = loaded;
    const forget: number[] = [];
    const id = this.#ids++;
    await this.#withAll(loaded.memory, async (hands) => {
      // Workers that were started just now know none.
      this.#kernels.set(translation, id);
      for (const [old, number] of this.#kernels) {
        if (this.#kernels.size <= MOST_KERNELS) break;
        this.#kernels.delete(old);
        forget.push(number);
      }
      const kernel = program.functions.indexOf(translation.kernel);
      const message = { kind: "kernel", id, program, addresses, kernel, machine, forget } as const;
      await all(hands.map((hand) => hand.ask(message, "ready")));
    });
  }

  /** Runs the blocks of a launch from one on. */
  async run(
    launch: Launch,
    translation: Translation,
    begin: { readonly block: number; readonly executed: number },
  ): Promise<CrewResult> {
    const { grid, block, dynamicSharedBytes, limits } = launch;
    const id = this.#kernels.get(translation)!;
    const sources = Array.from({ length: this.#count }, () => new LaunchAreas(launch, translation));
    try {
      const areas = areasOf(launch, translation, sources);
      return await this.#withAll(launch.loaded.memory, async (hands) => {
        this.#control.begin(begin.block, begin.executed);
        const { instructions } = limits;
        const shape = { grid, block, dynamicSharedBytes, instructions, workers: hands.length };
        const ends = await this.#watched(launch, () =>
          all(
            hands.map((hand, i) => hand.ask({ kind: "launch", id, areas: areas[i]!, ...shape }, "end")),
            () => this.#control.stop("ABORTED"),
          ),
        );
        return { fault: faultOf(ends), busy: ends.reduce((sum, { busy }) => sum + busy, 0) };
      });
    } finally {
      for (const source of sources) source.give();
    }
  }

  /** Ends the workers; a later launch would start others. */
  close(): void {
    for (const hand of this.#hands ?? []) hand.end();
    this.#hands = undefined;
    this.#kernels.clear();
  }

  /** Does something with all workers. When one is lost, the others are ended, too. */
  async #withAll<Result>(
    { memory, pageTable }: LinearMemory,
    work: (hands: readonly Hand[]) => Promise<Result>,
  ): Promise<Result> {
    const started: Hand[] = [];
    try {
      if (this.#hands === undefined) {
        while (started.length < this.#count) started.push(new Hand(this.#create));
        this.#hands = started;
        const control = this.#control.buffer;
        for (const hand of started) hand.tell({ kind: "memory", memory, pageTable, control });
      }
      return await work(this.#hands);
    } catch (error) {
      for (const hand of started) hand.end();
      this.close();
      throw error;
    }
  }

  /** Passes on what ends a launch before its time, and tells its progress, while it runs. */
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

/** For each worker the memory of the blocks that it begins: of more than one where blocks may wait for each other. */
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

/** Waits for all, also when one fails; then that one's error is thrown. */
async function all<Result>(
  promises: readonly Promise<Result>[],
  whenOneFails = () => {},
): Promise<readonly Result[]> {
  for (const promise of promises) promise.catch(whenOneFails);
  const settled = await Promise.allSettled(promises);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

/** What stopped a launch: what the first block did that failed, as when blocks run one by one; else a limit. */
function faultOf(ends: readonly EndMessage[]): Fault | undefined {
  const stopped = ends.flatMap((end) => end.stopped ?? []).sort((a, b) => a.block - b.block);
  const own = stopped.find(({ fault }) => !("loop" in fault));
  return (own ?? stopped[0])?.fault;
}
