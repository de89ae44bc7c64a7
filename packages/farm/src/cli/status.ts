// `status`: a table of a farm's workers.

import { openConnection } from "../connection.js";
import { readKey } from "../keys.js";
import { inboxOf } from "../names.js";
import { gatherStatus } from "../status/gather.js";
import type { WorkerStatus } from "../status/status.js";
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
  return interruptible(async (signal) => {
    const connection = await openConnection({ servers: [servers].flat(), key, ca }, "status", inbox);
    try {
      let workers = await gatherStatus(connection, inbox);
      while (flags.watch && flags.json === undefined && !signal.aborted) {
        process.stdout.write(`${process.stdout.isTTY ? CLEAR : ""}${statusText(workers)}\n`);
        await new Promise<void>((resolve) => setTimeout(resolve, AGAIN_MS));
        workers = await gatherStatus(connection, inbox);
      }
      return {
        ok: true,
        json: () => ({ ok: true, pools: poolsOf(workers), workers }),
        text: (colors) => statusText(workers, colors),
      };
    } finally {
      await connection.close();
    }
  });
}

/** The pools that have workers, with the sums of these. */
function poolsOf(workers: readonly WorkerStatus[]): object[] {
  return [...new Set(workers.map(({ pool }) => pool))].map((pool) => {
    const members = workers.filter((each) => each.pool === pool);
    const sum = (name: "cores" | "busy" | "jobs"): number =>
      members.reduce((total, each) => total + each[name], 0);
    return { pool, workers: members.length, cores: sum("cores"), busy: sum("busy"), jobs: sum("jobs") };
  });
}

const HEAD = [
  "worker",
  "host",
  "pool",
  "cores",
  "busy",
  "jobs",
  "ms a job",
  "failed",
  "again",
  "crashes",
  "confined",
  "up",
];
const NUMBERS = new Set([3, 4, 5, 6, 7, 8, 9]);

function statusText(workers: readonly WorkerStatus[], colors?: Colors): string {
  if (workers.length === 0) return "no workers\n";
  const rows = workers.map((each) => [
    printable(each.id),
    printable(each.host),
    printable(each.pool),
    `${each.cores}`,
    `${each.busy}`,
    `${each.jobs}`,
    each.jobs > each.cached ? (each.milliseconds / (each.jobs - each.cached)).toFixed(1) : "-",
    `${each.failed}`,
    `${each.redelivered}`,
    `${each.crashes}`,
    each.confined ? "yes" : "no",
    each.draining ? "draining" : duration(each.seconds),
  ]);
  const [head, ...lines] = columns([HEAD, ...rows], NUMBERS);
  return `${[colors?.bold(head!) ?? head, ...lines, counted(workers.length, "worker")].join("\n")}\n`;
}

const duration = (seconds: number): string =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;
