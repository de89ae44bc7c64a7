// The backend of a submitter: gives jobs to this machine's compiler and, in parcels, to the farm, and settles each job once.

import type {
  Backend,
  BackendJob,
  BackendOutcome,
  BackendStats,
  Failure,
  resolveOptions,
} from "@mm-ptx/cuda/backend";
import type { Msg } from "@nats-io/transport-node";
import { isHere } from "../connection.js";
import type { FarmError } from "../error.js";
import type { FarmFigures } from "../figures.js";
import { type Answer, decodeAnswer } from "../frames/outcomes.js";
import { LONGEST_PTX } from "../frames/parcel.js";
import { HEADERS } from "../names.js";
import type { ResolvedFarm } from "../options.js";
import { Alone, RESCUE_MS, SOON_MS } from "./alone.js";
import { checkAnswer } from "./check.js";
import { DirectParcels } from "./direct.js";
import { entryOf, failed, writeSource } from "./entries.js";
import { Estimates } from "./estimates.js";
import { type Fault, fatalJob, MOST_DEATHS, wrongAnswer } from "./faults.js";
import { figuresOf, joinedStats, newCounts, submitterStatus } from "./figures.js";
import { Link } from "./link.js";
import { blockingCall, LocalWork, openLocal } from "./local.js";
import { messageOf } from "./messages.js";
import { joinPart, noteTelling, type OpenParcel, OpenParcels, openEntries, openParcel } from "./parcels.js";
import { PoolChoice } from "./pools.js";
import { publish } from "./publish.js";
import { type Entry, JobQueue } from "./queue.js";
import { Recent } from "./recent.js";
import { Blobs } from "./sources.js";
import { openVerifier, type Verifier } from "./verify.js";

type Options = ReturnType<typeof resolveOptions>;

/** The server's limit of parcels in the queue for one submitter. */
const MOST_OPEN = 64;
const PARCEL_BYTES = 256 * 2 ** 10;
/** How often a job is sent again because of workers that are left out, until this machine compiles it. */
const MOST_REFUSED = 2;
const FULL_MS = 100;
const REFUSED_MS = 1_000;

export class Front implements Backend {
  readonly name: Backend["name"];
  readonly takesRecipes = true;
  readonly #farm: ResolvedFarm;
  readonly #local: LocalWork | undefined;
  readonly #pools: PoolChoice;
  readonly #verifier: Verifier | undefined;
  readonly #workers: number;
  readonly #link: Link;
  readonly #queue = new JobQueue();
  readonly #open = new OpenParcels();
  readonly #blobs = new Blobs();
  readonly #estimates = new Estimates();
  readonly #counts = newCounts();
  readonly #recent = new Recent();
  #nextParcel = 1;
  #isStarted = false;
  #isPumping = false;
  #isClosed = false;
  #fullUntil = 0;
  #jobsAhead = 0;
  readonly #alone: Alone;
  readonly #direct: DirectParcels;

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
    this.name = local?.name ?? "isolated";
    this.#pools = new PoolChoice(farm, local);
    this.#verifier = openVerifier(farm, local);
    this.#link = new Link(farm, this.#pools, {
      up: () => this.#pumpSoon(),
      down: (problem) => this.#down(problem),
      message: (id, message) => this.#message(id, message),
      replied: (id, reply) => this.#direct.replied(id, reply),
      lost: () => this.#reclaimAll(),
      tick: () => this.#tick(),
      isLeftOut: (worker) => this.#verifier?.isLeftOut(worker) === true,
      blob: (hash) => this.#blobs.get(hash),
      status: () =>
        submitterStatus(farm.submitter, this.#queue.size, this.figures(), this.#recent, this.#open.oldestMs),
    });
    this.#alone = new Alone(this.#link, farm);
    this.#direct = new DirectParcels(this.#link, this.#open, this.#estimates, {
      lost: (open, fault) => this.#suspect(open, fault),
      refused: (open, frame) => void this.#publish(open, frame),
    });
  }

  get version(): string {
    return this.#pools.version;
  }

  get identity(): string | undefined {
    return this.#pools.identity;
  }

  get window(): number {
    return 16 * this.#workers + this.#jobsAhead;
  }

  start(job: BackendJob, done: (outcome: BackendOutcome) => void): () => void {
    const { entry, failure } = entryOf(job, done);
    if (failure !== undefined) setImmediate(() => this.#fail(entry, failure));
    else this.#add(entry);
    if (!this.#isStarted) {
      this.#isStarted = true;
      void this.#link.start();
      this.#tick();
      setTimeout(() => this.#tick(), SOON_MS).unref();
    }
    this.#pumpSoon(job.isSingle);
    return () => {
      if (entry.settled) return;
      entry.settled = true;
      this.#queue.delete(entry);
      entry.cancel?.();
    };
  }

  run(job: BackendJob): BackendOutcome {
    if (this.#local !== undefined && this.#farm.local !== "never" && this.#pools.fits === true)
      return this.#local.backend.run(job);
    throw blockingCall(job);
  }

  stats(): BackendStats {
    const { compared = 0, failed = 0 } = this.#verifier ?? {};
    const others = [this.#pools.compiles + compared - failed, failed] as const;
    const remote = { ...this.#counts, queued: this.#queue.size, running: this.#open.unanswered };
    return joinedStats(this.#local?.backend.stats(), others, remote);
  }

  figures(): FarmFigures {
    const state = { open: this.#open.size, local: this.#local?.done ?? 0 };
    return figuresOf(this.#counts, state, this.#link, this.#verifier);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#link.close();
    this.#direct.close();
    this.#queue.clear();
    for (const open of this.#open.all()) this.#open.delete(open);
    this.#local?.backend.close();
  }

  /** In the next turn, so that jobs that are started in this one travel together; sooner if a caller waits for one. */
  #pumpSoon(isUrgent = false): void {
    if (this.#isClosed || (this.#isPumping && !isUrgent)) return;
    this.#isPumping = true;
    (isUrgent ? queueMicrotask : setImmediate)(() => {
      this.#isPumping = false;
      if (this.#isClosed) return;
      this.#jobsAhead = this.#link.isUp ? this.#estimates.jobsFor(this.#link) : 0;
      this.#pumpLocal();
      this.#pumpRemote();
    });
  }

  get #helps(): boolean {
    return this.#local !== undefined && this.#farm.local === "help" && this.#pools.fits === true;
  }

  #pumpLocal(): void {
    const local = this.#local;
    if (local === undefined || !this.#helps) return;
    while (local.hasRoom) {
      const [entry] = this.#queue.take(1, PARCEL_BYTES);
      if (entry === undefined) return;
      this.#startLocal(local, entry);
    }
  }

  #startLocal(local: LocalWork, entry: Entry): void {
    const failure = writeSource(entry);
    if (failure === undefined) local.start(entry);
    else this.#fail(entry, failure);
  }

  #add(entry: Entry): void {
    if (entry.length > LONGEST_PTX) this.#startLong(entry);
    else this.#queue.add(entry);
  }

  #fail(entry: Entry, failure: Failure): void {
    this.#counts.failed++;
    this.#counts.remote++;
    this.#settle(entry, failed(failure));
  }

  /** Workers take no such text: this machine compiles it if it helps. */
  #startLong(entry: Entry): void {
    if (this.#local !== undefined && this.#helps) this.#startLocal(this.#local, entry);
    else {
      const how = `expected PTX of at most ${LONGEST_PTX} bytes, which workers of a farm take, found ${entry.length}`;
      setImmediate(() => this.#fail(entry, { is: "memory", how }));
    }
  }

  #pumpRemote(): void {
    if (!this.#link.isUp || performance.now() < this.#fullUntil) return;
    const width = { slots: this.#link.slots, workers: this.#link.workers };
    while (width.slots > 0 && this.#open.size < MOST_OPEN) {
      const first = this.#queue.first();
      if (first === undefined) return;
      if (this.#estimates.isEnough(this.#open, width, first.job.isSingle)) return;
      const size = this.#estimates.parcelSize(first, this.#queue.size, width);
      this.#send(this.#queue.take(size, PARCEL_BYTES));
    }
  }

  #send(entries: readonly Entry[]): void {
    const { frame, hashes } = messageOf(entries, this.#blobs, !isHere(this.#farm.servers));
    const milliseconds = entries.length * this.#estimates.millisecondsOf(entries[0]!);
    const open = openParcel(this.#nextParcel++, this.#pools.current!, entries, hashes, milliseconds);
    this.#open.add(open);
    this.#counts.parcels++;
    this.#counts.bytes += frame.length;
    if (!this.#direct.give(open, frame)) void this.#publish(open, frame);
  }

  async #publish(open: OpenParcel, frame: Uint8Array): Promise<void> {
    const found = await publish(this.#link, open, frame, () => this.#open.has(open));
    this.#alone.refusal = found === "full" ? undefined : found;
    if (found === undefined || !this.#open.has(open)) return;
    const pauseMs = found === "full" ? FULL_MS : REFUSED_MS;
    this.#fullUntil = performance.now() + pauseMs;
    this.#reclaim(open);
    setTimeout(() => this.#pumpSoon(), pauseMs).unref();
    this.#tick();
  }

  #message(id: number, message: Msg): string {
    const open = this.#open.get(id);
    const telling = message.headers?.get(HEADERS.telling) ?? "";
    if (telling === "wanted") return this.#isWanted(open) ? "yes" : "no";
    if (open === undefined) {
      this.#counts.repeated++;
      return "";
    }
    if (telling === "exhausted") this.#suspect(open, fatalJob(open));
    else if (telling === "returned") this.#reclaimAll([open]);
    else if (telling !== "") noteTelling(open, telling);
    else {
      const whole = joinPart(open, message.headers?.get(HEADERS.part) ?? "", message.data);
      if (whole !== undefined) this.#answered(open, whole);
    }
    return "";
  }

  /** Whether somebody waits for jobs of a parcel; otherwise it is forgotten. */
  #isWanted(open: OpenParcel | undefined): boolean {
    if (open !== undefined && openEntries(open).length === 0) this.#forget(open);
    return open !== undefined && this.#open.has(open);
  }

  #answered(open: OpenParcel, bytes: Uint8Array): void {
    let answer: Answer;
    try {
      answer = decodeAnswer(bytes);
      checkAnswer(answer, open);
    } catch (error) {
      this.#counts.wrong++;
      this.#suspect(open, wrongAnswer(open, error as Error));
      return;
    }
    const accepts = this.#verifier?.accepts(open, answer) ?? true;
    if (accepts === true) this.#accept(open, answer);
    else if (accepts === false) this.#turnDown(open);
    else void accepts.then((isRight) => (isRight ? this.#accept(open, answer) : this.#turnDown(open)));
  }

  #accept(open: OpenParcel, answer: Answer): void {
    const { worker, deliveries, heldMs } = answer;
    const queuedMs = Math.max(0, performance.now() - open.since - heldMs);
    const farm = { worker, pool: open.pool, queuedMs, deliveries };
    if (answer.first === 0) this.#recent.waited(queuedMs);
    answer.outcomes.forEach((outcome, i) => {
      const entry = open.entries[answer.first + i]!;
      if (entry.settled) return;
      if (outcome.kind === "unmade") {
        this.#sendWritten(open, entry);
        return;
      }
      if ("milliseconds" in outcome) {
        this.#estimates.add(entry.group, outcome.milliseconds);
        this.#recent.worked(outcome.milliseconds);
      }
      this.#counts.remote++;
      if (outcome.kind !== "compiled") this.#counts.failed++;
      this.#settle(entry, { ...outcome, farm });
    });
    if (openEntries(open).length === 0) this.#forget(open);
    this.#pumpSoon();
  }

  /** Sends the PTX of a job whose programs no worker can turn into PTX. */
  #sendWritten(open: OpenParcel, entry: Entry): void {
    open.returned.add(entry);
    const failure = writeSource(entry);
    if (failure === undefined) this.#add(entry);
    else this.#fail(entry, failure);
  }

  /** Sends the jobs of a parcel again, because a worker that is left out has answered; this machine does those that it gets again. */
  #turnDown(open: OpenParcel): void {
    if (!this.#open.has(open)) return;
    this.#counts.wrong++;
    const mine = openEntries(open).filter((entry) => ++entry.refused === MOST_REFUSED);
    this.#reclaim(open);
    for (const entry of mine) if (this.#queue.delete(entry)) this.#startLocal(this.#local!, entry);
    this.#pumpSoon();
  }

  /** Sends the jobs of a parcel again, except for suspects that have cost too much, which fail. */
  #suspect(open: OpenParcel, { suspects, deaths, failure }: Fault): void {
    for (const entry of suspects) {
      entry.deaths += deaths;
      if (entry.deaths >= MOST_DEATHS) this.#fail(entry, failure);
    }
    this.#reclaim(open);
    this.#pumpSoon();
  }

  /** Puts the jobs of a parcel back into the queue. */
  #reclaim(open: OpenParcel): void {
    this.#forget(open);
    for (const entry of openEntries(open)) {
      this.#counts.resubmitted++;
      this.#queue.add(entry);
    }
  }

  #reclaimAll(parcels = this.#open.all()): void {
    for (const open of parcels) this.#reclaim(open);
    this.#pumpSoon();
  }

  #forget(open: OpenParcel): void {
    if (!this.#open.delete(open)) return;
    this.#blobs.release(open.hashes);
    this.#direct.forget(open);
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
    const { isUp, pools } = this.#link;
    for (const open of this.#open.lost(isUp ? pools : [], this.#pools.current)) this.#reclaim(open);
    const alone = this.#alone.milliseconds(this.#queue.size + this.#direct.waiting().length);
    if (alone === undefined) return;
    // Without workers, the newest machine code is that of this machine.
    if (alone >= RESCUE_MS && this.#farm.local === "help") this.#pools.settle();
    const helps = this.#helps;
    if (helps && alone >= RESCUE_MS) this.#reclaimAll(this.#direct.waiting());
    const mayHelp = this.#farm.local === "help" && this.#local !== undefined && this.#pools.fits !== false;
    if (!helps && this.#alone.isOver(alone)) this.#giveUp();
    else this.#alone.warn(alone, mayHelp);
  }

  /** Fails all jobs because they have waited too long for workers. */
  #giveUp(): void {
    this.#reclaimAll(this.#direct.waiting());
    const cause = this.#alone.why;
    const failure = { is: "unavailable", how: cause.message, cause } as const;
    for (const entry of this.#queue.clear()) this.#fail(entry, failure);
    // Later jobs wait as long.
    this.#alone.milliseconds(0);
  }
}
