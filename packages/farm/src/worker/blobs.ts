// Setups and large parcels, which a worker asks their submitter for and keeps while there is room.

import { hash } from "node:crypto";
import type { NatsConnection } from "@nats-io/transport-node";
import { wrong } from "../frames/frame.js";
import type { Blob } from "../frames/parcel.js";
import { BLOB_PART } from "../front/link.js";
import { blobOf } from "../names.js";
import { type Addressee, sessionOf } from "./answers.js";

const KEPT_BYTES = 128 * 2 ** 20;
const PART_MS = 5_000;
const TRIES = 3;

/** Each submitter's are kept apart, so that nobody learns from a hash what another one has. */
const keyOf = ({ submitter }: Addressee, { hash }: Blob): string => `${submitter} ${hash}`;

export class WorkerBlobs {
  readonly #connection: () => NatsConnection;
  readonly #kept = new Map<string, Uint8Array>();
  readonly #asked = new Map<string, Promise<Uint8Array>>();
  #bytes = 0;

  constructor(connection: () => NatsConnection) {
    this.#connection = connection;
  }

  /** @throws FarmError `FRAME` if the submitter sends something else, Error if it sends nothing */
  async get(from: Addressee, blob: Blob): Promise<Uint8Array> {
    const key = keyOf(from, blob);
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = this.#ask(from, blob).finally(() => this.#asked.delete(key));
      this.#asked.set(key, asked);
    }
    return asked;
  }

  async #ask(from: Addressee, blob: Blob): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let part = 0; part * BLOB_PART < blob.bytes; part++)
      parts.push(await this.#part(blobOf(from.submitter, sessionOf(from), blob.hash, part)));
    const bytes = Buffer.concat(parts);
    const found = hash("sha256", bytes);
    if (found !== blob.hash) throw wrong(`bytes with SHA-256 ${blob.hash}`, found);
    this.#keep(keyOf(from, blob), bytes);
    return bytes;
  }

  async #part(subject: string): Promise<Uint8Array> {
    for (let tries = 1; ; tries++) {
      try {
        const { data } = await this.#connection().request(subject, "", { timeout: PART_MS });
        return Buffer.from(data);
      } catch (error) {
        if (tries === TRIES) throw error;
        await new Promise<void>((resolve) => setTimeout(resolve, 100 * tries));
      }
    }
  }

  #keep(key: string, bytes: Uint8Array): void {
    this.#kept.set(key, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= KEPT_BYTES || oldest === key) break;
      this.#kept.delete(oldest);
      this.#bytes -= length;
    }
  }
}
