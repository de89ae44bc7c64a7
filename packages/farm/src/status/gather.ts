// Asks everybody in a farm for their state, and the server for its queue.

import { randomBytes } from "node:crypto";
import { JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { consumerOf, STATUS, STREAM, SUBMITTERS } from "../names.js";
import {
  isSubmitterStatus,
  isWorkerStatus,
  type PoolStatus,
  type SubmitterStatus,
  type WorkerStatus,
} from "./status.js";
import { quantile, sumOfWaits } from "./waits.js";

/** The state of a whole farm. */
export interface FarmStatus {
  readonly pools: readonly PoolStatus[];
  /** By pool and name. */
  readonly workers: readonly WorkerStatus[];
  readonly submitters: readonly SubmitterState[];
}

/** The state of a submitter among others. */
export interface SubmitterState extends Omit<SubmitterStatus, "waits"> {
  /**
   * Its share of the time, from 0 to 1, that workers of its pool compiled in the last minute; absent if they did not.
   */
  readonly share?: number | undefined;
}

const WAIT_MS = 500;
/** In which the parcels of a queue should be done. */
const TARGET_MS = 150;

/** Those who answer within half a second. */
export async function gatherStatus(connection: NatsConnection, inbox: string): Promise<FarmStatus> {
  const [workers, submitters] = await Promise.all([
    replies(connection, STATUS, inbox, isWorkerStatus),
    replies(connection, SUBMITTERS, inbox, isSubmitterStatus),
  ]);
  workers.sort((a, b) => compare(`${a.pool} ${a.id}`, `${b.pool} ${b.id}`));
  submitters.sort((a, b) => compare(a.name, b.name));
  const names = [...new Set(workers.map(({ pool }) => pool))];
  const pools = await Promise.all(names.map((pool) => poolStatus(connection, pool, workers, submitters)));
  return { pools, workers, submitters: withShares(submitters) };
}

function withShares(submitters: readonly SubmitterStatus[]): readonly SubmitterState[] {
  const all = new Map<string, number>();
  for (const { pool, milliseconds } of submitters) all.set(pool, (all.get(pool) ?? 0) + milliseconds);
  return submitters.map(({ waits: _, ...others }) => {
    const total = all.get(others.pool)!;
    return { ...others, share: total === 0 ? undefined : others.milliseconds / total };
  });
}

async function replies<Status>(
  connection: NatsConnection,
  subject: string,
  inbox: string,
  isStatus: (value: unknown) => value is Status,
): Promise<Status[]> {
  const all: Status[] = [];
  const reply = `${inbox}.${randomBytes(6).toString("hex")}`;
  const subscription = connection.subscribe(reply, {
    callback: (_, message) => {
      try {
        const status = message.json<unknown>();
        if (isStatus(status)) all.push(status);
      } catch {
        // Not JSON, so not from one of us.
      }
    },
  });
  connection.publish(subject, "", { reply });
  await new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS));
  subscription.unsubscribe();
  return all;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function poolStatus(
  connection: NatsConnection,
  pool: string,
  workers: readonly WorkerStatus[],
  submitters: readonly SubmitterStatus[],
): Promise<PoolStatus> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const { num_pending, num_ack_pending } = await manager.consumers
    .info(STREAM, consumerOf(pool))
    .catch((error: Error) => {
      // A queue that was lost does not have its consumers again yet.
      if (error instanceof JetStreamApiError) return { num_pending: 0, num_ack_pending: 0 };
      throw error;
    });
  const members = workers.filter((each) => each.pool === pool);
  const sum = (name: "cores" | "busy" | "milliseconds" | "parcels"): number =>
    members.reduce((total, each) => total + each[name], 0);
  // Before the first parcel is done, one is taken to be as long as submitters make them.
  const parcelMs = sum("parcels") === 0 ? TARGET_MS : sum("milliseconds") / sum("parcels");
  const cores = sum("cores") / members.length;
  const tenants = submitters.filter((each) => each.pool === pool);
  const waits = sumOfWaits(tenants.map((each) => each.waits));
  return {
    pool,
    workers: members.length,
    cores: sum("cores"),
    busy: sum("busy"),
    waiting: num_pending,
    taken: num_ack_pending,
    wanted: Math.ceil(((num_pending + num_ack_pending) * parcelMs) / (cores * TARGET_MS)),
    waitP50Ms: quantile(waits, 0.5),
    waitP95Ms: quantile(waits, 0.95),
    oldestMs: Math.max(0, ...tenants.map(({ oldestMs }) => oldestMs)),
  };
}
