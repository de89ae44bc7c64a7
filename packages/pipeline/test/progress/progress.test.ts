// `KernelPipeline.progress`: what its events say, and when they end.
import { describe, expect, it } from "vitest";
import { KernelPipeline, type PipelineProgress, textSite } from "../../src/index.js";
import { programsLeft, totalOf } from "../../src/scheduling/left.js";
import type { BoundSite } from "../../src/sites/bind.js";
import { collect, KERNEL, launch, times, withPipeline } from "../support/kernel.js";

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
    withPipeline({ pack: 10 }, async (pipeline) => {
      const secondsLeft = async (from: number, options: object) => {
        const events = pipeline.progress({ intervalMs: 1 });
        await events.next();
        let open = (): void => {};
        const opened = new Promise<void>((resolve) => {
          open = resolve;
        });
        const programs = factors(from + 20).slice(from);
        const results = pipeline.run(
          (async function* () {
            yield* programs.slice(0, 10);
            await opened;
            yield* programs.slice(10);
          })(),
          options,
        );
        for (let i = 0; i < 10; i++) await results.next();
        const during = await events.next();
        open();
        for await (const _ of results);
        const after = await events.next();
        return [during, after].map(({ value }) => value!.secondsLeft);
      };
      expect(await secondsLeft(0, { total: 20 })).toEqual([expect.any(Number), undefined]);
      expect(await secondsLeft(100, {})).toEqual([undefined, undefined]);
    }));

  it("know the number of programs in arrays, and of combinations", () => {
    const sites = [{ name: "a" }, { name: "b" }] as BoundSite[];
    expect(totalOf([1, 2, 3], sites, false)).toBe(3);
    expect(totalOf(new Set([1, 2, 3]), sites, false)).toBeUndefined();
    expect(totalOf({ a: [1, 2, 3], b: [1, 2] }, sites, true)).toBe(6);
    expect(totalOf({ a: [1, 2, 3], b: new Set([1]) }, sites, true)).toBeUndefined();
    expect(totalOf(undefined, sites, true)).toBeUndefined();
    expect(programsLeft([])).toBeUndefined();
    expect(programsLeft([{ left: 3 }, { left: 4 }])).toBe(7);
    expect(programsLeft([{ left: 3 }, { left: undefined }])).toBeUndefined();
  });

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
