// The addon's replies, dispatched to the connections that asked.

import { Binding, PerAddon } from "../native/binding.js";
import type { Addon, NativeReply, NativeSession } from "../native/load.js";

export type { NativeSession };

/** The outcome of a record. */
export interface Reply {
  readonly ticket: number;
  readonly tag: number;
  /** The operation's number. */
  readonly operation: number;
  readonly status: number;
  readonly values: readonly bigint[];
  readonly payload: Uint8Array | undefined;
  /** What the driver or the addon reports about a failure. */
  readonly text: string;
}

/** The number of replies that are taken before the event loop gets a turn. */
const BATCH = 64;

type Take = (reply: Reply) => void;

const hubs = new PerAddon("driver-hub", (addon) => new DriverHub(addon));

/** Receives the replies of all devices of this environment. */
export class DriverHub {
  readonly addon: Addon;
  readonly #sessions = new Map<number, Take>();
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #names: readonly string[];
  #draining = false;

  /** @internal */
  constructor(addon: Addon) {
    this.addon = addon;
    this.#names = this.addon.driverOperations();
    this.#numbers = new Map(this.#names.map((name, number) => [name, number]));
    Binding.of(addon).onWake(() => {
      if (!this.#draining) this.#drainBatch();
    });
  }

  static of(addon: Addon): DriverHub {
    return hubs.of(addon);
  }

  /** The number that stands for an operation in records. */
  numberOf(operation: string): number {
    return this.#numbers.get(operation)!;
  }

  nameOf(operation: number): string {
    return this.#names[operation] ?? "a record";
  }

  /** Queues one record and blocks until its reply arrives. */
  call(session: NativeSession, record: Uint8Array, timeoutMs: number): Reply {
    return readReply(this.addon.callDriver(session, record, timeoutMs));
  }

  add({ number }: NativeSession, take: Take): void {
    this.#sessions.set(number, take);
  }

  remove({ number }: NativeSession): void {
    this.#sessions.delete(number);
  }

  /** Takes all replies that have arrived, for callers that can't wait until the event loop gets to them. */
  drain(): void {
    do this.#drainBatch();
    while (this.#draining);
  }

  #drainBatch(): void {
    let replies: readonly NativeReply[] = [];
    try {
      replies = this.addon.drainDriver(BATCH);
    } finally {
      // A full batch means that more replies may be waiting, and no further wake-up would announce them.
      this.#draining = replies.length === BATCH;
      if (this.#draining) setImmediate(() => this.#drainBatch());
    }
    for (const reply of replies) this.#sessions.get(reply[0])?.(readReply(reply));
  }
}

function readReply([, ticket, tag, operation, status, values, payload, text]: NativeReply): Reply {
  return { ticket, tag, operation, status, values, payload, text };
}
