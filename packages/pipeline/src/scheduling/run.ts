// One run of a pipeline: takes programs as fast as results are consumed, puts them into packs, and gives the results out. Programs that
// wait for a result are bounded in number, so a slow consumer slows the producer down.
import { describeError } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import type { Candidate, Pack } from "../packing/pack.js";
import { mayWrite } from "../packing/stub.js";
import type { PipelineResult } from "../results/result.js";
import { CrossBlock } from "./cross.js";
import { Intake } from "./intake.js";
import type { RunningRun } from "./left.js";
import { Outbox } from "./outbox.js";
import { PackFlow } from "./pack-flow.js";
import type { PipelineParts } from "./parts.js";
import { Producer, type ProgramSource, type Step } from "./producer.js";

/** The fewest programs that may be on their way. */
const LEAST_WINDOW = 1024;
/** How many packs may be on their way for each that can be worked on. */
const PACKS_AHEAD = 4;
/** How long the calling thread takes programs before other work gets its turn, in milliseconds. */
const SLICE_MS = 8;

export class ProgramRun implements RunningRun {
  readonly #parts: PipelineParts;
  readonly #signal: AbortSignal;
  readonly #outbox: Outbox;
  readonly #intake: Intake;
  readonly #flow: PackFlow;
  /** Aborted when nobody wants further results. */
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #group: Candidate[] = [];
  /** Programs that cannot be alternatives. */
  #apart: Candidate[] = [];
  #isFilled = false;
  readonly #total: number | undefined;
  #failure: { readonly error: unknown } | undefined;
  #wakeProducer: () => void = () => {};

  constructor(
    parts: PipelineParts,
    { signal, ordered, total }: { signal?: AbortSignal; ordered: boolean; total: number | undefined },
  ) {
    this.#parts = parts;
    this.#total = total;
    this.#signal = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
    this.#outbox = new Outbox(ordered);
    this.#intake = new Intake(parts, this.#outbox);
    this.#flow = new PackFlow(parts, this.#intake, this.#signal);
    this.#signal.addEventListener("abort", () => this.#wakeAll(), { once: true });
  }

  /** Runs the programs. @throws PipelineError ABORTED, PRODUCER_FAILED, STORE, DEVICE_LOST, INVALID_ARGUMENT */
  async *results(programs: ProgramSource): AsyncGenerator<PipelineResult, void, undefined> {
    const { runs } = this.#parts;
    runs.add(this);
    const filling = this.#fill(programs);
    try {
      for (;;) {
        const result = this.#outbox.take();
        if (result !== undefined) {
          this.#intake.outstanding--;
          this.#wakeProducer();
          yield result;
        } else if (this.#isOver) {
          if (this.#failure !== undefined) throw this.#failure.error;
          if (this.#signal.aborted) throw this.#aborted();
          return;
        } else await this.#outbox.changed();
      }
    } finally {
      runs.delete(this);
      this.#stop.abort();
      await filling;
    }
  }

  /** How many programs have no result yet, if the number of all is known. */
  get left(): number | undefined {
    return this.#total === undefined ? undefined : Math.max(0, this.#total - this.#intake.answered);
  }

  /** Whether no further results will come. */
  get #isOver(): boolean {
    if (!this.#signal.aborted && this.#failure === undefined) return this.#isFilled;
    // What is finished is given out, also if its predecessors never will be.
    return !this.#outbox.release();
  }

  #aborted(): PipelineError {
    const { reason } = this.#signal;
    if (reason instanceof PipelineError) return reason;
    return new PipelineError("ABORTED", `the run was aborted: ${describeError(reason)}`, { cause: reason });
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stop.abort();
    this.#wakeAll();
  }

  #wakeAll(): void {
    this.#wakeProducer();
    this.#outbox.wake();
  }

  /** Takes all programs, and waits until their packs are done. */
  async #fill(programs: ProgramSource): Promise<void> {
    let producer: Producer | undefined;
    try {
      producer = new Producer(programs);
      try {
        await this.#takeAll(producer);
      } finally {
        // Programs that came before an error of the producer get their results.
        if (!this.#signal.aborted) this.#flush();
        while (this.#running.size > 0 && !this.#signal.aborted) await this.#room();
      }
      if (!this.#signal.aborted) await this.#flow.end();
    } catch (error) {
      this.#fail(error);
    }
    try {
      this.#parts.store?.flush();
    } catch (error) {
      this.#fail(error);
    }
    this.#isFilled = true;
    this.#outbox.wake();
    if (this.#signal.aborted) void producer?.close();
  }

  async #takeAll(producer: Producer): Promise<void> {
    let slice = performance.now();
    while (!this.#signal.aborted) {
      if (this.#isFull) {
        await this.#room();
        continue;
      }
      let step = producer.next();
      if (step instanceof Promise) {
        step = await this.#waitFor(step);
        slice = performance.now();
      }
      if (step.done === true || this.#signal.aborted) return;
      this.#accept(step.value);
      if (performance.now() - slice > SLICE_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        slice = performance.now();
      }
    }
  }

  /** Waits for an asynchronous producer. Programs that are there need not wait with it. */
  async #waitFor(step: Promise<Step>): Promise<Step> {
    let isPending = true;
    const taken = step.finally(() => {
      isPending = false;
    });
    // An error is thrown by the last line, unless the run ends before.
    taken.catch(() => {});
    await Promise.race([taken, new Promise((resolve) => setImmediate(resolve))]);
    while (isPending && !this.#signal.aborted) {
      if (this.#running.size < this.#parts.lanes) this.#flush();
      await Promise.race([taken, this.#room()]);
    }
    return isPending ? { done: true, value: undefined } : taken;
  }

  get #isFull(): boolean {
    const { tuner, lanes } = this.#parts;
    if (this.#intake.outstanding < Math.max(LEAST_WINDOW, PACKS_AHEAD * tuner.size * lanes)) return false;
    // Those who wait for a whole pack would wait for ever.
    if (this.#running.size === 0) this.#flush();
    return true;
  }

  /** Waits until a result is taken, a pack ends, or the run ends. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeProducer = resolve;
      if (this.#signal.aborted) resolve();
    });
  }

  #accept(program: unknown): void {
    if (program instanceof CrossBlock) {
      this.#acceptBlock(program);
      return;
    }
    const candidate = this.#intake.take(program);
    if (candidate !== undefined) this.#add(candidate);
  }

  #acceptBlock(block: CrossBlock): void {
    const { tuner } = this.#parts;
    const { candidates, isWhole } = this.#intake.takeBlock(block);
    if (isWhole && tuner.kind === "alternatives" && candidates.every((each) => this.#canShare(each))) {
      tuner.begin();
      this.#start({ members: candidates, cross: { counts: block.counts } });
    } else for (const candidate of candidates) this.#add(candidate);
  }

  #canShare({ stubs }: Candidate): boolean {
    const { obstacle } = this.#parts;
    return stubs.every((stub, site) => obstacle(site, stub) === undefined);
  }

  #add(candidate: Candidate): void {
    const { size } = this.#parts.tuner;
    if (this.#canShare(candidate)) {
      if (this.#group.push(candidate) >= size) this.#flushGroup();
    } else if (candidate.stubs.some(mayWrite))
      this.#start({ members: [candidate], apart: true, restores: true });
    else if (this.#apart.push(candidate) >= size) this.#flushApart();
  }

  #flush(): void {
    if (this.#group.length > 0) this.#flushGroup();
    if (this.#apart.length > 0) this.#flushApart();
  }

  #flushGroup(): void {
    const members = this.#group;
    this.#group = [];
    this.#parts.tuner.begin();
    this.#start({ members });
  }

  #flushApart(): void {
    const members = this.#apart;
    this.#apart = [];
    if (this.#parts.apartKind === "kernels") this.#start({ members, apart: true });
    else for (const member of members) this.#start({ members: [member], apart: true });
  }

  #start(pack: Pack): void {
    const work = this.#flow
      .process(pack)
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#running.delete(work);
        this.#wakeProducer();
      });
    this.#running.add(work);
  }
}
