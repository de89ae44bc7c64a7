// A worker: takes parcels of its pool from the server's queue, compiles their jobs, answers, and acknowledges
// a parcel only after the submitter has confirmed the answer. A parcel that is not acknowledged is handed out
// again.

import { randomBytes } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import { capabilities, type PtxCompilerOptions } from "@mm-ptx/cuda";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { connectionError, isHere, isUnheard, linkProblem, openConnection } from "../connection.js";
import { FarmError } from "../error.js";
import { aheadOf, DECLARE, directOf, inboxOf, isParcelName, placesIn, STATUS } from "../names.js";
import { checkServer, hostToken, type ServerOptions } from "../options.js";
import { knownPool } from "../pool/canary.js";
import type { WorkerStatus } from "../status/status.js";
import { Answering } from "./answering.js";
import { type Addressee, Answers, WAITS, type Waits } from "./answers.js";
import { WorkerBlobs } from "./blobs.js";
import { Puller, type Queued } from "./pull.js";
import { Ended } from "./running.js";
import { openBackend, Tenants } from "./tenants.js";
import { ParcelWork } from "./work.js";

/** Options of a worker. */
export interface WorkerOptions extends ServerOptions {
  /** The number of concurrent compiles. Default: the number of cores. */
  readonly workers?: number;
  /**
   * Whether compile processes have to give up files, the network and other processes. Default: `required`; with `false`,
   * submitters must be trusted.
   */
  readonly confine?: "required" | "auto" | false;
  readonly memoryLimitBytes?: number;
  /**
   * How long a job may compile, in milliseconds: jobs with a longer limit, or with none, fail with `TIMEOUT` after
   * this time. 0: as long as their submitter allows, which must then be trusted. Default: 60,000.
   */
  readonly timeoutLimitMs?: number;
  readonly cache?: PtxCompilerOptions["cache"];
  /** For tests. */
  readonly waits?: Partial<Waits>;
  /** For tests. Default: what the compiler makes of fixed kernels decides. */
  readonly pool?: string;
}

/** Whoever submits jobs can't keep a core for longer than this with each of them. */
const TIMEOUT_LIMIT_MS = 60_000;
/** A pull request for the next parcel expires after this time, which is how soon a worker notices a lost queue. */
const PULL_MS = 2_000;
const PAUSE_MS = 250;
/** More often than the server's `ack_wait` by far. */
const WORKING_MS = 1_000;
/** How long a worker that ends waits for submitters whose parcels it has not finished. */
const RETURN_MS = 1_000;
/** Jobs for each core that a worker has when it takes another parcel. */
const AHEAD = 2;
/**
 * How long each core has work when it takes another parcel: longer than the next parcel takes to arrive, counting jobs that are done
 * but have not been reported yet.
 */
const AHEAD_MS = 40;
/** Jobs do not wait for cores that have been at the same ones for this long, because nobody knows how long those will take. */
const STILL_MS = 20;
/** Parcels that a worker has, including those whose answer has not been receipted. */
const MOST_HELD = 16;

export class Worker {
  readonly id: string;
  readonly pool: string;
  readonly #version: string;
  readonly #servers: readonly string[];
  readonly #tenants: Tenants;
  readonly #connection: NatsConnection;
  readonly #answers: Answers;
  readonly #work: ParcelWork;
  readonly #answering: Answering;
  readonly #cores: number;
  readonly #confined: boolean;
  readonly #started = performance.now();
  readonly #counts = { parcels: 0, redelivered: 0, abandoned: 0 };
  readonly #open = new Set<Promise<void>>();
  readonly #held = new Set<Queued>();
  #isDraining = false;
  #puller: Puller | undefined;
  #loop: Promise<void> = Promise.resolve();
  #room = (): void => {};
  #drained: Promise<void> | undefined;

  private constructor(
    connection: NatsConnection,
    tenants: Tenants,
    id: string,
    pool: string,
    version: string,
    options: WorkerOptions,
  ) {
    this.#connection = connection;
    this.#tenants = tenants;
    this.#version = version;
    this.#servers = [options.servers].flat();
    this.id = id;
    this.pool = pool;
    this.#cores = options.workers ?? availableParallelism();
    const { confine = "required" } = options;
    this.#confined = confine === "required" || (confine === "auto" && capabilities().confinement.available);
    const { timeoutLimitMs = TIMEOUT_LIMIT_MS } = options;
    const waits = { ...WAITS, ...options.waits };
    this.#answers = new Answers(() => this.#connection, waits);
    const blobs = new WorkerBlobs(() => this.#connection);
    this.#work = new ParcelWork(tenants, blobs, this.#cores, timeoutLimitMs, () => this.#room());
    this.#answering = new Answering(id, this.#answers, blobs, this.#work, {
      askMs: waits.askMs,
      deflates: !isHere(this.#servers),
    });
  }

  /**
   * Opens the compiler, connects, and takes parcels from then on.
   *
   * @throws FarmError `INVALID_ARGUMENT`, `NO_COMPILER`, `UNREACHABLE`, `DENIED`, `NOT_A_FARM`
   */
  static async start(options: WorkerOptions): Promise<Worker> {
    const { servers, key, ca, workers, confine = "required", memoryLimitBytes, cache = true } = options;
    checkServer(
      { servers, ...(key === undefined ? {} : { key }), ...(ca === undefined ? {} : { ca }) },
      "worker",
    );
    const [found, backend] = openBackend({
      arch: "sm_90",
      confine,
      cache,
      ...(workers === undefined ? {} : { workers }),
      ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }),
    });
    try {
      const pool = options.pool ?? (await knownPool(backend)).pool;
      const id = `${hostToken()}-${randomBytes(3).toString("hex")}`;
      const addresses = typeof servers === "string" ? [servers] : servers;
      const connection = await openConnection(
        { servers: addresses, key, ca },
        `worker ${id}`,
        inboxOf("worker", id),
      );
      const worker = new Worker(connection, new Tenants(found), id, pool, backend.version, options);
      try {
        await worker.#join();
      } catch (error) {
        await connection.close();
        throw error;
      }
      return worker;
    } finally {
      backend.close();
    }
  }

  /** Resolves when the connection is closed for good. @throws FarmError `DENIED` if the server rejects the key from now on */
  async closed(): Promise<void> {
    const error = await this.#connection.closed();
    if (error instanceof Error) throw connectionError(error, this.#servers);
  }

  status(): WorkerStatus {
    const { jobs, failed, cached, milliseconds, busy } = this.#work;
    return {
      kind: "worker",
      id: this.id,
      host: hostname(),
      pool: this.pool,
      version: this.#version,
      cores: this.#cores,
      confined: this.#confined,
      draining: this.#isDraining,
      busy,
      jobs,
      failed,
      cached,
      milliseconds: Math.round(milliseconds),
      crashes: this.#tenants.crashes,
      seconds: Math.round((performance.now() - this.#started) / 1000),
      refused: this.#answering.refused,
      ...this.#counts,
    };
  }

  /** Why it takes no jobs at this moment. */
  async problem(): Promise<string | undefined> {
    return this.#isDraining ? "draining" : linkProblem(this.#connection);
  }

  /**
   * Takes no more parcels, finishes those that it has, and closes. After `drainMs` it has the rest sent again,
   * to other workers. You can call it more than once.
   */
  async drain(drainMs = 30_000): Promise<void> {
    this.#drained ??= this.#drain(drainMs);
    await this.#drained;
  }

  async #drain(drainMs: number): Promise<void> {
    this.#isDraining = true;
    this.#room();
    void this.#puller?.end();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, drainMs);
    });
    await Promise.race([late, this.#loop.then(() => Promise.all(this.#open))]);
    clearTimeout(timer);
    // Without a connection, the server hands out again what was not acknowledged.
    if (!this.#connection.isClosed()) {
      await Promise.all(Array.from(this.#held, (message) => this.#return(message)));
      await this.#connection.drain().catch(() => this.#connection.close());
    }
    this.#tenants.close();
  }

  /**
   * Has the submitter send a parcel again, because the queue would count this delivery as a death. If the submitter does
   * not answer, the queue hands the parcel out again when its time is over.
   */
  async #return(message: Queued): Promise<void> {
    const to = { submitter: message.submitter, parcel: message.parcel! };
    const late = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), RETURN_MS).unref();
    });
    const told = await Promise.race([this.#answers.tell(to, "returned"), late]);
    if (told !== undefined) message.term("its worker has ended");
  }

  async #join(): Promise<void> {
    await this.#declare();
    const reply = () => JSON.stringify(this.status());
    this.#connection.subscribe(STATUS, { callback: (_, message) => void message.respond(reply()) });
    for (const subject of [directOf, aheadOf])
      this.#connection.subscribe(subject(this.id, "*", "*.*"), {
        callback: (_, message) => this.#direct(message, subject === aheadOf),
      });
    this.#puller = new Puller(this.#connection, this.pool, inboxOf("worker", this.id), PULL_MS);
    this.#loop = this.#take(this.#puller);
  }

  /** Has the pool's consumer made. @throws FarmError `NOT_A_FARM`, `DENIED` */
  async #declare(): Promise<void> {
    try {
      const reply = await this.#connection.request(DECLARE, this.pool, { timeout: 10_000 });
      if (reply.string() !== "") throw new FarmError("NOT_A_FARM", reply.string());
    } catch (cause) {
      if (cause instanceof FarmError) throw cause;
      const found = isUnheard(cause) ? "a server without it" : (cause as Error).message;
      throw new FarmError("NOT_A_FARM", `expected \`mm-ptx-farm serve\` at the server, found ${found}`, {
        cause,
      });
    }
  }

  get #isBusy(): boolean {
    const { busy, left } = this.#work;
    if (this.#held.size >= MOST_HELD) return true;
    return busy >= AHEAD * this.#cores && left >= AHEAD_MS * this.#cores;
  }

  async #take(puller: Puller): Promise<void> {
    while (!this.#isDraining) {
      if (this.#isBusy) {
        await new Promise<void>((resolve) => {
          this.#room = resolve;
        });
        continue;
      }
      try {
        const message = await puller.next();
        if (message === undefined) continue;
        this.#keepOpen(this.#handle(message));
      } catch {
        if (this.#isDraining || this.#connection.isClosed()) return;
        await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
        // The queue may be a new one, which does not have its consumers yet.
        await this.#declare().catch(() => {});
      }
    }
  }

  /**
   * Takes a parcel that does not come from the queue, or says whether it has it.
   *
   * @param mayWait whether the parcel may wait for a core
   */
  #direct(message: Msg, mayWait: boolean): void {
    const { submitter, parcel } = placesIn(message.subject);
    const to = { submitter, parcel };
    if (this.#answering.hasAnswered(to)) this.#answer(to, message.data);
    else if (this.#answering.running(to) !== undefined)
      message.respond(this.#keeps(to, mayWait) ? "yes" : "no");
    else if (message.data.length > 0 && isParcelName(parcel) && this.#takes(mayWait)) {
      this.#counts.parcels++;
      // A copy, because the connection owns the memory.
      this.#answer(to, new Uint8Array(message.data));
    } else message.respond("no");
  }

  /** Whether it goes on with a parcel, which it otherwise gives up. */
  #keeps(to: Addressee, mayWait: boolean): boolean {
    const running = this.#answering.running(to)!;
    if (mayWait || running.hasBegun()) return true;
    running.end(new Ended(false));
    return false;
  }

  #takes(mayWait: boolean): boolean {
    if (this.#isDraining) return false;
    if (this.#work.hasIdleCore) return true;
    return mayWait && !this.#isBusy && this.#work.stillMs < STILL_MS;
  }

  /** Answers a parcel that did not come from the queue. */
  #answer(to: Addressee, bytes: Uint8Array): void {
    const had = { deliveries: 1, since: performance.now(), isQueued: false };
    const answered = this.#answering.answer(to, bytes, had).then((isThere) => {
      if (!isThere) this.#counts.abandoned++;
    });
    this.#keepOpen(answered);
  }

  #keepOpen(work: Promise<unknown>): void {
    const handled = work.then(() => {}).catch(() => {});
    this.#open.add(handled);
    void handled.finally(() => this.#open.delete(handled));
  }

  async #handle(message: Queued): Promise<void> {
    const { data, pool, submitter, parcel, deliveries } = message;
    // A message without content only asks for its number in the queue.
    if (data.length === 0 || !isParcelName(parcel) || pool !== this.pool) {
      message.term("not a parcel");
      return;
    }
    const had = { deliveries, since: performance.now(), isQueued: true };
    this.#held.add(message);
    const beat = setInterval(() => message.working(), WORKING_MS);
    try {
      this.#counts.parcels++;
      if (deliveries > 1) this.#counts.redelivered++;
      if (await this.#answering.answer({ submitter, parcel }, data, had)) message.ack();
      else {
        this.#counts.abandoned++;
        message.term("its submitter has gone");
      }
    } finally {
      clearInterval(beat);
      this.#held.delete(message);
      this.#room();
    }
  }
}
