// Puts parcels into the server's queue, which may be full or reject all of them.

import { JetStreamApiError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";
import { FarmError } from "../error.js";
import { isFull, type Link } from "./link.js";
import type { OpenParcel } from "./parcels.js";

const PAUSE_MS = 100;
const MOST_SILENT = 2;

/** What happened to a parcel that the queue has not taken. */
export type NotTaken =
  /** The queue has as many parcels of this submitter as it keeps; another process may have the same name. */
  | "full"
  /** It takes none from anybody, for example because the disk is full. */
  | FarmError;

/**
 * Tries until the queue has taken the parcel or says that it will not.
 *
 * @param isOpen whether the parcel is still wanted
 */
export async function publish(
  link: Link,
  parcel: OpenParcel,
  frame: Uint8Array,
  isOpen: () => boolean,
): Promise<NotTaken | undefined> {
  let silent = 0;
  while (isOpen()) {
    try {
      await link.publish(parcel, frame);
      return undefined;
    } catch (error) {
      if (isFull(error)) return "full";
      if (error instanceof JetStreamApiError)
        return new FarmError("QUEUE", `expected the server to queue jobs, found: ${error.message}`, {
          cause: error,
        });
      // nats-server does not answer if it could not write. One answer may be late because this process was busy.
      if (error instanceof errors.TimeoutError && ++silent === MOST_SILENT)
        return new FarmError(
          "QUEUE",
          "expected the server to queue jobs, found no answer: it may be overloaded, or its disk may be full",
          { cause: error },
        );
      // It is not known whether the parcel has arrived. A second copy does no harm: the first answer counts.
      await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    }
  }
  return undefined;
}
