// Declares the queue of a farm: the stream of jobs, and a consumer for each pool. Only the server's own process does this.

import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import {
  consumerOf,
  DECLARE,
  EXHAUSTED,
  HEADERS,
  isParcelName,
  isToken,
  JOBS,
  jobsOfPool,
  placesIn,
  STREAM,
} from "../names.js";
import { Answers } from "../worker/answers.js";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

const STREAM_CONFIG = {
  subjects: [JOBS],
  retention: RetentionPolicy.Workqueue,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  num_replicas: 1,
  // Equal limits make the queue fair: a submitter with much work waits, and not the one that comes later.
  max_msgs_per_subject: 64,
  discard_new_per_subject: true,
  max_msg_size: 768 * 2 ** 10,
  max_bytes: 4 * 2 ** 30,
  max_age: nanos(HOUR_MS),
  duplicate_window: nanos(100),
};

/** How long the server waits for a sign of life before it hands a parcel out again. */
const ACK_WAIT_MS = 3 * SECOND_MS;
const MOST_DELIVERIES = 4;

/** The queue of a server that this process runs. */
export class Queue {
  readonly #connection: NatsConnection;
  readonly #pools = new Set<string>();
  readonly #answers: Answers;
  #manager: JetStreamManager | undefined;

  private constructor(connection: NatsConnection) {
    this.#connection = connection;
    this.#answers = new Answers(() => connection);
  }

  /** Declares the stream, and the consumer of each pool when its first worker asks. */
  static async open(connection: NatsConnection): Promise<Queue> {
    const queue = new Queue(connection);
    await queue.#declareStream();
    connection.subscribe(DECLARE, {
      callback: (_, message) => {
        queue.#declare(message.string()).then(
          () => message.respond(""),
          (error: Error) => message.respond(`the server could not declare the pool: ${error.message}`),
        );
      },
    });
    connection.subscribe(EXHAUSTED, {
      callback: (_, message) => {
        queue.#exhausted(message.json<{ readonly stream_seq?: number }>().stream_seq).catch(() => {});
      },
    });
    void queue.#watch();
    return queue;
  }

  /** The pools that have had workers. */
  get pools(): readonly string[] {
    return [...this.#pools].sort();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      // The store may be another one after a restart.
      if (type === "reconnect") await this.#declareAll().catch(() => {});
    }
  }

  async #declareAll(): Promise<void> {
    await this.#declareStream();
    for (const pool of this.#pools) await this.#declare(pool);
  }

  async #declareStream(): Promise<void> {
    const { streams } = await this.#jetstream();
    try {
      await streams.add({ name: STREAM, ...STREAM_CONFIG });
    } catch {
      // It is there, from an earlier version or with other limits.
      await streams.update(STREAM, STREAM_CONFIG);
    }
  }

  async #declare(pool: string): Promise<void> {
    if (!isToken(pool)) throw new Error("expected the name of a pool, found something else");
    const { consumers, streams } = await this.#jetstream();
    if (!(await this.#hasStream(streams))) await this.#declareStream();
    await consumers.add(STREAM, {
      durable_name: consumerOf(pool),
      filter_subject: jobsOfPool(pool),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_deliver: MOST_DELIVERIES,
      max_ack_pending: 10_000,
    });
    this.#pools.add(pool);
  }

  async #hasStream(streams: JetStreamManager["streams"]): Promise<boolean> {
    return streams.info(STREAM).then(
      () => true,
      () => false,
    );
  }

  /** Tells the submitter of a parcel that no worker has finished it, and then removes it. */
  async #exhausted(seq: number | undefined): Promise<void> {
    if (seq === undefined) return;
    const { streams } = await this.#jetstream();
    const message = await streams.getMessage(STREAM, { seq });
    const parcel = message?.header.get(HEADERS.parcel);
    if (message !== null && isParcelName(parcel))
      await this.#answers.tell({ submitter: placesIn(message.subject).submitter, parcel }, "exhausted");
    await streams.deleteMessage(STREAM, seq);
  }

  async #jetstream(): Promise<JetStreamManager> {
    this.#manager ??= await jetstreamManager(this.#connection, { checkAPI: false });
    return this.#manager;
  }
}
