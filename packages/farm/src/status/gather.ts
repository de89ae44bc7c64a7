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

/** The state of a whole farm. */
export interface FarmStatus {
  readonly pools: readonly PoolStatus[];
  /** By pool and name. */
  readonly workers: readonly WorkerStatus[];
  readonly submitters: readonly SubmitterStatus[];
}

const WAIT_MS = 500;
/** In which the parcels of a queue should be done. */
const TARGET_MS = 100;

/** Those who answer within half a second. */
export async function gatherStatus(connection: NatsConnection, inbox: string): Promise<FarmStatus> {
  const [workers, submitters] = await Promise.all([
    replies(connection, STATUS, inbox, isWorkerStatus),
    replies(connection, SUBMITTERS, inbox, isSubmitterStatus),
  ]);
  workers.sort((a, b) => compare(`${a.pool} ${a.id}`, `${b.pool} ${b.id}`));
  submitters.sort((a, b) => compare(a.name, b.name));
  const names = [...new Set(workers.map(({ pool }) => pool))];
  const pools = await Promise.all(names.map((pool) => poolStatus(connection, pool, workers)));
  return { pools, workers, submitters };
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
  return {
    pool,
    workers: members.length,
    cores: sum("cores"),
    busy: sum("busy"),
    waiting: num_pending,
    taken: num_ack_pending,
    wanted: Math.ceil(((num_pending + num_ack_pending) * parcelMs) / (cores * TARGET_MS)),
  };
}
