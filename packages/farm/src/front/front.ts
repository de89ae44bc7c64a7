// The backend of a submitter: gives jobs to this machine's compiler and, in parcels, to the farm, and settles each job once.

import { PtxCompileError } from "@mm-ptx/cuda";
import type { Backend, BackendJob, BackendOutcome, BackendStats, resolveOptions } from "@mm-ptx/cuda/backend";
import type { Msg } from "@nats-io/transport-node";
import { isHere } from "../connection.js";
import type { FarmError } from "../error.js";
import { type Answer, decodeAnswer } from "../frames/outcomes.js";
import { encodeParcel, LONGEST_PTX } from "../frames/parcel.js";
import { HEADERS } from "../names.js";
import type { ResolvedFarm } from "../options.js";
import { CANARIES, poolOf, versionOf } from "../pool/canary.js";
import { Alone } from "./alone.js";
import { checkAnswer } from "./check.js";
import { Estimates } from "./estimates.js";
import { type FarmFigures, submitterStatus } from "./figures.js";
import { isFull, Link } from "./link.js";
import { LocalWork, openLocal } from "./local.js";
import { isDone, joinPart, type OpenParcel, openParcel } from "./parcels.js";
import { type Entry, JobQueue } from "./queue.js";
import { Blobs, measured, parcelOf } from "./sources.js";

type Options = ReturnType<typeof resolveOptions>;

/** The server's limit of parcels in the queue for one submitter. */
const MOST_OPEN = 64;
const PARCEL_BYTES = 256 * 2 ** 10;
/** The number of workers that have to die with a job, or to give wrong answers, until it fails. */
const MOST_DEATHS = 4;
/** How long parcels stay out while no worker is there, before this machine compiles them. */
const RESCUE_MS = 3_000;
const FULL_MS = 100;
/** The server keeps no parcel for longer than an hour. */
const FORGOTTEN_MS = 65 * 60_000;

export class Front implements Backend {
  readonly name: Backend["name"];
  readonly version: string;
  readonly identity: string | undefined;
  readonly #farm: ResolvedFarm;
  readonly #local: LocalWork | undefined;
  /** Whether this machine makes the machine code of the pool; `undefined` until that is known. */
  #fits: boolean | undefined;
  readonly #workers: number;
  readonly #link: Link;
  readonly #queue = new JobQueue();
  readonly #open = new Map<number, OpenParcel>();
  readonly #blobs = new Blobs();
  readonly #estimates = new Estimates();
  readonly #counts = { parcels: 0, remote: 0, repeated: 0, resubmitted: 0, wrong: 0, failed: 0 };
  /** Compiles of this machine that were not jobs. */
  #own = 0;
  #nextParcel = 1;
  #isStarted = false;
  #isPumping = false;
  #isClosed = false;
  #fullUntil = 0;
  readonly #alone: Alone;

  /** @throws PtxCompileError `UNAVAILABLE` */
  constructor(farm: ResolvedFarm, options: Options) {
    this.#farm = farm;
    this.#workers = options.workers;
    const local = openLocal(farm, options);
    this.#local =
      local &&
      new LocalWork(
        local,
        options.workers,
        (entry, outcome) => this.#settle(entry, outcome),
        () => this.#pumpSoon(),
      );
    this.#fits = farm.pool === undefined ? true : undefined;
    this.name = local?.name ?? "isolated";
    this.version = farm.pool === undefined ? local!.version : versionOf(farm.pool);
    this.identity = farm.pool === undefined ? undefined : `farm ${farm.pool}`;
    this.#link = new Link(farm, {
      up: () => this.#pumpSoon(),
      down: (problem) => this.#down(problem),
      message: (id, message) => this.#message(id, message),
      lost: () => this.#reclaimAll(),
      tick: () => this.#tick(),
      blob: (hash) => this.#blobs.get(hash),
      status: () => submitterStatus(farm.submitter, this.#queue.size, this.figures()),
    });
    this.#alone = new Alone(this.#link);
  }

  get window(): number {
    const parcels = this.#link.isUp ? this.#mostOpen : 0;
    return 16 * this.#workers + 2 * parcels * this.#estimates.usualSize;
  }

  start(job: BackendJob, done: (outcome: BackendOutcome) => void): () => void {
    const entry: Entry = { job, done, ...measured(job), settled: false, cancel: undefined, deaths: 0 };
    if (entry.bytes > LONGEST_PTX) this.#startLong(entry);
    else this.#queue.add(entry);
    if (!this.#isStarted) {
      this.#isStarted = true;
      void this.#link.start(() => this.#ownPool());
    }
    this.#pumpSoon();
    return () => {
      if (entry.settled) return;
      entry.settled = true;
      this.#queue.delete(entry);
      entry.cancel?.();
    };
  }

  run(job: BackendJob): BackendOutcome {
    if (this.#local !== undefined && this.#farm.local !== "never" && this.#fits === true)
      return this.#local.backend.run(job);
    throw new PtxCompileError(
      "UNAVAILABLE",
      "expected a compiler of this machine for a call that blocks, found one that leaves all jobs to a farm: use `compile`",
      { options: job.target, what: "farm" },
    );
  }

  stats(): BackendStats {
    const { remote, failed } = this.#counts;
    let out = 0;
    for (const { entries } of this.#open.values()) for (const { settled } of entries) if (!settled) out++;
    const local = this.#local?.backend.stats();
    return {
      queued: this.#queue.size + (local?.queued ?? 0),
      running: out + (local?.running ?? 0),
      compiled: remote - failed + (local?.compiled ?? 0) - this.#own,
      failed: failed + (local?.failed ?? 0),
      workersStarted: local?.workersStarted ?? 0,
      workersCrashed: local?.workersCrashed ?? 0,
      workersOutgrown: local?.workersOutgrown ?? 0,
      workersRecycled: local?.workersRecycled ?? 0,
      workerPeakBytes: local?.workerPeakBytes ?? 0,
    };
  }

  figures(): FarmFigures {
    const { failed: _, ...counts } = this.#counts;
    const { isUp, pool, slots } = this.#link;
    return { connected: isUp, pool, slots, open: this.#open.size, local: this.#local?.done ?? 0, ...counts };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#link.close();
    this.#queue.clear();
    this.#open.clear();
    this.#local?.backend.close();
  }

  async #ownPool(): Promise<string> {
    const { pool } = this.#farm;
    if (this.#local === undefined) return pool!;
    if (pool === undefined) return this.#testedPool(this.#local);
    if (this.#fits === undefined) {
      // A compiler that can't be tested does not help.
      this.#fits = await this.#testedPool(this.#local).then(
        (own) => own === pool,
        () => false,
      );
      this.#pumpSoon();
    }
    return pool;
  }

  async #testedPool({ backend }: LocalWork): Promise<string> {
    const pool = await poolOf(backend);
    this.#own = CANARIES;
    return pool;
  }

  /** The parcels that may be out at the same time. */
  get #mostOpen(): number {
    return Math.min(MOST_OPEN, 2 * this.#link.slots);
  }

  /** In the next turn, so that jobs that are started in this one travel together. */
  #pumpSoon(): void {
    if (this.#isPumping || this.#isClosed) return;
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      if (this.#isClosed) return;
      this.#pumpLocal();
      this.#pumpRemote();
    });
  }

  get #helps(): boolean {
    return this.#local !== undefined && this.#farm.local === "help" && this.#fits === true;
  }

  #pumpLocal(): void {
    const local = this.#local;
    if (local === undefined || !this.#helps) return;
    while (local.hasRoom) {
      const [entry] = this.#queue.take(1, PARCEL_BYTES);
      if (entry === undefined) return;
      local.start(entry);
    }
  }

  /** Workers take no such text: this machine compiles it if it helps. */
  #startLong(entry: Entry): void {
    if (this.#local !== undefined && this.#helps) this.#local.start(entry);
    else {
      const how = `expected PTX of at most ${LONGEST_PTX} bytes, which workers of a farm take, found ${entry.bytes}`;
      const outcome = { kind: "failed", failure: { is: "memory", how }, log: "", milliseconds: 0 } as const;
      this.#counts.failed++;
      this.#counts.remote++;
      setImmediate(() => this.#settle(entry, outcome));
    }
  }

  #pumpRemote(): void {
    if (!this.#link.isUp || performance.now() < this.#fullUntil) return;
    const most = this.#mostOpen;
    while (this.#open.size < most) {
      const first = this.#queue.first();
      if (first === undefined) return;
      // Towards the end of the work, smaller parcels, so that all workers end at about the same time.
      const share = Math.ceil(this.#queue.size / most);
      const size = Math.max(1, Math.min(this.#estimates.parcelSize(first), share));
      this.#send(this.#queue.take(size, PARCEL_BYTES));
    }
  }

  #send(entries: readonly Entry[]): void {
    const { parcel, hashes } = parcelOf(entries, this.#blobs);
    const open = openParcel(this.#nextParcel++, this.#link.pool!, entries, hashes);
    this.#open.set(open.id, open);
    this.#counts.parcels++;
    void this.#publish(open, encodeParcel(parcel, !isHere(this.#farm.servers)));
  }

  async #publish(open: OpenParcel, frame: Uint8Array): Promise<void> {
    while (this.#open.has(open.id)) {
      try {
        await this.#link.publish(open.id, frame);
        return;
      } catch (error) {
        if (!this.#open.has(open.id)) return;
        if (isFull(error)) {
          // The server has as many parcels of this submitter as it keeps; another process may have the same name.
          this.#fullUntil = performance.now() + FULL_MS;
          this.#reclaim(open);
          setTimeout(() => this.#pumpSoon(), FULL_MS).unref();
          return;
        }
        // Whether it has arrived is not known. A second one does no harm: the first answer counts.
        await new Promise<void>((resolve) => setTimeout(resolve, FULL_MS).unref());
      }
    }
  }

  #message(id: number, message: Msg): string {
    const open = this.#open.get(id);
    const telling = message.headers?.get(HEADERS.telling) ?? "";
    if (telling === "wanted") return open === undefined ? "no" : "yes";
    if (open === undefined) {
      this.#counts.repeated++;
      return "";
    }
    if (telling === "exhausted") {
      this.#exhausted(open);
      return "";
    }
    if (telling !== "") {
      const [, at, worker] = /^at (\d{1,6}) ([\w-]{1,64})$/.exec(telling) ?? [];
      if (worker !== undefined) {
        open.at = Number(at);
        open.begun.set(open.at, (open.begun.get(open.at) ?? 0) + 1);
        open.workers.add(worker);
      }
      return "";
    }
    const whole = joinPart(open, message.headers?.get(HEADERS.part) ?? "", message.data);
    if (whole !== undefined) this.#answered(open, whole);
    return "";
  }

  #answered(open: OpenParcel, bytes: Uint8Array): void {
    let answer: Answer;
    try {
      answer = decodeAnswer(bytes);
      checkAnswer(answer, open);
    } catch (error) {
      this.#counts.wrong++;
      this.#suspect(
        open,
        open.entries.filter(({ settled }) => !settled),
        {
          is: "internal",
          how: `workers of the farm gave wrong answers, the last one: ${(error as Error).message}`,
        },
      );
      return;
    }
    const { worker, deliveries, heldMs } = answer;
    const queuedMs = Math.max(0, performance.now() - open.since - heldMs);
    const farm = { worker, pool: open.pool, queuedMs, deliveries };
    answer.outcomes.forEach((outcome, i) => {
      const entry = open.entries[answer.first + i]!;
      if (entry.settled) return;
      if ("milliseconds" in outcome) this.#estimates.add(entry.group, outcome.milliseconds);
      this.#counts.remote++;
      if (outcome.kind !== "compiled") this.#counts.failed++;
      this.#settle(entry, outcome.kind === "compiled" ? { ...outcome, farm } : outcome);
    });
    if (isDone(open)) this.#forget(open);
    this.#pumpSoon();
  }

  /** The server gave a parcel to as many workers as it may, and none has answered: the job that they were at killed them. */
  #exhausted(open: OpenParcel): void {
    const { at } = open;
    const suspects = at === undefined ? open.entries : open.entries.slice(at, at + 1);
    const names = [...open.workers].join(", ");
    this.#suspect(
      open,
      suspects.filter(({ settled }) => !settled),
      { is: "crashed", how: `every worker of the farm that compiled it died${names && `: ${names}`}` },
      at === undefined || open.begun.get(at) === 1 ? 1 : MOST_DEATHS,
    );
  }

  /** Sends the jobs of a parcel again, except for suspects that have cost too much, which fail. */
  #suspect(
    open: OpenParcel,
    suspects: readonly Entry[],
    failure: Extract<BackendOutcome, { kind: "failed" }>["failure"],
    deaths = 1,
  ): void {
    for (const entry of suspects) {
      entry.deaths += deaths;
      if (entry.deaths < MOST_DEATHS) continue;
      this.#counts.failed++;
      this.#counts.remote++;
      this.#settle(entry, { kind: "failed", failure, log: "", milliseconds: 0 });
    }
    this.#reclaim(open);
    this.#pumpSoon();
  }

  /** Puts the jobs of a parcel back into the queue. */
  #reclaim(open: OpenParcel): void {
    this.#forget(open);
    for (const entry of open.entries) {
      if (entry.settled) continue;
      this.#counts.resubmitted++;
      this.#queue.add(entry);
    }
  }

  #reclaimAll(): void {
    for (const open of [...this.#open.values()]) this.#reclaim(open);
    this.#pumpSoon();
  }

  #forget(open: OpenParcel): void {
    if (this.#open.delete(open.id)) this.#blobs.release(open.hashes);
  }

  #settle(entry: Entry, outcome: BackendOutcome): void {
    if (entry.settled || this.#isClosed) return;
    entry.settled = true;
    entry.cancel = undefined;
    entry.done(outcome);
  }

  #down(problem: FarmError | undefined): void {
    this.#alone.problem = problem ?? this.#alone.problem;
    this.#tick();
  }

  #tick(): void {
    if (this.#isClosed) return;
    this.#pumpSoon();
    for (const open of [...this.#open.values()])
      if (performance.now() - open.since > FORGOTTEN_MS) this.#reclaim(open);
    const alone = this.#alone.milliseconds(this.#queue.size + this.#open.size);
    if (alone === 0) return;
    if (this.#helps) {
      if (alone >= RESCUE_MS) this.#reclaimAll();
      if (this.#alone.problem !== undefined || alone >= RESCUE_MS) this.#alone.warn();
    } else if (alone >= this.#farm.patienceMs) this.#giveUp();
  }

  /** Fails all jobs, because they have waited too long for workers. */
  #giveUp(): void {
    this.#reclaimAll();
    const failure = { is: "unavailable", how: this.#alone.why } as const;
    for (const entry of this.#queue.clear()) {
      this.#counts.failed++;
      this.#counts.remote++;
      this.#settle(entry, { kind: "failed", failure, log: "", milliseconds: 0 });
    }
  }
}
