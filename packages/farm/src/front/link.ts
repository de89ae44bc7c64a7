// The submitter's side of the connection: publishes parcels, receives answers, serves blobs, and knows which workers there are.

import { randomBytes } from "node:crypto";
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { headers, type Msg, type MsgHdrs, type NatsConnection } from "@nats-io/transport-node";
import { connectionError, openConnection } from "../connection.js";
import { FarmError } from "../error.js";
import {
  aheadOf,
  consumerOf,
  directOf,
  HEADERS,
  inboxOf,
  jobsOf,
  resultsOf,
  STATUS,
  STREAM,
  SUBMITTERS,
} from "../names.js";
import type { ResolvedFarm } from "../options.js";
import { isWorkerStatus, type SubmitterStatus, type WorkerStatus } from "../status/status.js";
import type { OpenParcel } from "./parcels.js";
import type { PoolChoice } from "./pools.js";

/**
 * Whether a worker has a parcel without the queue: a worker says `yes` only when it is asked, and `no` if it has not taken the
 * parcel or has given it up; the server says `gone` if nobody listens.
 */
export type Reply = "yes" | "no" | "gone";

/** What the link tells the front. */
export interface LinkEvents {
  /** The link is up: it has reached the server, and the workers of the pool will answer. */
  up(): void;
  down(problem: FarmError | undefined): void;
  /**
   * A message about a parcel: an answer or a part of one, or which job the worker is compiling. @returns the
   * reply to the worker
   */
  message(parcel: number, message: Msg): string;
  /** What a worker says about a parcel without the queue: see `Reply`. */
  replied(parcel: number, reply: Reply): void;
  /**
   * All jobs in the queue may be lost: the queue was created again, or this process was away longer than
   * workers keep answers.
   */
  lost(): void;
  /** Regularly, and when the known workers have changed. */
  tick(): void;
  /** Whether a worker's answers are not used. */
  isLeftOut(worker: string): boolean;
  blob(hash: string): Uint8Array | undefined;
  status(): SubmitterStatus;
}

const RETRY_MS = 1_000;
const TICK_MS = 1_000;
/** A worker that has not answered for this long is not counted. */
const SILENT_MS = 6_000;
/** Workers keep answers for a submitter that is away longer than this: see `holdMs` of the worker. */
const AWAY_MS = 8_000;
const PUBLISH_MS = 2_500;
const PROBE_MS = 250;
const NO_RESPONDERS = 503;
const NOTHING = new Uint8Array();
/** Bytes of a blob in one message. */
export const BLOB_PART = 512 * 2 ** 10;

export class Link {
  readonly session = randomBytes(8).toString("hex");
  /** The prefix of the subjects for replies about parcels without the queue. */
  readonly #direct: string;
  /** The subject for the workers' replies about themselves. */
  readonly #statuses: string;
  readonly #farm: ResolvedFarm;
  readonly #events: LinkEvents;
  readonly #workers = new Map<string, { readonly status: WorkerStatus; readonly heard: number }>();
  readonly #choice: PoolChoice;
  #connection: NatsConnection | undefined;
  #stream: JetStreamClient | undefined;
  #manager: JetStreamManager | undefined;
  /** When the queue that this link uses was created. */
  #created: { readonly pool: string; readonly at: string } | undefined;
  /** Replies to workers, which are sent when the callers who wait for the jobs have gone on. */
  readonly #replies: (() => void)[] = [];
  /** Counts reconnects. */
  #turn = 0;
  #isUp = false;
  #isClosed = false;
  #heard = 0;
  /** The last number that the server's queue has given to a message of this link. */
  #lastSeq = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(farm: ResolvedFarm, choice: PoolChoice, events: LinkEvents) {
    this.#farm = farm;
    const inbox = `${inboxOf("submitter", farm.submitter)}.${this.session}`;
    this.#direct = `${inbox}.direct`;
    this.#statuses = `${inbox}.status`;
    this.#choice = choice;
    this.#events = events;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** The cores of the pool's workers. */
  get slots(): number {
    let slots = 0;
    for (const { status } of this.#living()) if (status.pool === this.#choice.current) slots += status.cores;
    return slots;
  }

  /** The number of the pool's workers. */
  get workers(): number {
    let workers = 0;
    for (const { status } of this.#living()) if (status.pool === this.#choice.current) workers++;
    return workers;
  }

  /** The pool's workers, with their cores. */
  *members(): Generator<{ readonly id: string; readonly cores: number }> {
    for (const { status } of this.#living()) if (status.pool === this.#choice.current) yield status;
  }

  /** The pools that have workers. */
  get pools(): readonly string[] {
    return [...new Set([...this.#living()].map(({ status }) => status.pool))].sort();
  }

  get pool(): string | undefined {
    return this.#choice.current;
  }

  /** Notes that nobody listens for a worker, which counts again as soon as it says how it is. */
  gone(worker: string): void {
    if (this.#workers.delete(worker)) this.#count();
  }

  /** Connects, as often as it takes. */
  async start(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#choice.open();
        await this.#connect();
        return;
      } catch (error) {
        const problem = error instanceof FarmError ? error : new FarmError("UNREACHABLE", String(error));
        if (!this.#isClosed) this.#events.down(problem);
      }
      await new Promise<void>((resolve) => {
        this.#timer = setTimeout(resolve, RETRY_MS);
      });
    }
  }

  /** Puts a parcel into the server's queue. */
  async publish({ id, pool }: OpenParcel, frame: Uint8Array): Promise<void> {
    if (this.#stream === undefined) throw new FarmError("UNREACHABLE", "expected a connection, found none");
    if (this.#created?.pool !== pool) this.#created = { pool, at: await this.#queueCreated(pool) };
    await this.#put(pool, id, frame);
  }

  /**
   * Sends a parcel to a worker without the queue, or without a frame asks the worker whether it has it.
   *
   * @param mayWait whether the parcel may wait for one of the worker's cores
   */
  offer({ id }: OpenParcel, worker: string, mayWait: boolean, frame: Uint8Array = NOTHING): void {
    const subject = (mayWait ? aheadOf : directOf)(worker, this.#farm.submitter, this.#nameOf(id));
    const connection = this.#connection;
    if (connection?.isClosed() === false)
      connection.publish(subject, frame, { reply: `${this.#direct}.${id}` });
  }

  #head(id: number): MsgHdrs {
    const head = headers();
    head.set(HEADERS.parcel, this.#nameOf(id));
    return head;
  }

  #nameOf(id: number): string {
    return `${this.session}.${id}`;
  }

  /** @returns the number of the message in the queue */
  async #put(pool: string, id: number, frame: Uint8Array): Promise<number> {
    const options = { headers: this.#head(id), timeout: PUBLISH_MS };
    const { seq } = await this.#stream!.publish(jobsOf(pool, this.#farm.submitter), frame, options);
    this.#heard = performance.now();
    this.#lastSeq = seq;
    return seq;
  }

  close(): void {
    this.#isClosed = true;
    this.#isUp = false;
    clearTimeout(this.#timer);
    clearInterval(this.#timer);
    this.#sendReplies();
    const connection = this.#connection;
    this.#connection = undefined;
    this.#stream = undefined;
    // After the replies, which leave in the next microtask.
    queueMicrotask(() => void connection?.close().catch(() => {}));
  }

  async #connect(): Promise<void> {
    const { submitter } = this.#farm;
    const inbox = inboxOf("submitter", submitter);
    const connection = await openConnection(this.#farm, `submitter ${submitter}`, inbox);
    if (this.#isClosed) {
      await connection.close();
      return;
    }
    this.#connection = connection;
    this.#stream = jetstream(connection, { checkAPI: false });
    this.#manager = await jetstreamManager(connection, { checkAPI: false });
    connection.subscribe(resultsOf(submitter, `${this.session}.*`), {
      callback: (_, message) => this.#received(message),
    });
    connection.subscribe(`mm.blob.${submitter}.${this.session}.>`, {
      callback: (_, message) => this.#asked(message),
    });
    connection.subscribe(`${this.#direct}.*`, { callback: (_, message) => this.#replied(message) });
    connection.subscribe(this.#statuses, { callback: (_, message) => this.#counted(message) });
    connection.subscribe(SUBMITTERS, {
      callback: (_, message) => void message.respond(JSON.stringify(this.#events.status())),
    });
    this.#heard = performance.now();
    void this.#watch(connection);
    void connection.closed().then((error) => this.#ended(connection, error ?? undefined));
    const tick = (): void => {
      this.#follow();
      this.#count();
      this.#events.tick();
    };
    this.#timer = setInterval(tick, TICK_MS);
    this.#isUp = true;
    this.#events.up();
    tick();
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (this.#isClosed) return;
      if (status.type === "disconnect") {
        this.#isUp = false;
        this.#events.down(undefined);
      } else if (status.type === "reconnect") void this.#returned(connection);
    }
  }

  /** Connects again after the server has rejected the key, which ends a connection for good. */
  async #ended(connection: NatsConnection, error: Error | undefined): Promise<void> {
    if (this.#connection !== connection) return;
    this.#isUp = false;
    clearInterval(this.#timer);
    this.#events.down(error && connectionError(error, this.#farm.servers));
    await this.start();
    if (this.#isUp) this.#events.lost();
  }

  /** Finds out after a reconnect whether the queue still has what this link has put there. */
  async #returned(connection: NatsConnection): Promise<void> {
    const away = performance.now() - this.#heard;
    const turn = ++this.#turn;
    const isNew = await this.#isNewQueue(() => turn === this.#turn && !connection.isClosed());
    if (turn !== this.#turn || this.#isClosed) return;
    this.#isUp = true;
    if (isNew) this.#events.lost();
    else if (away > AWAY_MS) this.#events.lost();
    this.#events.up();
  }

  /** @param isNeeded whether the connection is still the one that is asked about */
  async #isNewQueue(isNeeded: () => boolean): Promise<boolean> {
    const [created, last] = [this.#created, this.#lastSeq];
    // Nothing has been put there.
    if (created === undefined) return false;
    while (isNeeded()) {
      try {
        const { pool } = created;
        this.#created = { pool, at: await this.#queueCreated(pool) };
        if (this.#created.at !== created.at) return true;
        // The same queue may have lost its end with the power of its machine.
        return (await this.#put(pool, 0, new Uint8Array())) <= last;
      } catch (error) {
        // A queue that has as many parcels of this submitter as it keeps has not lost them.
        if (isFull(error)) return false;
      }
      // The server's own process declares the queue again.
      await new Promise<void>((resolve) => setTimeout(resolve, PROBE_MS));
    }
    return false;
  }

  /** When the pool's consumer was made, which is another time if the queue is another one. */
  async #queueCreated(pool: string): Promise<string> {
    return (await this.#manager!.consumers.info(STREAM, consumerOf(pool))).created;
  }

  #received(message: Msg): void {
    this.#heard = performance.now();
    const reply = this.#events.message(numberOf(message), message);
    // Answers of parcels without the queue need no receipt.
    if (message.reply === "") return;
    if (this.#replies.push(() => message.respond(reply)) === 1) setImmediate(() => this.#sendReplies());
  }

  #replied(message: Msg): void {
    const isGone = message.data.length === 0 && message.headers?.code === NO_RESPONDERS;
    this.#events.replied(numberOf(message), isGone ? "gone" : message.string() === "yes" ? "yes" : "no");
  }

  #sendReplies(): void {
    const replies = this.#replies.splice(0);
    if (this.#connection?.isClosed() === false) for (const send of replies) send();
  }

  #asked(message: Msg): void {
    const [, , , , hash = "", part = ""] = message.subject.split(".");
    const bytes = this.#events.blob(hash);
    const from = Number(part) * BLOB_PART;
    // An empty reply says that this link no longer has it.
    message.respond(bytes?.subarray(from, from + BLOB_PART) ?? new Uint8Array());
  }

  /** Asks all workers how they are. */
  #count(): void {
    if (this.#isUp) this.#connection?.publish(STATUS, "", { reply: this.#statuses });
  }

  #counted(message: Msg): void {
    this.#heard = performance.now();
    try {
      const status = message.json<unknown>();
      if (!isWorkerStatus(status)) return;
      const isNew = !this.#workers.has(status.id);
      this.#workers.set(status.id, { status, heard: this.#heard });
      if (isNew) {
        this.#follow();
        this.#events.tick();
      }
    } catch {
      // Not from a worker.
    }
  }

  #follow(): void {
    this.#choice.follow(Array.from(this.#living(), ({ status }) => status));
  }

  *#living(): Generator<{ readonly status: WorkerStatus }> {
    const now = performance.now();
    for (const [id, worker] of this.#workers) {
      if (now - worker.heard > SILENT_MS) this.#workers.delete(id);
      else if (!worker.status.draining && !this.#events.isLeftOut(id)) yield worker;
    }
  }
}

/** The number of the parcel that a message is about. */
const numberOf = ({ subject }: Msg): number => Number(subject.slice(subject.lastIndexOf(".") + 1));

/** Whether the server refuses a parcel because it has as many of this submitter as it keeps. */
export const isFull = (error: unknown): boolean =>
  /maximum messages per subject/i.test((error as Error).message);
