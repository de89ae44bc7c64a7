// How much work is given out at a time: enough for every worker, and in smaller pieces towards the end.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Estimates, type Width } from "../src/front/estimates.js";
import type { Entry } from "../src/front/queue.js";

const entryOf = (group: string, bytes = 1000): Entry => ({ group, bytes }) as Entry;
const known = (ms: number): Estimates => {
  const estimates = new Estimates();
  estimates.add("known", ms);
  return estimates;
};
const widths = fc
  .record({ workers: fc.integer({ min: 1, max: 64 }), cores: fc.integer({ min: 1, max: 64 }) })
  .map(({ workers, cores }): Width => ({ workers, slots: workers * cores }));
const times = fc.double({ min: 0, max: 5000, noNaN: true });

describe("parcels", () => {
  it("are as much work as a worker does in 150 milliseconds", () => {
    const size = (ms: number, width: Width) => known(ms).parcelSize(entryOf("known"), 1e6, width);
    expect(size(5, { workers: 1, slots: 1 })).toBe(30);
    expect(size(5, { workers: 3, slots: 12 })).toBe(120);
    expect(size(400, { workers: 1, slots: 2 })).toBe(1);
    expect(size(0, { workers: 1, slots: 8 })).toBe(256);
  });

  it("are small as long as nobody knows how long their jobs take", () => {
    const size = new Estimates().parcelSize(entryOf("new", 100), 1e6, { workers: 2, slots: 8 });
    expect(size).toBeLessThan(known(3).parcelSize(entryOf("known"), 1e6, { workers: 2, slots: 8 }));
  });

  it("are divided among all workers, and get smaller towards the end", () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 5000 }), widths, (ms, all, width) => {
        const estimates = known(ms);
        let last = Number.POSITIVE_INFINITY;
        for (let waiting = all; waiting > 0; ) {
          const size = estimates.parcelSize(entryOf("known"), waiting, width);
          expect(size).toBeGreaterThan(0);
          expect(size).toBeLessThanOrEqual(Math.ceil(waiting / width.workers));
          expect(size).toBeLessThanOrEqual(last);
          last = size;
          waiting -= size;
        }
      }),
    );
  });

  it("are enough for every core, and not more than twice what is enough", () => {
    fc.assert(
      fc.property(times, widths, (ms, width) => {
        const estimates = known(ms);
        const load = { jobs: 0, milliseconds: 0 };
        const each = estimates.millisecondsOf(entryOf("known"));
        while (!estimates.isEnough(load, width)) {
          const size = estimates.parcelSize(entryOf("known"), 1e6, width);
          load.jobs += size;
          load.milliseconds += size * each;
        }
        expect(estimates.isEnough(load, width, true)).toBe(
          load.jobs >= 4 * width.slots && load.milliseconds >= 900 * width.slots,
        );
        expect(load.jobs).toBeGreaterThanOrEqual(2 * width.slots);
        const enough = Math.max(2 * width.slots, 450 * (width.slots / each));
        const parcel = 150 * (width.slots / width.workers / each);
        // The sum of times and the size of a parcel are rounded.
        expect(load.jobs).toBeLessThan(enough + parcel + 1.001);
      }),
    );
  });
});
