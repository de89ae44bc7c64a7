// One run in which workers and the server are killed, with and without its queue, and connections are cut: no job is lost, none is
// answered twice, every cubin is that of this machine's compiler, and nobody needs more memory the longer it runs.
// `MM_PTX_FARM_SOAK=JOBS,WORKERS,SERVERS,CUTS` sizes it.

import type { ChildProcess } from "node:child_process";
import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type JobResult, PtxCompiler } from "@mm-ptx/cuda";
import { describe, expect, it } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { FarmCompiler } from "../src/index.js";
import { LACKS, ptxOf, TestFarm } from "./support/farm.js";
import { grown, MemoryWatch } from "./support/memory.js";
import { startProxy } from "./support/proxy.js";

const DEFAULT = SOAK ? "50000,100,20,20" : "300,3,2,2";
const [JOBS, WORKERS, SERVERS, CUTS] = (process.env.MM_PTX_FARM_SOAK ?? DEFAULT).split(",").map(Number) as [
  number,
  number,
  number,
  number,
];
const OPTIONS = { arch: "sm_90", cache: false } as const;
const HOURS_MS = 4 * 3_600_000;

type Event = "worker" | "server" | "store" | "cut";

/** All events in an order that a number decides. */
function eventsFrom(seed: number): Event[] {
  const of = (count: number, event: Event): Event[] => Array<Event>(count).fill(event);
  const events = [
    ...of(WORKERS, "worker"),
    ...of(Math.ceil(SERVERS / 2), "server"),
    ...of(Math.floor(SERVERS / 2), "store"),
    ...of(CUTS, "cut"),
  ];
  let state = seed;
  for (let i = events.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [events[i], events[j]] = [events[j]!, events[i]!];
  }
  return events;
}

describe.skipIf(LACKS !== undefined)(`a farm${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  const seed = Number(process.env.MM_PTX_FARM_SEED ?? Date.now() % 2 ** 31);

  it(`outlives everything at once (seed ${seed})`, { timeout: SOAK ? HOURS_MS : 180_000 }, async () => {
    const expected = new Map<number, string>();
    await expectAll(expected, JOBS);

    await using farm = await TestFarm.start();
    await using proxy = await startProxy(Number(new URL(farm.servers).port));
    const servers = `nats://127.0.0.1:${proxy.port}`;
    const begin = () => workerOf(farm, ["--servers", servers]);
    const workers = [await begin(), await begin()];
    await using compiler = new FarmCompiler({ ...OPTIONS, workers: 1, servers, local: "never" });
    using memory = watch(farm, workers);
    const found = new Map<number, string>();
    const deliveries = new Map<number, number>();
    let twice = 0;
    let ended = false;
    const running = (async () => {
      for await (const result of compiler.stream(texts(JOBS))) {
        if (found.has(result.index)) twice++;
        found.set(result.index, codeOf(result));
        const { deliveries: times = 0 } = (result.ok && result.info.farm) || {};
        deliveries.set(times, (deliveries.get(times) ?? 0) + 1);
      }
      ended = true;
    })();

    const happen: Readonly<Record<Event, (count: number) => Promise<unknown> | number>> = {
      async worker(count) {
        workers[count % 2]!.kill("SIGKILL");
        workers[count % 2] = await begin();
      },
      server: () => killServer(() => {}),
      store: () =>
        killServer(() => rmSync(join(farm.folder, "store"), { recursive: true, force: true, maxRetries: 5 })),
      cut: () => proxy.cut(),
    };
    async function killServer(meanwhile: () => void): Promise<void> {
      let restarts = -1;
      while (restarts < 0) {
        try {
          // While it starts again after the last time, there is nothing to kill.
          process.kill(farm.server.pid ?? 0x7fffffff, "SIGKILL");
          restarts = farm.server.restarts;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
          await pause();
        }
      }
      meanwhile();
      while (farm.server.restarts === restarts) await pause();
    }
    const happened: Record<Event, number> = { worker: 0, server: 0, store: 0, cut: 0 };
    const events = eventsFrom(seed);
    for (const [i, event] of events.entries()) {
      while (found.size < (JOBS * (i + 1)) / (events.length + 2) && !ended) await pause();
      await happen[event](happened[event]++);
    }
    await running;

    const wrong = [...expected].filter(([index, code]) => found.get(index) !== code).length;
    const medians = memory?.medians();
    if (SOAK)
      console.log({ seed, jobs: found.size, happened, twice, wrong, deliveries, ...compiler.farm, medians });
    expect({ jobs: found.size, twice, wrong }).toEqual({ jobs: JOBS, twice: 0, wrong: 0 });
    expect(happened).toEqual({
      worker: WORKERS,
      server: Math.ceil(SERVERS / 2),
      store: Math.floor(SERVERS / 2),
      cut: CUTS,
    });
    if (medians !== undefined) expect(grown(medians)).toEqual([]);
  });

  // Nobody lives long while workers and servers are killed.
  it.skipIf(!SOAK)("needs no more memory the longer it runs", { timeout: HOURS_MS }, async () => {
    await using farm = await TestFarm.start();
    const workers = [await workerOf(farm), await workerOf(farm)];
    await using compiler = new FarmCompiler({
      ...OPTIONS,
      workers: 1,
      servers: farm.servers,
      local: "never",
    });
    using memory = watch(farm, workers);
    let failed = 0;
    for await (const result of compiler.stream(texts(JOBS))) if (!result.ok) failed++;
    const medians = memory?.medians();
    console.log({ jobs: JOBS, failed, medians });
    expect(failed).toBe(0);
    if (medians !== undefined) expect(grown(medians)).toEqual([]);
  });
});

/** Watches the memory of a farm's roles in a soak. */
const watch = (farm: TestFarm, workers: readonly ChildProcess[]): MemoryWatch | undefined =>
  SOAK && process.platform === "linux"
    ? new MemoryWatch(
        () => ({ server: farm.server.pid, workers: workers.map(({ pid }) => pid!) }),
        farm.folder,
      )
    : undefined;

const HEAP = new URL("support/heap.mjs", import.meta.url).href;

/** A worker that says how much memory it keeps. */
const workerOf = (farm: TestFarm, flags: readonly string[] = []): Promise<ChildProcess> =>
  farm.workerProcess(["--no-cache", ...flags], ["--expose-gc", "--import", HEAP], {
    MM_PTX_HEAPS: farm.folder,
  });

/** What this machine's compiler makes of the texts; its processes have ended when memory is measured. */
async function expectAll(expected: Map<number, string>, jobs: number): Promise<void> {
  await using local = new PtxCompiler({ ...OPTIONS, workers: 2 });
  for await (const result of local.stream(texts(jobs))) expected.set(result.index, codeOf(result));
}

function* texts(jobs: number): Generator<string> {
  for (let i = 0; i < jobs; i++) yield ptxOf(i);
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
const codeOf = (result: JobResult): string =>
  result.ok ? hash("sha256", result.cubin) : `${result.error.code} ${result.error.message}`;
