// Parcels from the server's queue. The client library subscribes, watches the connection and unsubscribes for each message that is
// asked for, which costs a worker and the server more than the message itself.

import { type Msg, type NatsConnection, nanos, type Subscription } from "@nats-io/transport-node";
import { consumerOf, HEADERS, placesIn, STREAM } from "../names.js";

/** The server answers a request in time, or it has lost the request. */
const LATE_MS = 1_000;
const LATE = "expected a message or a status from the queue, found neither";
/** The statuses with which the server says that it had no message. */
const NOTHING = [404, 408];
/** It says regularly that a request is still waiting. */
const WAITING = 100;

/** A message of the queue, which is handed out again until it is acknowledged. */
export class Queued {
  readonly data: Uint8Array;
  readonly pool: string;
  readonly submitter: string;
  /** The session and number of its parcel, as its sender says. */
  readonly parcel: string | undefined;
  /** How often the server has handed it out, this time included. */
  readonly deliveries: number;
  readonly #message: Msg;

  constructor(message: Msg) {
    this.#message = message;
    this.data = message.data;
    const { pool, submitter } = placesIn(message.subject);
    this.pool = pool;
    this.submitter = submitter;
    this.parcel = message.headers?.get(HEADERS.parcel);
    // $JS.ACK.<stream>.<consumer>.<deliveries>…, or with a domain and an account: $JS.ACK.<domain>.<account>.<stream>…
    const tokens = message.reply!.split(".");
    this.deliveries = Number(tokens[tokens.length === 9 ? 4 : 6]);
  }

  ack(): void {
    this.#message.respond("+ACK");
  }

  /** Says that the worker still has it. */
  working(): void {
    this.#message.respond("+WPI");
  }

  /** Has the server remove it, although it is not done. */
  term(reason: string): void {
    this.#message.respond(`+TERM ${reason}`);
  }
}

interface Waiting {
  readonly take: (message: Queued | undefined) => void;
  readonly fail: (error: Error) => void;
}

export class Puller {
  readonly #connection: NatsConnection;
  readonly #subject: string;
  readonly #inbox: string;
  readonly #request: string;
  readonly #expiresMs: number;
  readonly #subscription: Subscription;
  /** Messages that came after their request was given up. */
  readonly #early: Queued[] = [];
  #waiting: Waiting | undefined;
  #turn = 0;

  /**
   * @param inbox the prefix of subjects for replies
   * @param expiresMs how long a request waits for a message
   */
  constructor(connection: NatsConnection, pool: string, inbox: string, expiresMs: number) {
    this.#connection = connection;
    this.#subject = `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${consumerOf(pool)}`;
    this.#inbox = `${inbox}.pull`;
    this.#request = JSON.stringify({ batch: 1, expires: nanos(expiresMs) });
    this.#expiresMs = expiresMs;
    this.#subscription = connection.subscribe(`${this.#inbox}.*`, {
      callback: (_, message) => this.#received(message),
    });
    void this.#watch();
  }

  /**
   * The next message; `undefined` if none has come in time. It is asked for once at a time.
   *
   * @throws Error if there is no queue, or no answer
   */
  async next(): Promise<Queued | undefined> {
    const early = this.#early.shift();
    if (early !== undefined) return early;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Queued | undefined>((take, fail) => {
        this.#waiting = { take, fail };
        timer = setTimeout(() => this.#settled()?.fail(new Error(LATE)), this.#expiresMs + LATE_MS);
        const reply = `${this.#inbox}.${++this.#turn}`;
        this.#connection.publish(this.#subject, this.#request, { reply });
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whoever waits gets nothing more, but for a message that the server has already sent. */
  async end(): Promise<void> {
    // It fails without a connection, and then no message comes either.
    await this.#subscription.drain().catch(() => {});
    this.#settled()?.take(undefined);
  }

  /** Whoever waits; a message that comes from now on is for the next one. */
  #settled(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  #received(message: Msg): void {
    if (!message.subject.startsWith(this.#inbox)) {
      const queued = new Queued(message);
      const waiting = this.#settled();
      if (waiting === undefined) this.#early.push(queued);
      else waiting.take(queued);
      return;
    }
    const { code = 0, description = "" } = message.headers ?? {};
    // What an earlier request has met does not concern this one.
    if (message.subject !== `${this.#inbox}.${this.#turn}` || code === WAITING) return;
    if (NOTHING.includes(code)) this.#settled()?.take(undefined);
    else this.#settled()?.fail(new Error(`expected a queue, found status ${code} ${description}`));
  }

  async #watch(): Promise<void> {
    // The server does not know requests of an earlier connection.
    for await (const { type } of this.#connection.status())
      if (type === "reconnect") this.#settled()?.take(undefined);
    this.#settled()?.fail(new Error("the connection is closed"));
  }
}
