// Answers of a worker: sent until the submitter has confirmed them, and kept in case a parcel comes again.

import { randomBytes } from "node:crypto";
import { headers, type MsgHdrs, type NatsConnection } from "@nats-io/transport-node";
import { isUnheard } from "../connection.js";
import { HEADERS, resultsOf } from "../names.js";

/** A larger answer is sent in parts. */
const PART = 512 * 2 ** 10;
const PAUSE_MS = 100;
const KEPT = 4096;
/** The answers that a worker keeps, in case they have to be sent again. */
export const KEPT_BYTES = 64 * 2 ** 20;

/** A parcel of a submitter. */
export interface Addressee {
  readonly submitter: string;
  /** The session and the number of the parcel. */
  readonly parcel: string;
}

const nameOf = (to: Addressee): string => `${to.submitter} ${sessionOf(to)}`;

/** The session of a submitter that a parcel belongs to. */
export const sessionOf = ({ parcel }: Addressee): string => parcel.split(".")[0]!;

function headersOf([name, value]: readonly [string, string]): MsgHdrs {
  const head = headers();
  head.set(name, value);
  return head;
}

/** How long a worker waits for submitters. */
export interface Waits {
  readonly receiptMs: number;
  /** How long it keeps an answer for a submitter that is gone: longer than a submitter takes to reconnect. */
  readonly holdMs: number;
  /** How often it asks, while it compiles a parcel, whether the submitter still wants it. */
  readonly askMs: number;
}

/** Unless a test shortens them. */
export const WAITS: Waits = { receiptMs: 5_000, holdMs: 20_000, askMs: 1_000 };

export class Answers {
  readonly #connection: () => NatsConnection;
  readonly #waits: Waits;
  readonly #kept = new Map<string, Uint8Array>();
  #bytes = 0;
  /** Distinguishes the answers of this worker from those of others to the same parcel. */
  readonly #sender = randomBytes(6).toString("hex");
  #sent = 0;
  /** Sessions of submitters that did not listen when they were last asked. */
  readonly #absent = new Set<string>();
  /** Those of them that are no longer waited for. */
  readonly #gone = new Set<string>();

  constructor(connection: () => NatsConnection, waits: Waits = WAITS) {
    this.#connection = connection;
    this.#waits = waits;
  }

  /** The answer that this worker has made to a parcel earlier. */
  earlier({ submitter, parcel }: Addressee): Uint8Array | undefined {
    return this.#kept.get(`${submitter} ${parcel}`);
  }

  keep({ submitter, parcel }: Addressee, bytes: Uint8Array): void {
    const key = `${submitter} ${parcel}`;
    this.#bytes += bytes.length - (this.#kept.get(key)?.length ?? 0);
    this.#kept.set(key, bytes);
    for (const [oldest, { length }] of this.#kept) {
      if ((this.#bytes <= KEPT_BYTES && this.#kept.size <= KEPT) || oldest === key) break;
      this.#kept.delete(oldest);
      this.#bytes -= length;
    }
  }

  /**
   * Whether the submitter did not listen when it was last asked, so that nobody may be waiting for its
   * parcels.
   */
  isAbsent(to: Addressee): boolean {
    return this.#absent.has(nameOf(to));
  }

  /** Sends an answer. @returns whether the submitter has confirmed all of it; otherwise it has gone */
  async send(to: Addressee, bytes: Uint8Array): Promise<boolean> {
    if (bytes.length <= PART) return (await this.#request(to, bytes)) !== undefined;
    const answer = `${this.#sender}-${++this.#sent}`;
    const parts = Math.ceil(bytes.length / PART);
    for (let part = 0; part < parts; part++) {
      const head: [string, string] = [HEADERS.part, `${answer}/${part}/${parts}`];
      if ((await this.#request(to, bytes.subarray(part * PART, (part + 1) * PART), head)) === undefined)
        return false;
    }
    return true;
  }

  /**
   * Sends an answer whose submitter asks for it if it does not arrive, which costs less than a receipt.
   *
   * @returns whether the submitter is there, as far as that is known
   */
  async sendOnce(to: Addressee, bytes: Uint8Array): Promise<boolean> {
    if (bytes.length > PART) return this.send(to, bytes);
    this.#connection().publish(resultsOf(to.submitter, to.parcel), bytes);
    return true;
  }

  /** Tells the submitter something about its parcel. @returns its reply; `undefined` if it has gone */
  async tell(to: Addressee, telling: string): Promise<string | undefined> {
    return this.#request(to, new Uint8Array(), [HEADERS.telling, telling]);
  }

  async #request(
    to: Addressee,
    bytes: Uint8Array,
    header?: readonly [string, string],
  ): Promise<string | undefined> {
    const session = nameOf(to);
    const head = header === undefined ? {} : { headers: headersOf(header) };
    let absentSince = 0;
    for (;;) {
      try {
        const reply = await this.#connection().request(resultsOf(to.submitter, to.parcel), bytes, {
          timeout: this.#waits.receiptMs,
          ...head,
        });
        this.#absent.delete(session);
        this.#gone.delete(session);
        return reply.string();
      } catch (error) {
        // A submitter whose event loop is blocked still listens but does not reply, so the worker waits for
        // it.
        if (this.#connection().isClosed()) return undefined;
        if (!isUnheard(error)) absentSince = 0;
        else if (this.#gone.has(session)) return undefined;
        else {
          absentSince ||= performance.now();
          this.#absent.add(session);
          if (performance.now() - absentSince > this.#waits.holdMs) {
            if (this.#gone.size >= KEPT) {
              this.#gone.clear();
              this.#absent.clear();
            }
            this.#gone.add(session);
            return undefined;
          }
        }
        await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
}
