// One run of a pipeline: takes programs, puts them into packs, follows the packs through compiler and device, and gives the results out.
// Programs that wait for a result are bounded in number, so a slow consumer slows the producer down.
import type { CompiledModule, JobResult, PtxCompileError } from "@mm-ptx/cuda";
import { MmPtxError } from "@mm-ptx/types/core";
import { describeError, describeValue } from "@mm-ptx/types/internal";
import { CompileLane } from "../compiling/lane.js";
import { PipelineError } from "../error.js";
import { type Candidate, type Pack, splitPack } from "../packing/pack.js";
import type { PackText } from "../packing/writer.js";
import type { PipelineResult, ProgramFailure, ProgramOutcome, ResultOrigin } from "../results/result.js";
import type { PackFault, PackRan } from "../running/work.js";
import { CrossBlock } from "./cross.js";
import { figuresOf } from "./figures.js";
import { Outbox } from "./outbox.js";
import type { BoundSite, PipelineParts } from "./parts.js";

/** A program of several sites, by their names; of a single site, the program itself. */
export type SitePrograms = Readonly<Record<string, unknown>>;

/** Programs, or blocks of all combinations of several lists of programs. */
export type ProgramSource = Iterable<unknown> | AsyncIterable<unknown>;

/** The fewest programs that may be on their way. */
const LEAST_WINDOW = 1024;
/** How long the calling thread takes programs before other work gets its turn, in milliseconds. */
const SLICE_MS = 8;

interface MadeStub {
  readonly signature: string;
  readonly stub: string;
}

/** What failed in a pack, before it is known who is at fault. */
interface PackFailure {
  readonly code: string;
  readonly message: string;
  readonly lines: readonly number[];
  readonly block?: readonly [number, number, number] | undefined;
  readonly kernels?: readonly string[];
}

export class ProgramRun {
  readonly #parts: PipelineParts;
  readonly #signal: AbortSignal;
  readonly #outbox: Outbox;
  /** Aborted when nobody wants further results. */
  readonly #stop = new AbortController();
  readonly #draft: CompileLane | undefined;
  readonly #final: CompileLane | undefined;
  /** Programs whose results are on their way, by signature. */
  readonly #inFlight = new Map<string, Candidate>();
  readonly #running = new Set<Promise<void>>();
  #group: Candidate[] = [];
  /** Programs that cannot be alternatives. */
  #apart: Candidate[] = [];
  #index = 0;
  #outstanding = 0;
  #isFilled = false;
  #failure: unknown;
  #wakeProducer: () => void = () => {};

  constructor(parts: PipelineParts, { signal, ordered }: { signal?: AbortSignal; ordered: boolean }) {
    this.#parts = parts;
    this.#signal = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
    this.#outbox = new Outbox(ordered);
    const { compiler, finalCompiler } = parts;
    this.#draft = compiler === undefined ? undefined : new CompileLane(compiler, this.#signal);
    this.#final = finalCompiler === undefined ? undefined : new CompileLane(finalCompiler, this.#signal);
    this.#signal.addEventListener("abort", () => this.#wakeAll(), { once: true });
  }

  /** Runs the programs. @throws PipelineError ABORTED, DISPOSED, PRODUCER_FAILED, STORE, DEVICE_LOST, INVALID_ARGUMENT */
  async *results(programs: ProgramSource): AsyncGenerator<PipelineResult, void, undefined> {
    const filling = this.#fill(programs);
    try {
      for (;;) {
        const result = this.#outbox.take();
        if (result !== undefined) {
          this.#outstanding--;
          this.#wakeProducer();
          yield result;
        } else if (this.#isOver) {
          if (this.#failure !== undefined) throw this.#failure;
          if (this.#signal.aborted) throw this.#aborted();
          return;
        } else await this.#outbox.changed();
      }
    } finally {
      this.#stop.abort();
      await filling;
    }
  }

  /** Whether no further results will come. */
  get #isOver(): boolean {
    const isEnding = this.#signal.aborted || this.#failure !== undefined;
    if (!isEnding) return this.#isFilled;
    // What is finished is given out, also if its predecessors never will be.
    if (!this.#isReleased) this.#outbox.release();
    this.#isReleased = true;
    return true;
  }
  #isReleased = false;

  #aborted(): PipelineError {
    const { reason } = this.#signal;
    return new PipelineError("ABORTED", `the run was aborted: ${describeError(reason)}`, { cause: reason });
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#stop.abort();
    this.#wakeAll();
  }

  #wakeAll(): void {
    this.#wakeProducer();
    this.#outbox.wake();
  }

  /** Takes all programs, and waits until their packs are done. */
  async #fill(programs: ProgramSource): Promise<void> {
    const iterator = iteratorOf(programs);
    let slice = performance.now();
    try {
      while (!this.#signal.aborted) {
        if (this.#isFull) {
          await this.#room();
          continue;
        }
        let step = this.#ask(iterator);
        if (step instanceof Promise) {
          step = await this.#waitFor(step);
          slice = performance.now();
        }
        if (this.#signal.aborted) break;
        if (step.done === true) break;
        if (step.value instanceof CrossBlock) this.#acceptBlock(step.value);
        else this.#accept(step.value);
        if (performance.now() - slice > SLICE_MS) {
          await new Promise((resolve) => setImmediate(resolve));
          slice = performance.now();
        }
      }
      if (!this.#signal.aborted) this.#flush();
      // Packs that fail begin others.
      while (this.#running.size > 0 && !this.#signal.aborted) await this.#room();
      if (!this.#signal.aborted) await Promise.all([this.#draft?.end(), this.#final?.end()]);
      this.#parts.store?.flush();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isFilled = true;
      this.#outbox.wake();
      if (this.#signal.aborted) void close(iterator);
    }
  }

  #ask(iterator: AnyIterator): Step | Promise<Step> {
    try {
      const step = iterator.next();
      if (step instanceof Promise) return step.catch((error) => Promise.reject(producerFailed(error)));
      return checkedStep(step);
    } catch (error) {
      throw error instanceof PipelineError ? error : producerFailed(error);
    }
  }

  /** Waits for an asynchronous producer. Programs that are there need not wait with it. */
  async #waitFor(step: Promise<Step>): Promise<Step> {
    let isPending = true;
    const taken = step.finally(() => {
      isPending = false;
    });
    taken.catch(() => {});
    await Promise.race([taken, new Promise((resolve) => setImmediate(resolve))]);
    while (isPending && !this.#signal.aborted) {
      if (this.#running.size < this.#parts.lanes) this.#flush();
      await Promise.race([taken, this.#room()]);
    }
    return this.#signal.aborted && isPending ? { done: true, value: undefined } : checkedStep(await taken);
  }

  get #isFull(): boolean {
    const { tuner, lanes } = this.#parts;
    const window = Math.max(LEAST_WINDOW, 4 * tuner.size * lanes);
    if (this.#outstanding < window)
      return this.#running.size >= lanes + 2 && this.#group.length >= tuner.size;
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
    const index = this.#index++;
    this.#outstanding++;
    const { counts, sites } = this.#parts;
    counts.taken++;
    const began = performance.now();
    let signature: string;
    const programs = this.#programsOf(program);
    let site = 0;
    try {
      if (programs instanceof PipelineError) throw programs;
      const own: string[] = [];
      for (; site < sites.length; site++) own.push(sites[site]!.writer.signature(programs[site]));
      signature = own.length === 1 ? own[0]! : sites[0]!.join(own);
    } catch (error) {
      counts.milliseconds.signatures += performance.now() - began;
      this.#give(index, failed(failureOf(error, sites[site]?.name)), SINGLE);
      return;
    }
    const signed = performance.now();
    counts.milliseconds.signatures += signed - began;
    if (this.#answer(index, signature)) return;
    const candidate = this.#candidate(index, signature, []);
    const looked = performance.now();
    try {
      const stubs = candidate.stubs as string[];
      for (site = 0; site < sites.length; site++)
        stubs.push(sites[site]!.writer.stub((programs as unknown[])[site]));
    } catch (error) {
      this.#finish(candidate, failed(failureOf(error, sites[site]?.name)), SINGLE);
      return;
    } finally {
      counts.milliseconds.stubs += performance.now() - looked;
    }
    this.#add(candidate);
  }

  /** A program that has to be run. Equal ones that come later wait for it. */
  #candidate(index: number, signature: string, stubs: readonly string[]): Candidate {
    const candidate: Candidate = { index, signature, stubs, duplicates: [] };
    if (this.#parts.dedupe) this.#inFlight.set(signature, candidate);
    return candidate;
  }

  #add(candidate: Candidate): void {
    const { obstacle } = this.#parts;
    if (candidate.stubs.every((stub, site) => obstacle(site, stub) === undefined)) {
      this.#group.push(candidate);
      if (this.#group.length >= this.#parts.tuner.size) this.#flushGroup();
    } else {
      this.#apart.push(candidate);
      if (this.#apart.length >= this.#parts.tuner.size) this.#flushApart();
    }
  }

  /** Takes all combinations of some programs of each site. */
  #acceptBlock(block: CrossBlock): void {
    const { counts, sites, tuner, obstacle } = this.#parts;
    const made = sites.map((site, i) => block.programs[i]!.map((program) => this.#made(site, program)));
    const fresh: Candidate[] = [];
    let isWhole = true;
    for (const chosen of block.combinations()) {
      const index = block.indexOf(chosen);
      this.#outstanding++;
      counts.taken++;
      const parts = chosen.map((one, site) => made[site]![one]!);
      const wrong = parts.find((part) => "code" in part);
      const own = parts as readonly MadeStub[];
      const signature = wrong === undefined ? sites[0]!.join(own.map((part) => part.signature)) : "";
      if (wrong !== undefined) this.#give(index, failed(wrong as ProgramFailure), SINGLE);
      if (wrong !== undefined || this.#answer(index, signature)) isWhole = false;
      else
        fresh.push(
          this.#candidate(
            index,
            signature,
            own.map((part) => part.stub),
          ),
        );
    }
    const fits = made.every((list, site) =>
      list.every((part) => "code" in part || obstacle(site, part.stub) === undefined),
    );
    if (isWhole && fits && tuner.kind === "alternatives") {
      tuner.begin();
      this.#start({ members: fresh, cross: { counts: block.counts } });
    } else for (const candidate of fresh) this.#add(candidate);
  }

  /** The stub of a program of one site, or why it has none. */
  #made({ name, writer }: BoundSite, program: unknown): MadeStub | ProgramFailure {
    const { milliseconds } = this.#parts.counts;
    const began = performance.now();
    try {
      return { signature: writer.signature(program), stub: writer.stub(program) };
    } catch (error) {
      return failureOf(error, name);
    } finally {
      milliseconds.stubs += performance.now() - began;
    }
  }

  /** Answers a program that equals an earlier one, or whose result is in the store. */
  #answer(index: number, signature: string): boolean {
    return (
      (this.#parts.dedupe && this.#answerKnown(index, signature)) || this.#answerStored(index, signature)
    );
  }

  #answerStored(index: number, signature: string): boolean {
    const { counts, known, store } = this.#parts;
    const stored = store?.get(signature) as ProgramOutcome | undefined;
    if (stored === undefined) return false;
    counts.stored++;
    known?.add(signature, { index, outcome: stored });
    this.#give(index, stored, { kind: "store" });
    return true;
  }

  #answerKnown(index: number, signature: string): boolean {
    const { counts, known } = this.#parts;
    const running = this.#inFlight.get(signature);
    if (running !== undefined) {
      counts.duplicates++;
      running.duplicates.push(index);
      return true;
    }
    const found = known?.get(signature);
    if (found === undefined) return false;
    counts.duplicates++;
    this.#give(index, found.outcome, { kind: "duplicate", index: found.index });
    return true;
  }

  /** The program of each site. */
  #programsOf(program: unknown): readonly unknown[] | PipelineError {
    const { sites } = this.#parts;
    const isByName =
      typeof program === "object" && program !== null && Object.getPrototypeOf(program) === Object.prototype;
    if (sites.length === 1 && !(isByName && sites[0]!.name in program)) return [program];
    if (!isByName) {
      const names = sites.map(({ name }) => `\`${name}\``).join(", ");
      const message = `expected an object with a program for each site (${names}), found ${describeValue(program)}`;
      return new PipelineError("INVALID_ARGUMENT", message);
    }
    return sites.map(({ name }) => (program as SitePrograms)[name]);
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
    this.#start({ members, apart: true });
  }

  #start(pack: Pack): void {
    const work = this.#process(pack)
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#running.delete(work);
        this.#wakeProducer();
      });
    this.#running.add(work);
  }

  async #process(pack: Pack): Promise<void> {
    if (this.#signal.aborted) return;
    const { counts, tuner } = this.#parts;
    counts.packs++;
    const began = performance.now();
    let text: PackText;
    try {
      text = this.#parts.write(pack);
    } catch (error) {
      counts.milliseconds.packing += performance.now() - began;
      return this.#failed(pack, undefined, { ...failureOf(error, undefined), lines: [] });
    }
    counts.milliseconds.packing += performance.now() - began;
    const [compiled, ran] = await this.#compileAndRun(pack, text);
    if (this.#signal.aborted) return;
    if (compiled !== undefined && !compiled.ok)
      return this.#failed(pack, text, compileFailure(compiled.error));
    if (ran !== undefined && !ran.ok) {
      if (ran.isLost) throw new PipelineError("DEVICE_LOST", `the device failed: ${ran.message}`);
      if (ran.isCallers) throw new PipelineError("INVALID_ARGUMENT", ran.message);
      return this.#failed(pack, text, ran);
    }
    const compileMs = compiled?.info.milliseconds ?? 0;
    const { load = 0, launch = 0, read = 0 } = ran?.times ?? {};
    const { milliseconds } = counts;
    milliseconds.compile += compileMs;
    milliseconds.load += load;
    milliseconds.launch += launch;
    milliseconds.read += read;
    if (pack.apart !== true && pack.members.length > 0)
      tuner.record(pack.members.length, compileMs, load + launch + read);
    await this.#results(pack, text, compiled, ran);
  }

  /** The emulator runs PTX, so it need not wait for the compiler. */
  async #compileAndRun(
    pack: Pack,
    text: PackText,
  ): Promise<
    [(JobResult & { ok: true }) | (JobResult & { ok: false }) | undefined, PackRan | PackFault | undefined]
  > {
    const { runners, isEmulated } = this.#parts;
    const compiling = this.#draft?.compile(text.source);
    if (runners === undefined) return [await compiling, undefined];
    if (isEmulated) return Promise.all([compiling, runners.run(this.#parts.work(pack, text, text.text()))]);
    const compiled = await compiling!;
    if (!compiled.ok || this.#signal.aborted) return [compiled, undefined];
    return [compiled, await runners.run(this.#parts.work(pack, text, compiled))];
  }

  /** Finds who is at fault. The others run again without them. */
  async #failed(pack: Pack, text: PackText | undefined, failure: PackFailure): Promise<void> {
    const { members } = pack;
    const places = text === undefined ? [] : failure.lines.map((line) => text.place(line));
    if (members.length === 1) {
      const place = places.find((each) => each !== undefined);
      const { code, message } = failure;
      const where = place && { place: { site: place.site, stubLine: place.stubLine } };
      this.#finish(members[0]!, failed({ code, message, ...where }), SINGLE);
      return;
    }
    this.#parts.counts.splits++;
    const culprits = new Set<number>();
    for (const place of places) if (place?.members.length === 1) culprits.add(place.members[0]!);
    if (culprits.size === 0 && text !== undefined) {
      if (failure.block !== undefined && text.packing.kind === "alternatives")
        culprits.add(failure.block[text.packing.axis === "z" ? 2 : 1]!);
      for (const kernel of failure.kernels ?? [])
        if (text.entries.length > 1 && failure.kernels!.length === 1)
          culprits.add(text.entries.indexOf(kernel));
      culprits.delete(-1);
    }
    await Promise.all(splitPack(pack, culprits).map((part) => this.#process(part)));
  }

  async #results(
    { members }: Pack,
    text: PackText,
    compiled: (JobResult & { ok: true }) | undefined,
    ran: PackRan | undefined,
  ): Promise<void> {
    const began = performance.now();
    const origin: ResultOrigin = { kind: "run", packing: text.packing.kind, programs: members.length };
    const figures = compiled === undefined ? undefined : figuresOf(compiled, text, this.#parts.effort);
    const outcomes = members.map((_, i): ProgramOutcome => {
      const outputs = ran?.outputs.map(({ data, step, length }) => data.slice(i * step, i * step + length));
      const score = ran?.scores?.[i];
      return {
        status: "ok",
        ...(outputs === undefined || score !== undefined ? {} : { outputs }),
        ...(score === undefined ? {} : { score }),
        ...figures?.(i),
      };
    });
    this.#parts.counts.milliseconds.results += performance.now() - began;
    const waiting: Promise<void>[] = [];
    for (const [i, member] of members.entries()) {
      const outcome = outcomes[i]!;
      if (
        this.#final !== undefined &&
        this.#parts.isFinalist({ ...outcome, index: member.index, from: origin })
      )
        waiting.push(this.#finalize(member, outcome, origin));
      else this.#finish(member, outcome, origin, compiled);
    }
    await Promise.all(waiting);
  }

  /** Compiles a program alone at full effort, and times it where that is asked for. */
  async #finalize(member: Candidate, outcome: ProgramOutcome, origin: ResultOrigin): Promise<void> {
    const pack = { members: [member] };
    const text = this.#parts.write(pack);
    const compiled = await this.#final!.compile(text.source);
    if (this.#signal.aborted) return;
    if (!compiled.ok) {
      this.#finish(member, failed(compileFailure(compiled.error)), SINGLE);
      return;
    }
    const figures = figuresOf(compiled, text, "final")(0);
    const timed = await this.#parts.time?.(compiled, this.#parts.work(pack, text, compiled), outcome);
    this.#finish(member, { ...outcome, ...figures, ...timed }, origin, compiled);
  }

  /** Gives the result of a program to all that wait for it. */
  #finish(
    candidate: Candidate,
    outcome: ProgramOutcome,
    origin: ResultOrigin,
    compiled?: CompiledModule,
  ): void {
    const { known, store, withModules } = this.#parts;
    const { index, signature, duplicates } = candidate;
    this.#inFlight.delete(signature);
    known?.add(signature, { index, outcome });
    store?.put(signature, outcome);
    this.#give(index, outcome, origin, withModules ? compiled : undefined);
    for (const other of duplicates) this.#give(other, outcome, { kind: "duplicate", index });
  }

  #give(index: number, outcome: ProgramOutcome, from: ResultOrigin, module?: CompiledModule): void {
    const { counts } = this.#parts;
    if (outcome.status === "ok") counts.done++;
    else counts.failed++;
    this.#outbox.add({ ...outcome, index, from, ...(module === undefined ? {} : { module }) });
  }
}

const SINGLE: ResultOrigin = { kind: "run", packing: "single", programs: 1 };

const failed = (error: ProgramFailure): ProgramOutcome => ({ status: error.code, error });

function failureOf(error: unknown, site: string | undefined): ProgramFailure {
  const code = error instanceof MmPtxError ? error.code : "FAILED";
  const { instruction } = error as { readonly instruction?: unknown };
  const place = site !== undefined && {
    place: { site, ...(typeof instruction === "number" ? { instruction } : {}) },
  };
  return { code, message: error instanceof Error ? error.message : describeValue(error), ...place };
}

function compileFailure(error: PtxCompileError): PackFailure {
  const { code, message, diagnostics } = error;
  const lines = diagnostics.filter(({ severity }) => severity !== "warning").map(({ line }) => line);
  return { code, message, lines: lines.filter((line) => line !== undefined) };
}

type Step = IteratorResult<unknown>;

interface AnyIterator {
  next(): Step | Promise<Step>;
  return?(): unknown;
}

function iteratorOf(programs: ProgramSource): AnyIterator {
  const { [Symbol.asyncIterator]: async, [Symbol.iterator]: sync } = programs as AsyncIterable<unknown> &
    Iterable<unknown>;
  return typeof async === "function" ? async.call(programs) : sync.call(programs);
}

function checkedStep(step: Step): Step {
  if (typeof step === "object" && step !== null) return step;
  throw new PipelineError(
    "INVALID_ARGUMENT",
    `expected the iterator of the programs to return steps, found ${describeValue(step)}`,
  );
}

const producerFailed = (cause: unknown): PipelineError =>
  new PipelineError(
    "PRODUCER_FAILED",
    `expected programs, but their iterable threw: ${describeError(cause)}`,
    { cause },
  );

/** Tells the producer that no more programs are wanted. */
async function close(iterator: AnyIterator): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Nobody waits for its programs any more.
  }
}
