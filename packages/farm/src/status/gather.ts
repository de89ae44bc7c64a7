// Asks everybody in a farm for their state.

import { randomBytes } from "node:crypto";
import type { NatsConnection } from "@nats-io/transport-node";
import { STATUS } from "../names.js";
import type { WorkerStatus } from "./status.js";

const WAIT_MS = 500;

/** The workers that answer within half a second, by pool and name. */
export async function gatherStatus(connection: NatsConnection, inbox: string): Promise<WorkerStatus[]> {
  const found: WorkerStatus[] = [];
  const reply = `${inbox}.${randomBytes(6).toString("hex")}`;
  const subscription = connection.subscribe(reply, {
    callback: (_, message) => {
      try {
        const status = message.json<WorkerStatus>();
        if (status.kind === "worker") found.push(status);
      } catch {
        // Not from a worker.
      }
    },
  });
  connection.publish(STATUS, "", { reply });
  await new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS));
  subscription.unsubscribe();
  const order = ({ pool, id }: WorkerStatus): string => `${pool} ${id}`;
  return found.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}
