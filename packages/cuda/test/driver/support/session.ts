// A session of the addon alone: operations by name, and replies as they arrive.

import { DriverHub, type NativeSession, type Reply } from "../../../src/driver/addon.js";
import { encodeRecord, type Slot, withPayload } from "../../../src/driver/command.js";
import { findAddon } from "../../../src/native/load.js";

const { native } = findAddon();

/** The executable of isolated sessions; empty if there is none. */
export const WORKER = native?.workerPath ?? "";

export class RawSession {
  readonly hub = DriverHub.of(native!.addon);
  readonly native: NativeSession;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  /** Replies without a ticket. */
  readonly failures: Reply[] = [];
  #lastTicket = 0;

  constructor(driver: string, worker = "") {
    const environment = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
    this.native = this.hub.addon.openDriver(driver, worker, worker === "" ? [] : environment);
    this.hub.add(this.native, (reply) => {
      if (reply.ticket === 0) this.failures.push(reply);
      this.#waiting.get(reply.ticket)?.(reply);
      this.#waiting.delete(reply.ticket);
    });
  }

  /** Blocks until the reply arrives. */
  call(operation: string, slots: readonly Slot[] = [], payload = new Uint8Array(0), timeoutMs = 0): Reply {
    const record = this.#record(operation, slots, ++this.#lastTicket, payload);
    return this.hub.call(this.native, withPayload(record, payload), timeoutMs);
  }

  request(operation: string, slots: readonly Slot[] = [], payload?: Uint8Array): Promise<Reply> {
    const ticket = ++this.#lastTicket;
    this.hub.addon.submitDriver(this.native, this.#record(operation, slots, ticket, payload), payload);
    return new Promise((resolve) => {
      this.#waiting.set(ticket, resolve);
    });
  }

  /** Queues an operation that is answered only if it fails. */
  post(operation: string, slots: readonly Slot[] = []): void {
    this.hub.addon.submitDriver(this.native, this.#record(operation, slots, 0));
  }

  async close(): Promise<Reply> {
    const reply = await this.request("close");
    this.hub.remove(this.native);
    return reply;
  }

  /** Kills the session, because pending waits would keep the process alive after a failed test. */
  [Symbol.dispose](): void {
    this.hub.addon.killDriver(this.native);
  }

  #record(operation: string, slots: readonly Slot[], ticket: number, payload?: Uint8Array): Uint8Array {
    const payloadBytes = payload?.byteLength ?? 0;
    return encodeRecord(this.hub.numberOf(operation), slots, { ticket, payloadBytes });
  }
}
