// Which worker gets a single job without the server's queue, and what becomes of the job.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DirectParcels } from "../src/front/direct.js";
import { Estimates } from "../src/front/estimates.js";
import type { Link } from "../src/front/link.js";
import { OpenParcels, openParcel } from "../src/front/parcels.js";
import type { Entry } from "../src/front/queue.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** When a worker is asked about a parcel. */
const ASK_MS = 250;
const FOUND_MS = 50;
const FRAME = new Uint8Array(1);

/** Parcels of a pool with these workers, by their number of cores. */
function farm(cores: Readonly<Record<string, number>>) {
  const sent: string[] = [];
  const members = new Map(Object.entries(cores));
  const link = {
    isUp: true,
    slots: 1,
    members: () => Array.from(members, ([id, count]) => ({ id, cores: count })),
    gone: (id: string) => void members.delete(id),
    offer({ id }: { readonly id: number }, worker: string, mayWait: boolean, frame?: Uint8Array) {
      sent.push(`${frame === undefined ? "asked" : "offered"} ${id} ${worker}${mayWait ? " ahead" : ""}`);
    },
  };
  const open = new OpenParcels();
  const estimates = new Estimates();
  estimates.add("group", 5);
  const queued: number[] = [];
  const lost: number[] = [];
  const direct = new DirectParcels(link as unknown as Link, open, estimates, {
    lost: ({ id }, { deaths }) => void lost.push(id, deaths),
    refused: ({ id }) => void queued.push(id),
  });
  const entryOf = (entry: Partial<Entry>): Entry =>
    ({ job: { isSingle: true }, group: "group", deaths: 0, refused: 0, ...entry }) as Entry;
  return {
    direct,
    members,
    queued,
    lost,
    /** What was sent since this was read last. */
    get sent() {
      return sent.splice(0);
    },
    give(id: number, jobs = 1, entry: Partial<Entry> = {}) {
      const entries = Array.from({ length: jobs }, () => entryOf(entry));
      const parcel = openParcel(id, "pool", entries, [], 1);
      open.add(parcel);
      return direct.give(parcel, FRAME);
    },
    answer(id: number) {
      const parcel = open.get(id)!;
      open.delete(parcel);
      direct.forget(parcel);
    },
  };
}

describe("single jobs", () => {
  it("go to the worker with the fewest for each core, wait for one core each, and the rest is queued", () => {
    const pool = farm({ a: 1, b: 2 });
    expect([1, 2, 3, 4, 5, 6, 7].map((id) => pool.give(id))).toEqual(Array(6).fill(true).concat(false));
    expect(pool.sent).toEqual([
      "offered 1 a",
      "offered 2 b",
      "offered 3 b",
      "offered 4 a ahead",
      "offered 5 b ahead",
      "offered 6 b ahead",
    ]);
    pool.answer(2);
    expect(pool.give(8)).toBe(true);
    expect(pool.sent).toEqual(["offered 8 b ahead"]);
  });

  it("wait at the only worker, because no other could take them, but not for long", () => {
    const pool = farm({ a: 1 });
    const given = Array.from({ length: 20 }, (_, i) => pool.give(i + 1));
    expect(given.lastIndexOf(true)).toBe(7);
    expect(given.indexOf(false)).toBe(8);
  });

  it("are returned by a worker whose cores are busy when another one is idle", () => {
    const pool = farm({ a: 1, b: 1 });
    for (const id of [1, 2, 3, 4]) pool.give(id);
    pool.answer(2);
    // It has another one, so it is not idle.
    expect(pool.sent).toHaveLength(4);
    pool.answer(4);
    expect(pool.sent).toEqual(["asked 3 a"]);
    pool.direct.replied(3, "no");
    expect(pool.sent).toEqual(["offered 3 b"]);
    expect(pool.queued).toEqual([]);
  });

  it("that wait are asked back when a worker comes, and otherwise only asked for", () => {
    const pool = farm({ a: 1 });
    pool.give(1);
    pool.give(2);
    vi.advanceTimersByTime(ASK_MS);
    expect(pool.sent.slice(2, 4)).toEqual(["asked 1 a ahead", "asked 2 a ahead"]);
    for (const id of [1, 2]) pool.direct.replied(id, "yes");
    pool.members.set("b", 1);
    vi.advanceTimersByTime(ASK_MS);
    expect(pool.sent).toContain("asked 2 a");
  });

  it("are offered to a worker that has started when nobody listens for the one that has ended", () => {
    const pool = farm({ a: 1 });
    pool.give(1);
    pool.direct.replied(1, "gone");
    expect(pool.members.size).toBe(0);
    pool.members.set("b", 1);
    vi.advanceTimersByTime(FOUND_MS);
    expect(pool.sent).toEqual(["offered 1 a", "offered 1 b"]);
    // Workers that say how they are, but take no parcels, must not be offered one for ever.
    pool.direct.replied(1, "gone");
    pool.members.set("b", 1);
    vi.advanceTimersByTime(FOUND_MS);
    expect(pool.queued).toEqual([1]);
  });

  it("are offered to another worker if one has no core for them, and then queued", () => {
    const pool = farm({ a: 1, b: 1 });
    pool.give(1);
    pool.direct.replied(1, "no");
    expect(pool.sent).toEqual(["offered 1 a", "offered 1 b"]);
    pool.direct.replied(1, "no");
    expect(pool.queued).toEqual([1]);
    // Both have said that they are busy.
    expect(pool.give(2)).toBe(false);
    vi.advanceTimersByTime(100);
    expect(pool.give(3)).toBe(true);
  });

  it("are queued if nobody says that the worker has them", () => {
    const pool = farm({ a: 2 });
    pool.give(1);
    vi.advanceTimersByTime(ASK_MS);
    pool.direct.replied(1, "gone");
    expect(pool.queued).toEqual([1]);
    pool.give(2);
    vi.advanceTimersByTime(ASK_MS);
    expect(pool.queued).toEqual([1]);
    vi.advanceTimersByTime(ASK_MS);
    expect(pool.queued).toEqual([1, 2]);
    expect(pool.lost).toEqual([]);
  });

  it("are lost with a worker that has had them and that is unreachable twice", () => {
    const pool = farm({ a: 2 });
    pool.give(1);
    vi.advanceTimersByTime(ASK_MS);
    pool.direct.replied(1, "yes");
    for (const lost of [[], [1, 1]]) {
      vi.advanceTimersByTime(ASK_MS);
      pool.direct.replied(1, "gone");
      expect(pool.lost).toEqual(lost);
    }
    expect(pool.queued).toEqual([]);
  });

  it("are not offered after a worker died with them, or with jobs that nobody waits for alone", () => {
    const pool = farm({ a: 8 });
    expect(pool.give(1, 2)).toBe(true);
    expect(pool.give(2, 1, { deaths: 1 })).toBe(false);
    expect(pool.give(3, 1, { refused: 1 })).toBe(false);
    expect(pool.give(4, 1, { job: {} as Entry["job"] })).toBe(false);
  });
});
