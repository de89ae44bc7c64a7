// `KernelPipeline.progress`: what its events say, and when they end.
import { describe, expect, it } from "vitest";
import { KernelPipeline, type PipelineProgress, textSite } from "../../src/index.js";
import { collect, KERNEL, launch, plus, TWO_SITES, times, withPipeline } from "../support/kernel.js";

const factors = (count: number): string[] => Array.from({ length: count }, (_, i) => times(i));

async function eventsOf(pipeline: KernelPipeline, work: () => Promise<unknown>): Promise<PipelineProgress[]> {
  const events: PipelineProgress[] = [];
  const watching = (async () => {
    for await (const event of pipeline.progress({ intervalMs: 1 })) events.push(event);
  })();
  await work();
  pipeline.dispose();
  await watching;
  return events;
}

describe("the events", () => {
  it("count what is done, and end with the totals when the pipeline is disposed", () =>
    withPipeline({ pack: 10 }, async (pipeline) => {
      const programs = [...factors(400), times(3), "nonsense"];
      const events = await eventsOf(pipeline, () => collect(pipeline.run(programs)));
      expect(events[0]).toMatchObject({ taken: 0, done: 0, failed: 0, perSecond: 0, packSize: 10 });
      expect(events[0]).not.toHaveProperty("secondsLeft");
      for (const name of ["taken", "done", "failed", "duplicates", "packs", "splits"] as const) {
        const values = events.map((event) => event[name]);
        expect(values).toEqual(values.toSorted((a, b) => a - b));
      }
      const last = events.at(-1)!;
      expect(last).toMatchObject({ taken: 402, done: 401, failed: 1, duplicates: 1, stored: 0 });
      expect(last).not.toHaveProperty("secondsLeft");
      expect(last.milliseconds.launch).toBeGreaterThan(0);
      expect(Object.keys(last.milliseconds)).toContain("compile");
      expect(events.some(({ perSecond }) => perSecond > 0)).toBe(true);
    }));

  it("say how long the rest takes if the number of programs is known", () =>
    withPipeline({ pack: 10, dedupe: false }, async (pipeline) => {
      const lefts = async (programs: Iterable<string>, options: object) => {
        const controller = new AbortController();
        const events = pipeline.progress({ intervalMs: 1, signal: controller.signal });
        const results = pipeline.run(programs, options);
        const lefts: (number | undefined)[] = [];
        for await (const { index } of results)
          if (index % 10 === 9) lefts.push((await events.next()).value?.secondsLeft);
        controller.abort();
        return lefts;
      };
      const known = (values: readonly (number | undefined)[]) =>
        values.filter((value) => value !== undefined);
      const some = factors(100);
      expect(known(await lefts(some, {})).length).toBeGreaterThan(0);
      expect(known(await lefts(new Set(some), { total: 100 })).length).toBeGreaterThan(0);
      expect(known(await lefts(new Set(some), {}))).toEqual([]);
    }));

  it("know the number of combinations", () =>
    withPipeline(
      { kernel: TWO_SITES, sites: { inner: textSite(), outer: textSite() }, combine: "cross", pack: 10 },
      async (pipeline) => {
        const events = pipeline.progress({ intervalMs: 1 });
        await events.next();
        const programs = { inner: [1, 2, 3, 4, 5, 6].map(times), outer: [1, 2, 3, 4, 5].map(plus) };
        const results = pipeline.run(programs);
        const lefts: (number | undefined)[] = [];
        for await (const _ of results) lefts.push((await events.next()).value?.secondsLeft);
        expect(lefts.some((left) => left !== undefined && left > 0)).toBe(true);
        expect(lefts.at(-1)).toBe(0);
      },
    ));

  it("end when the signal is aborted", () =>
    withPipeline({}, async (pipeline) => {
      const events: PipelineProgress[] = [];
      for await (const event of pipeline.progress({ signal: AbortSignal.abort() })) events.push(event);
      expect(events).toHaveLength(1);
    }));
});

it("options are checked", () =>
  withPipeline({}, async (pipeline) => {
    const wrong = (options: object) => () => pipeline.progress(options);
    expect(wrong({ intervalMs: 0 })).toThrow(
      "option `intervalMs`: expected a whole number from 1 to 3600000, found 0",
    );
    expect(wrong({ interval: 5 })).toThrow("unknown option `interval`, did you mean `intervalMs`?");
    expect(() => pipeline.run([], { total: -1 })).toThrow("option `total`: expected a whole number");
  }));

it("a disposed pipeline gives one last event", async () => {
  const pipeline = new KernelPipeline({
    kernel: KERNEL,
    sites: { func: textSite() },
    launch,
    ...(await device()),
  });
  pipeline.dispose();
  const events: PipelineProgress[] = [];
  for await (const event of pipeline.progress()) events.push(event);
  expect(events).toMatchObject([{ taken: 0, packs: 0 }]);
});

async function device() {
  const { EmulatedDevice } = await import("@mm-ptx/emulator");
  return { device: EmulatedDevice.open({ memoryBytes: 2 ** 20 }) };
}
