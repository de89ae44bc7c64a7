// `status`: tables of a farm's pools, workers and submitters.

import { documentAddress } from "@mm-ptx/types/internal";
import { openConnection } from "../connection.js";
import { readKey } from "../keys.js";
import { inboxOf } from "../names.js";
import { type FarmStatus, gatherStatus } from "../status/gather.js";
import { type Colors, columns, counted, interruptible, type Outcome, printable } from "./framework.js";
import { type ServerFlags, serverOf } from "./server-flags.js";

export interface StatusFlags extends ServerFlags {
  readonly watch?: true;
  readonly json?: true;
}

const AGAIN_MS = 1_000;
const CLEAR = "\x1b[H\x1b[2J";

/** @throws FarmError */
export async function status(flags: StatusFlags): Promise<Outcome> {
  const { servers, key, ca } = serverOf(flags);
  const { role, name } = key === undefined ? { role: "viewer", name: "status" } : readKey(key);
  const inbox = inboxOf(role, name);
  // `head` stops reading before the end.
  let isRead = true;
  process.stdout.once("error", () => {
    isRead = false;
  });
  return interruptible(async (signal) => {
    const connection = await openConnection({ servers: [servers].flat(), key, ca }, "status", inbox);
    try {
      let farm = await gatherStatus(connection, inbox);
      let before: Moment | undefined;
      while (flags.watch && flags.json === undefined && !signal.aborted && isRead) {
        const now = { at: performance.now(), farm };
        process.stdout.write(
          `${process.stdout.isTTY ? CLEAR : ""}${statusText(farm, ratesOf(now, before))}\n`,
        );
        before = now;
        await new Promise<void>((resolve) => setTimeout(resolve, AGAIN_MS));
        farm = await gatherStatus(connection, inbox);
      }
      return {
        ok: true,
        json: () => ({ ok: true, ...farm }),
        text: (colors) => statusText(farm, ratesOf({ at: performance.now(), farm }), colors),
      };
    } finally {
      await connection.close();
    }
  });
}

interface Moment {
  readonly at: number;
  readonly farm: FarmStatus;
}

/** Jobs a second of each worker: since the moment before, or since the worker has started. */
function ratesOf({ at, farm }: Moment, before?: Moment): ReadonlyMap<string, number> {
  return new Map(
    farm.workers.map(({ id, jobs, seconds }) => {
      const earlier = before?.farm.workers.find((each) => each.id === id);
      const rate =
        before === undefined || earlier === undefined
          ? jobs / Math.max(1, seconds)
          : (1000 * (jobs - earlier.jobs)) / (at - before.at);
      return [id, rate];
    }),
  );
}

/** The titles of columns, and which of them are of numbers. */
const WORKERS = [
  [
    "worker",
    "host",
    "pool",
    "cores",
    "busy",
    "jobs",
    "jobs/s",
    "ms a job",
    "failed",
    "again",
    "crashes",
    "confined",
    "up",
  ],
  new Set([3, 4, 5, 6, 7, 8, 9, 10]),
] as const;
const SUBMITTERS = [
  [
    "submitter",
    "host",
    "pool",
    "queued",
    "parcels",
    "done",
    "here",
    "repeated",
    "sent again",
    "wrong",
    "share",
    "left out",
  ],
  new Set([3, 4, 5, 6, 7, 8, 9, 10]),
] as const;
const POOLS = [
  ["pool", "workers", "cores", "busy", "waiting", "taken", "wanted", "wait p50", "wait p95", "oldest"],
  new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]),
] as const;

/** The titles of columns that are figures. */
export const TITLES: readonly string[] = [POOLS, WORKERS, SUBMITTERS].flatMap(([titles, numbers]) =>
  titles.filter((_, i) => numbers.has(i)),
);

type Titles = readonly [readonly string[], ReadonlySet<number>];

export function statusText(
  { pools, workers, submitters }: FarmStatus,
  rates: ReadonlyMap<string, number>,
  colors?: Colors,
): string {
  const table = ([titles, numbers]: Titles, rows: readonly (readonly (string | number)[])[]): string => {
    if (rows.length === 0) return "";
    const cells = rows.map((row) => row.map((cell) => printable(String(cell))));
    const [head, ...lines] = columns([titles, ...cells], numbers);
    return `${[colors?.bold(head!) ?? head, ...lines].join("\n")}\n\n`;
  };
  const poolRows = pools.map((each) => [
    each.pool,
    each.workers,
    each.cores,
    each.busy,
    each.waiting,
    each.taken,
    each.wanted,
    time(each.waitP50Ms),
    time(each.waitP95Ms),
    time(each.oldestMs || undefined),
  ]);
  const workerRows = workers.map((each) => [
    each.id,
    each.host,
    each.pool,
    each.cores,
    each.busy,
    each.jobs,
    (rates.get(each.id) ?? 0).toFixed(1),
    each.jobs > each.cached ? (each.milliseconds / (each.jobs - each.cached)).toFixed(1) : "-",
    each.failed,
    each.redelivered,
    each.crashes,
    each.confined ? "yes" : "no",
    each.draining ? "draining" : duration(each.seconds),
  ]);
  const submitterRows = submitters.map((each) => [
    each.name,
    each.host,
    each.pool,
    each.queued,
    each.open,
    each.remote,
    each.local,
    each.repeated,
    each.resubmitted,
    each.wrong,
    each.share === undefined ? "-" : `${Math.round(100 * each.share)} %`,
    each.leftOut.join(" ") || "-",
  ]);
  const tables = table(POOLS, poolRows) + table(WORKERS, workerRows) + table(SUBMITTERS, submitterRows);
  const counts = `${counted(workers.length, "worker")}, ${counted(submitters.length, "submitter")}\n`;
  return tables + counts + adviceText({ workers, submitters }, colors);
}

/** What to do about workers that still take jobs although submitters do not use their answers. */
function adviceText(
  { workers, submitters }: Pick<FarmStatus, "workers" | "submitters">,
  colors?: Colors,
): string {
  const lines = workers.flatMap(({ id, host }) => {
    const by = [...new Set(submitters.filter((each) => each.leftOut.includes(id)).map(({ name }) => name))];
    if (by.length === 0) return [];
    const advice = `stop the worker ${id} on ${host}: it made other machine code than ${by.join(", ")}, and still takes jobs`;
    return [`${colors?.red("warning") ?? "warning"}: ${printable(advice)}\n`];
  });
  if (lines.length === 0) return "";
  return `\n${lines.join("")}${documentAddress("farm-operations", "workers-that-are-wrong")} says how, and what else to check\n`;
}

const time = (ms: number | undefined): string =>
  ms === undefined ? "-" : ms < 10_000 ? `${ms} ms` : duration(Math.round(ms / 1000));

const duration = (seconds: number): string =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;
