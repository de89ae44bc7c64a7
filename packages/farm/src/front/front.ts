// The backend of a submitter: gives jobs to this machine's compiler and, in parcels, to the farm, and settles each job once.

import { PtxCompileError, readCubin } from "@mm-ptx/cuda";
import type { Backend, BackendJob, BackendOutcome, BackendStats } from "@mm-ptx/cuda/backend";
import { localBackend, type resolveOptions } from "@mm-ptx/cuda/backend";
import type { Msg } from "@nats-io/transport-node";
import type { FarmError } from "../error.js";
import { type Answer, decodeAnswer } from "../frames/outcomes.js";
import { encodeParcel } from "../frames/parcel.js";
import { HEADERS } from "../names.js";
import type { ResolvedFarm } from "../options.js";
import { CANARIES, poolOf } from "../pool/canary.js";
import { Estimates } from "./estimates.js";
import { Link } from "./link.js";
import { isDone, joinPart, type OpenParcel } from "./parcels.js";
import { type Entry, JobQueue } from "./queue.js";
import { Blobs, measured, parcelOf } from "./sources.js";

type Options = ReturnType<typeof resolveOptions>;

/** What the farm did for a compiler; totals only grow. */
export interface FarmFigures {
  readonly connected: boolean;
  /** The pool that compiles for it; `undefined` until it is known. */
  readonly pool: string | undefined;
  /** The cores of the pool's workers. */
  readonly slots: number;
  /** Parcels that are out. */
  readonly open: number;
  readonly parcels: number;
  /** Jobs that workers have done. */
  readonly remote: number;
  /** Jobs that this machine has done. */
  readonly local: number;
  /** Answers that had been given before, and were dropped. */
  readonly repeated: number;
  /** Jobs that were sent again. */
  readonly resubmitted: number;
  /** Answers that were not what the jobs ask for. */
  readonly wrong: number;
}

/** The server's limit of parcels in the queue for one submitter. */
const MOST_OPEN = 64;
const PARCEL_BYTES = 256 * 2 ** 10;
/** Jobs for each local worker that this machine's compiler has at a time. */
const LOCAL_AHEAD = 2;
/** After so many workers died with a job, or gave wrong answers, it fails. */
const MOST_DEATHS = 4;
/** How long parcels stay out while no worker is there, before this machine compiles them. */
const RESCUE_MS = 3_000;
const FULL_MS = 100;

export class Front implements Backend {
  readonly name: Backend["name"];
  readonly version: string;
  readonly identity: string | undefined;
  readonly #farm: ResolvedFarm;
  readonly #local: Backend | undefined;
  /** Whether this machine makes the machine code of the pool; `undefined` until that is known. */
  #fits: boolean | undefined;
  readonly #workers: number;
  readonly #link: Link;
  readonly #queue = new JobQueue();
  readonly #open = new Map<number, OpenParcel>();
  readonly #blobs = new Blobs();
  readonly #estimates = new Estimates();
  readonly #counts = { parcels: 0, remote: 0, local: 0, repeated: 0, resubmitted: 0, wrong: 0, failed: 0 };
  #localRunning = 0;
  /** Compiles of this machine that were not jobs. */
  #own = 0;
  #nextParcel = 1;
  #isStarted = false;
  #isPumping = false;
  #isClosed = false;
  #fullUntil = 0;
  /** Since when no worker could take jobs; 0 while one can. */
  #aloneSince = Date.now();
  #problem: FarmError | undefined;
  #hasWarned = false;

  /** @throws PtxCompileError `UNAVAILABLE` */
  constructor(farm: ResolvedFarm, options: Options) {
    this.#farm = farm;
    this.#workers = options.workers;
    this.#local = openLocal(farm, options);
    this.#fits = farm.pool === undefined ? true : undefined;
    this.name = this.#local?.name ?? "isolated";
    this.version = farm.pool === undefined ? this.#local!.version : versionIn(farm.pool);
    this.identity = farm.pool === undefined ? undefined : `farm ${farm.pool}`;
    this.#link = new Link(farm, {
      up: () => this.#pumpSoon(),
      down: (problem) => this.#down(problem),
      message: (id, message) => this.#message(id, message),
      exhausted: (seq) => this.#exhausted(seq),
      lost: () => this.#reclaimAll(),
      tick: () => this.#tick(),
      blob: (hash) => this.#blobs.get(hash),
    });
  }

  get window(): number {
    const parcels = this.#link.isUp ? this.#mostOpen : 0;
    return 16 * this.#workers + 2 * parcels * this.#estimates.usualSize;
  }

  start(job: BackendJob, done: (outcome: BackendOutcome) => void): () => void {
    const entry: Entry = { job, done, ...measured(job), settled: false, cancel: undefined, deaths: 0 };
    this.#queue.add(entry);
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
      return this.#local.run(job);
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
    const local = this.#local?.stats();
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
    return { connected: isUp, pool, slots, open: this.#open.size, ...counts };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#link.close();
    this.#queue.clear();
    this.#open.clear();
    this.#local?.close();
  }

  async #ownPool(): Promise<string> {
    const { pool } = this.#farm;
    if (this.#local === undefined) return pool!;
    const own = await poolOf(this.#local);
    this.#own = CANARIES;
    if (this.#fits === undefined) {
      this.#fits = pool === own;
      this.#pumpSoon();
    }
    return pool ?? own;
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
    while (this.#localRunning < LOCAL_AHEAD * this.#workers) {
      const [entry] = this.#queue.take(1, PARCEL_BYTES);
      if (entry === undefined) return;
      this.#localRunning++;
      const cancel = local.start(entry.job, (outcome) => {
        this.#localRunning--;
        this.#counts.local++;
        this.#settle(entry, outcome);
        this.#pumpSoon();
      });
      entry.cancel = () => {
        cancel();
        this.#localRunning--;
        this.#pumpSoon();
      };
    }
  }

  #pumpRemote(): void {
    if (!this.#link.isUp || Date.now() < this.#fullUntil) return;
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
    const open: OpenParcel = {
      id: this.#nextParcel++,
      entries,
      hashes,
      seq: 0,
      at: undefined,
      workers: new Set(),
      partial: new Map(),
    };
    this.#open.set(open.id, open);
    this.#counts.parcels++;
    void this.#publish(open, encodeParcel(parcel));
  }

  async #publish(open: OpenParcel, frame: Uint8Array): Promise<void> {
    while (this.#open.has(open.id)) {
      try {
        open.seq = await this.#link.publish(open.id, frame);
        return;
      } catch (error) {
        if (!this.#open.has(open.id)) return;
        if (isFull(error)) {
          // The server has as many parcels of this submitter as it keeps; another process may have the same name.
          this.#fullUntil = Date.now() + FULL_MS;
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
    if (telling !== "") {
      const [, at, worker] = /^at (\d{1,6}) ([\w-]{1,64})$/.exec(telling) ?? [];
      if (worker !== undefined) {
        open.at = Number(at);
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
      if (answer.refused !== undefined) throw new Error(answer.refused);
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
    answer.outcomes.forEach((outcome, i) => {
      const entry = open.entries[answer.first + i]!;
      if (entry.settled) return;
      if ("milliseconds" in outcome && outcome.milliseconds > 0)
        this.#estimates.add(entry.group, outcome.milliseconds);
      this.#counts.remote++;
      if (outcome.kind !== "compiled") this.#counts.failed++;
      this.#settle(entry, outcome);
    });
    if (isDone(open)) this.#forget(open);
    this.#pumpSoon();
  }

  /** The server gave a parcel to as many workers as it may, and none has answered: the job that they were at killed them. */
  #exhausted(seq: number): void {
    const open = [...this.#open.values()].find((each) => each.seq === seq);
    if (open === undefined) return;
    const { at } = open;
    const suspects = at === undefined ? open.entries : open.entries.slice(at, at + 1);
    const names = [...open.workers].join(", ");
    this.#suspect(
      open,
      suspects.filter(({ settled }) => !settled),
      { is: "crashed", how: `every worker of the farm that compiled it died${names && `: ${names}`}` },
      at === undefined ? 1 : MOST_DEATHS,
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
    this.#problem = problem ?? this.#problem;
    this.#tick();
  }

  #tick(): void {
    if (this.#isClosed) return;
    const now = Date.now();
    if (this.#link.isUp && this.#link.slots > 0) {
      this.#aloneSince = 0;
      this.#pumpSoon();
      return;
    }
    if (this.#aloneSince === 0) this.#aloneSince = now;
    const alone = now - this.#aloneSince;
    if (this.#helps) {
      if (alone >= RESCUE_MS) this.#reclaimAll();
      if (this.#problem !== undefined || alone >= RESCUE_MS) this.#warn();
    } else if (this.#fits !== undefined || this.#local === undefined) this.#impatient(alone);
  }

  /** Fails all jobs if they have waited too long for workers. */
  #impatient(alone: number): void {
    if (alone < this.#farm.patienceMs) return;
    this.#reclaimAll();
    const failure = { is: "unavailable", how: this.#whyAlone() } as const;
    for (const entry of this.#queue.clear()) {
      this.#counts.failed++;
      this.#settle(entry, { kind: "failed", failure, log: "", milliseconds: 0 });
    }
  }

  #whyAlone(): string {
    const { isUp, pool, pools } = this.#link;
    if (!isUp) return this.#problem?.message ?? "expected a connection to the server of the farm, found none";
    const others = pools.length === 0 ? "no workers" : `workers of ${pools.join(", ")}`;
    return `expected workers of the pool ${pool}, found ${others}`;
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`this machine compiles alone: ${this.#whyAlone()}`, { code: "MM_PTX_FARM_ALONE" });
  }
}

/** This machine's compiler; `undefined` if it has none and the pool is named. @throws PtxCompileError `UNAVAILABLE` */
function openLocal(farm: ResolvedFarm, options: Options): Backend | undefined {
  try {
    return localBackend(options);
  } catch (error) {
    if (farm.pool === undefined) throw error;
    return undefined;
  }
}

const versionIn = (pool: string): string => pool.split("-")[0]!.replaceAll("_", ".");

/** Whether the server has as many parcels of this submitter as it keeps. */
const isFull = (error: unknown): boolean => /maximum messages per subject/i.test((error as Error).message);

/** @throws Error for outcomes that are not those of the parcel's jobs */
function checkAnswer({ first, outcomes }: Answer, { entries }: OpenParcel): void {
  if (outcomes.length === 0 || first + outcomes.length > entries.length)
    throw new Error(
      `expected outcomes of ${entries.length} jobs, found those from ${first} to ${first + outcomes.length}`,
    );
  outcomes.forEach((outcome, i) => {
    if (outcome.kind !== "compiled") return;
    const { arch } = entries[first + i]!.job.target;
    const found = readCubin(outcome.cubin).arch;
    if (found !== arch) throw new Error(`expected a cubin for ${arch}, found one for ${found}`);
  });
}
